import PolicyEngine
import Testing

@testable import Analysis
@testable import Replay
@testable import TestSupport

/// Expressions that select records.
@Suite struct RecordExpressionTests {
    private static let device = "h4gubfCFzJu81j/U2BJsdg=="
    private static let other = "DoYouReadThisText01234=="

    static let selecting = [
        "flag:rooted", "flag:rooted and flag:frida", "flag:xposed or flag:frida", "not flag:xposed", "did:\(device)",
        "did:@list", "verdict:fail", "ip=1.2.3.4", #"ip~^1\."#, #"device="Android 8.1, Nexus""#,
        #""device=Android 8.1, Nexus""#,
        "not (flag:xposed or verdict:pass)", "flag:xposed or flag:rooted and flag:frida", "ip~^(1|2)[.]",
        "(ip~^(1|2)[.])",
        "not not flag:rooted", "device~(?i)NEXUS", "key=a=b",
    ]

    static let passingOver = [
        "flag:root", "flag:xposed and flag:rooted", "flag:rooted and not flag:frida", "did:\(other)", "verdict:pass",
        "ip=1.2.3", "nothing=", "nothing~.", "(flag:xposed or flag:rooted) and flag:xposed", "not flag:rooted",
    ]

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

    @Test(arguments: selecting) func selects(_ text: String) throws { #expect(try Self.selects(text)) }

    @Test(arguments: passingOver) func passesOver(_ text: String) throws { #expect(try !Self.selects(text)) }

    static let wrong: [(text: String, words: String)] = [
        ("", "a condition is missing"), ("flag:a and", "a condition is missing"),
        ("rooted", "`rooted` is not a condition"),
        ("(flag:a", "the bracket at character 1 is not closed"),
        ("flag:b or (ip~(a)b", "the bracket at character 11 is not closed"),
        ("flag:a flag:b", "`flag:b` is not expected at character 8"),
        ("(flag:a) )", "`)` is not expected at character 10"),
        ("ip=\"1", "a double quote is missing for that at character 4"), ("did:x", "`x` is not a device ID"),
        ("=x", "`=x` is not a condition"), ("ip~(", "bad regex `(`: missing closing parenthesis at offset 1"),
        ("verdict:maybe", "`verdict:maybe` is not a condition"),
    ]

    @Test(arguments: wrong.indices) func mistakesAreNamed(_ index: Int) {
        let row = Self.wrong[index]
        do throws(RecordExpressionError) {
            _ = try RecordExpression(row.text) { _ in [] }
            Issue.record("\(row.text) is read")
        } catch {
            expect(error.description, equals: row.words)
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
