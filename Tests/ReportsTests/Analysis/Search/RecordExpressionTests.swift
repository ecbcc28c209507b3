import PolicyEngine
import Testing

@testable import Analysis
@testable import Replay
@testable import TestSupport

/// Expressions that select records.
@Suite struct RecordExpressionTests {
    private static let device = "h4gubfCFzJu81j/U2BJsdg=="

    private static func selects(_ text: String) throws -> Bool {
        let expression = try RecordExpression(text) { _ in ["", device] }
        let record = KeptRecord(
            device: try #require(DeviceID(device)), system: .android, flags: ["rooted", "frida"],
            attributes: [
                .init(key: "ip", value: "1.2.3.4"), .init(key: "device", value: "Android 8.1, Nexus"),
                .init(key: "key", value: "a=b"),
            ], capturedVerdict: false, passed: true)
        return expression.selects(record)
    }

    @Test(arguments: CaseFile.all(in: "Tables/patterns", ending: "expressions.txt"))
    func selectsOrIsWrong(_ file: CaseFile) throws {
        try file.expectActual { example in
            TextCase.lines(example) { line in
                do {
                    return try Self.selects(line == "(nothing)" ? "" : line) ? "selects" : "passes over"
                } catch {
                    return (error as? RecordExpressionError)?.description ?? "\(error)"
                }
            }
        }
    }

    static let deep: [(name: String, start: String, end: String, width: Int)] = [
        ("brackets", "(", ")", 1), ("not", "not ", "", 4), ("not and brackets", "not (", ")", 5),
    ]

    // One that is deeper than the stack would end the process.
    @Test(arguments: deep.indices, [65, 60_000]) func depthIsBounded(_ index: Int, _ depth: Int) {
        let row = Self.deep[index]
        let text = String(repeating: row.start, count: depth) + "flag:a" + String(repeating: row.end, count: depth)
        do throws(RecordExpressionError) {
            _ = try RecordExpression(text) { _ in [] }
            Issue.record("\(row.name) are read")
        } catch {
            // The first level that is too deep: number 65, or, if each row has two, the first of pair 33.
            let character = row.name == "not and brackets" ? 32 * 5 + 1 : 64 * row.width + 1
            expect(error.description, equals: "brackets and `not` lie more than 64 deep at character \(character)")
        }
    }

    @Test(arguments: deep.indices) func whatIsNotTooDeepIsRead(_ index: Int) throws {
        let row = Self.deep[index]
        let depth = row.name == "not and brackets" ? 32 : 64
        let ends = String(repeating: row.end, count: depth)
        #expect(try Self.selects(String(repeating: row.start, count: depth) + "flag:rooted" + ends))
    }

    // Each bracket of a value was counted anew at every other one.
    @Test func aLongValueIsReadInOneGo() {
        let text = "ip=" + String(repeating: "()", count: 200_000)
        #expect(throws: Never.self) { _ = try RecordExpression(text) { _ in [] } }
    }
}

extension RecordExpression {
    /// True if the expression selects a record; every pattern must be searched to the end.
    func selects(_ record: KeptRecord) -> Bool {
        var isGivenUp = false
        let selects = selects(record, by: PatternMatcher(), isGivenUp: &isGivenUp)
        if isGivenUp { Issue.record("a pattern hit its match limit") }
        return selects
    }
}
