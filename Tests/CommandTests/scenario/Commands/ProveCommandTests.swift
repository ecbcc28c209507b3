import Analysis
import Proofs
import Reports
import Testing

@testable import TestSupport
@testable import scenario

/// `prove`: why there is no answer.
@Suite struct ProveCommandTests {
    static let reasons: [(Undecided, String)] = [
        (.time(.devices), "the time ended while Z3 searched for a device"),
        (.time(.values), "the time ended while the values that the filters distinguish were computed"),
        (.time(.lists), "the time ended while the lists of flags that the filters distinguish were computed"),
        (
            .time(.samples),
            "the time ended while a device and a day were searched for on which both accounts sample as required"
        ),
        (.size(.values), "the filters distinguish too many values"),
        (.size(.lists), "the filters distinguish too many lists of flags"),
        (.solver("incomplete"), "Z3 gave up: incomplete"), (.solver(""), "Z3 gave up"),
    ]

    @Test(arguments: reasons.indices) func everyReasonIsNamed(_ index: Int) {
        let (reason, text) = Self.reasons[index]
        let proof = ChangeProof([(.rejected, .notDecided(reason))], beyondCaptures: [], limit: 10)
        let limit = text.hasPrefix("the time ended") ? " in 10 s" : ""
        let said = String(decoding: proof.bytes(as: .text), as: UTF8.self)
        expect(said, equals: "not decided\(limit) whether a device would newly be rejected\n  \(text)\n")
    }
}
