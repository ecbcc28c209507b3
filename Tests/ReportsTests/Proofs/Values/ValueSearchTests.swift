import PolicyEngine
import Testing

@testable import Proofs
@testable import TestSupport

/// The combinations of tests that values can pass are those that PCRE2 finds, each with its shortest value.
@Suite struct ValueSearchTests {
    private static let patterns = [
        "a", "b", "^a", "b$", "ab", "^$", "a+b?$", "[^a]", "^[ab]*$", "(a|b){2}", "^.b", "^a|b$", "(?i)A", "a.b",
        "\\bb",
        "^c?$", "\\n", "a$", "\\Bb", "(?m)^b", "b\\Z", "b\\z", "^(ab)+$", "a.*b.*a",
    ]

    @Test(arguments: Array(1...Exhaustive.count(UInt64(20), whole: 400)))
    func agreesWithEveryShortValue(seed: UInt64) throws {
        var chance = Chance(seed: seed)
        let tests = try (0..<3).map { _ in
            try (0...chance.below(2)).map { _ in
                Filter.Test.regex(key: "k", pattern: try Pattern(chance.pick(Self.patterns)))
            }
        }
        let key = try ValueKey("k", tests, ProofBudget(.seconds(60)))
        let found = Dictionary(uniqueKeysWithValues: key.rows.map { ($0.classes, $0) })
        for row in key.rows {
            expect(Self.classes(of: row.value, tests), equals: row.classes, "\(row.value.debugDescription)")
        }
        var latest = [""]
        for length in 0...3 {
            for value in latest {
                let row = try #require(found[Self.classes(of: value, tests)], "\(value.debugDescription)")
                #expect(row.length <= length, "\(row.value.debugDescription) for \(value.debugDescription)")
            }
            latest = latest.flatMap { text in ["a", "b", "c", "\n", " "].map { text + $0 } }
        }
    }

    private static func classes(of value: String, _ tests: [[Filter.Test]]) -> [Int] {
        tests.indices.filter { number in tests[number].contains { $0.passes(value) } }
    }

    @Test func wholeValuesAreEachARow() throws {
        let tests = ["", "a", "b"].map { [Filter.Test.exact(key: "k", value: $0)] }
        let key = try ValueKey("k", tests, ProofBudget(.seconds(60)))
        expect(key.rows.map(\.value), equals: ["c", "", "a", "b"])
        expect(key.rows.map(\.classes), equals: [[], [0], [1], [2]])
    }

    @Test func identitiesAreThoseOfDevicesWithoutAnEntry() throws {
        let device = try #require(DeviceID("AAAAAAAAAAAAAAAAAAAAAA=="))
        let tests = [[Filter.Test.regex(key: "device-id", pattern: try Pattern("^A{22}|^\\+\\+F"))]]
        let key = try ValueKey(identities: tests, without: [device], ProofBudget(.seconds(60)))
        expect(key.rows.map(\.classes), equals: [[], [0]])
        #expect(key.rows.allSatisfy { DeviceID($0.value) != nil && $0.value != device.description })
    }
}
