import Analysis
import Proofs
import Reports
import Testing

@testable import TestSupport
@testable import scenario

/// `prove`: what is so of every device, and what the command says of it. The answers are worked out by hand.
@Suite struct ProveCommandTests {
    @Test func anAnswerThatTakesTooLongSaysSo() {
        let proof = ChangeProof([(.rejected, .notDecided(.time(.devices)))], beyondCaptures: [], limit: 10)
        #expect(
            String(decoding: ProofFormat.text.bytes(of: proof), as: UTF8.self)
                == "not decided in 10 s whether a device would newly be rejected\n"
                + "  the time ended while Z3 searched for a device\n")
    }

    static let reasons: [(Undecided, String)] = [
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
        let proof = ChangeProof([(.rejected, .notDecided(Self.reasons[index].0))], beyondCaptures: [], limit: 10)
        let text = String(decoding: ProofFormat.text.bytes(of: proof), as: UTF8.self)
        #expect(text.hasSuffix("whether a device would newly be rejected\n  \(Self.reasons[index].1)\n"), "\(text)")
    }
}
