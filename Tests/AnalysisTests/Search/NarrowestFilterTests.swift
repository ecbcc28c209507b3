import PolicyEngine
import Testing

@testable import Analysis
@testable import Replay
@testable import TestSupport

/// The filters that `search --narrowest-filter` tries.
@Suite struct NarrowestFilterTests {
    private static func record(_ address: String?, passed: Bool = true) -> KeptRecord {
        KeptRecord(
            index: 0, time: Instant(secondsSinceEpoch: 0), device: DeviceID(first: 1, second: 2), system: .unknown,
            flags: [],
            attributes: address.map { [KeptRecord.Attribute(key: "ip", value: $0)] } ?? [], capturedVerdict: nil,
            passed: passed, rejections: [], lifetime: 0)
    }

    private static func texts(_ values: [String?]) -> [String] {
        NarrowestFilter.tests(rejecting: values.map { record($0) }, key: "ip").tests.map { test in
            switch test {
            case .exact(_, let value): "= \(value)"
            case .regex(_, let pattern): pattern.source
            case .conjunction: "conjunction"
            }
        }
    }

    /// Values, and the filters that match all of them.
    static let rows: [(values: [String?], filters: [String])] = [
        ([], []), (["a", nil], []), (["a"], ["= a"]), (["a", "a"], ["= a"]),
        (["", "b"], [#"\A(?:|b)\z"#]), (["b", "a"], [#"\A(?:a|b)\z"#]),
        (["ab", "ac"], [#"\A(?:ab|ac)\z"#, #"\Aa"#]), (["ba", "ca"], [#"\A(?:ba|ca)\z"#, #"a\z"#]),
        (["a.b", "a.c.b"], [#"\A(?:a\.b|a\.c\.b)\z"#, #"\Aa\."#, #"\.b\z"#]),
        (["(x", "(y"], [#"\A(?:\(x|\(y)\z"#, #"\A\("#]), (["é", "è"], [#"\A(?:è|é)\z"#]),
        // Characters that cannot be shown, also in a single value.
        (["-", "-"], ["= -"]), (["a\nb"], [#"\A(?:a\x{A}b)\z"#]), (["\u{0}1"], [#"\A(?:\x{0}1)\z"#]),
        (["a\u{202E}", "b\u{202E}"], [#"\A(?:a\x{202E}|b\x{202E})\z"#, #"\x{202E}\z"#]),
    ]

    @Test(arguments: rows) func matchesWhatHasToBeRejected(row: (values: [String?], filters: [String])) throws {
        #expect(Self.texts(row.values) == row.filters)
    }

    // PCRE2 compiles no pattern of more than 65,536 bytes.
    @Test func saysWhatIsRefused() {
        let records = (10_000..<20_000).map { Self.record("1\($0)") }
        let found = NarrowestFilter.tests(rejecting: records, key: "ip")
        #expect(found.refused.map(\.reason) == ["regular expression is too large"])
        #expect(found.tests.count == 1)
    }

    // The first of them matches these values and no others; the others match these at least.
    @Test(arguments: 1...40 as ClosedRange<UInt64>) func noFilterIsNarrower(seed: UInt64) throws {
        var chance = Chance(seed: seed)
        let letters = ["a", "b", ".", "|", "(", "é", "\n", "\u{0}", "\u{202E}", "A", "0", "}", ""]
        let all = (0..<8).map { _ in (0..<3).map { _ in chance.pick(letters) }.joined() }
        let chosen = Set(all.prefix(3))
        let tests = NarrowestFilter.tests(rejecting: chosen.map { Self.record($0) }, key: "ip").tests
        for (number, test) in tests.enumerated() {
            for value in all {
                let matches =
                    switch test {
                    case .exact(_, let expected): ExactText(value) == ExactText(expected)
                    case .regex(_, let pattern): pattern.isFound(in: value)
                    case .conjunction: false
                    }
                if chosen.contains(value) { #expect(matches, "\(test) \(value)") }
                if number == 0 { #expect(matches == chosen.contains(value), "\(test) \(value)") }
            }
        }
    }
}
