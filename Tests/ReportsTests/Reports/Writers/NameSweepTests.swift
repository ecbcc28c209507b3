import Testing

@testable import ReportSupport
@testable import TestSupport

/// Names of strangers in every form of every report, read back by the rules of the form: attacks, lengths around every limit,
/// and random ones.
@Suite struct NameSweepTests {
    private static func problems(_ name: String) throws -> [String] {
        let folder = try TemporaryFolder()
        return NamesInForms(name) { (try? folder.write($0, to: "c.jsonl")) ?? "" }.problems()
    }

    @Test(arguments: AttackTests.attacks) func attacksAreText(_ name: String) throws {
        try expect(Self.problems(name).joined(separator: "; "), equals: "")
    }

    // Names that are cut are equal behind it, and so are parts of a page that are named by them.
    @Test(arguments: [1, 64, 65, 80, 81, 999, 1000, 1001, 5000])
    func longNamesAreText(_ length: Int) throws {
        try expect(Self.problems(String(repeating: "a", count: length)).joined(separator: "; "), equals: "")
        try expect(
            Self.problems(String(repeating: "\u{200B}é", count: length / 2 + 1)).joined(separator: "; "), equals: "")
    }

    private static let pieces: [String] =
        [
            "a", "B", "2", "-2", " ", ",", "\"", "'", "\\", "<", ">", "&", "#", "%", ":", "::", "|", "=", "\n", "\r",
            "\t",
        ]
        + ["\u{0}", "\u{1B}[", "\u{7F}", "\u{85}", "\u{AD}", "\u{301}", "\u{200B}", "\u{200D}", "\u{202E}", "\u{2028}"]
        + [
            "\u{3164}", "\u{FE0F}", "\u{FEFF}", "\u{FFFE}", "\u{10FFFF}", "\u{E0041}", "😀", "]]>", "-->", "# SKIP",
            "{{", "`",
        ]

    private static let seeds: [UInt64] = Array(1...Exhaustive.count(UInt64(12), whole: 2000))

    @Test(arguments: seeds) func randomNamesAreText(_ seed: UInt64) throws {
        var chance = Chance(seed: seed)
        let name = (0..<chance.pick([1, 2, 5, 20, 75, 90])).map { _ in chance.pick(Self.pieces) }.joined()
        try expect(Self.problems(name).joined(separator: "; "), equals: "")
    }
}
