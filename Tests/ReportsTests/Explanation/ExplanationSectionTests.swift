import PolicyEngine
import Testing

@testable import Analysis
@testable import Reports
@testable import TestSupport

/// The changes that would turn a verdict, in words.
@Suite struct ExplanationSectionTests {
    struct Row: LabelledRow {
        let name: String
        let flips: [[String]]
        let ending: String
    }

    static let rows = [
        Row(
            name: "single commands", flips: [["a"], ["b"]],
            ending: """
                      to pass, any of:
                        a
                        b

                """),
        Row(
            name: "a single command, and several together", flips: [["a"], ["b", "c", "d"]],
            ending: """
                      to pass, any of:
                        a
                      or, together:
                        b  and  c  and  d

                """),
        Row(
            name: "a pair alone", flips: [["a", "b"]],
            ending: """
                      no single change would make it pass
                      together, any of:
                        a  and  b

                """),
        Row(name: "nothing", flips: [], ending: "\n      no single change would make it pass, and no two together\n"),
    ]

    @Test(arguments: rows) func saysWhatTurnsTheVerdict(_ row: Row) throws {
        let explanation = Explanation(
            device: try #require(DeviceID(SampleDevice.bob)), time: Instant(secondsSinceEpoch: 0), passed: false,
            policy: "default,default,default", steps: [], flips: row.flips.map(Explanation.Flip.init))
        #expect(TextWriter().text(of: [explanation.section]).hasSuffix(row.ending))
    }
}
