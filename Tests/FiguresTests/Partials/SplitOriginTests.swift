import PolicyEngine
import Testing

@testable import Figures

/// The description of captures that were split, as the file of each part has it.
@Suite struct SplitOriginTests {
    private static let origin = SplitOrigin {
        $0.flags = ["new-b", "new-a"]
        $0.captures = [
            SplitOrigin.Capture {
                ($0.identity.path, $0.identity.bytes) = ("day.jsonl", 300)
                ($0.from, $0.to, $0.lines, $0.records, $0.malformed) = (100, 200, 7, 5, 1)
                ($0.first, $0.firstLine) = (Instant(secondsSinceEpoch: 60), 2)
                ($0.latest, $0.isCut) = (Instant(secondsSinceEpoch: 90), true)
            }
        ]
        $0.problems = [SplitOrigin.Problem { ($0.file, $0.line, $0.message) = ("day.jsonl", 3, "not a JSON object") }]
    }

    private static let text =
        #"{"form":1,"captures":[{"path":"day.jsonl","bytes":300,"sample":null,"sha256":null,"from":100,"to":200,"#
        + #""lines":7,"records":5,"malformed":1,"first":60,"first-line":2,"latest":90,"cut":true}],"#
        + #""flags":["new-b","new-a"],"problems":[{"file":"day.jsonl","line":3,"message":"not a JSON object","hint":null}]}"#

    @Test func isWrittenAndRead() throws {
        #expect(Self.origin.text.filter { !$0.isWhitespace } == Self.text.filter { !$0.isWhitespace })
        #expect(try SplitOrigin(text: Self.origin.text) == Self.origin)
    }

    @Test(
        "a changed one is refused",
        arguments: [
            (#""form":1"#, #""form":2"#, "has the form 2, and this version reads the form 1"),
            (#""lines":7"#, #""lines":-7"#, "`captures[0]`: has counts that no capture can have"),
            (#""to":200"#, #""to":50"#, "`captures[0]`: has counts that no capture can have"),
            (#""to":200"#, #""to":null"#, "`captures[0]`: has counts that no capture can have"),
            (#""records":5"#, #""records":9223372036854775807"#, "is not a whole number in the supported range"),
            (#""flags":"#, #""flag":"#, "`flags` is missing"), (#"{"form""#, #"[{"form""#, ""),
        ])
    func isRefused(_ part: String, _ changed: String, _ message: String) throws {
        let text = Self.text.replacing(part, with: changed)
        try #require(text != Self.text)
        let failure = #expect(throws: PartialFailure.self) { try SplitOrigin(text: text) }
        #expect(failure?.message.contains(message) == true || message.isEmpty, "\(failure?.message ?? "")")
    }
}
