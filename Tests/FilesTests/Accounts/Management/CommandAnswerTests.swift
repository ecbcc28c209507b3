import PolicyEngine
import Testing

@testable import Accounts
@testable import TestSupport

/// The answers of commands.
@Suite struct CommandAnswerTests {
    @Test func presetsAreToldAsTheTableHasThem() throws {
        for preset in RejectionPreset.allCases {
            let lines = try CommandBench.carryOut(
                ["policy -get"], on: "policy: 'default,\(preset.rawValue),default'"
            ).effects.flatMap(\.printed)
            let policy = RejectionPolicy(preset: preset)
            let tagged = lines.filter { $0.hasPrefix("  reject ") }.map { $0.split(separator: " ")[1] }
            let flags = policy.rejecting.union(policy.rejectingUnlessXposed)
            let names = preset == .blacklist ? FlagCatalogue().declaredNames : FlagCatalogue().names(of: flags)
            expect(tagged.map(String.init), equals: names)
            expect(lines[2], equals: "  rejection: \(preset.rawValue) (\(preset.summary))")
        }
    }
}

/// Filters as the commands that add them.
@Suite struct FilterCommandTextTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let key: String
        let value: String
        let command: String
        var testDescription: String { command }

        init(_ key: String, _ value: String, _ command: String) {
            (self.key, self.value, self.command) = (key, value, command)
        }
    }

    static let rows = [
        Row("ip", "1.2.3.4", "filter -add f -key ip -matchValue 1.2.3.4 -reject"),
        Row("ip", "", "filter -add f -key ip -matchValue '' -reject"),
        Row("ip", "a b", "filter -add f -key ip -matchValue 'a b' -reject"),
        Row("ip", "it's", #"filter -add f -key ip -matchValue 'it'\''s' -reject"#),
        Row("ip", "-", "filter -add f -key ip -matchValue=- -reject"),
        Row("ip", "-reject", "filter -add f -key ip -matchValue=-reject -reject"),
        Row("ip", "--", "filter -add f -key ip -matchValue=-- -reject"),
        Row("-key", "-a b", "filter -add f -key=-key '-matchValue=-a b' -reject"),
    ]

    @Test(arguments: rows) func isWrittenAsItIsTyped(_ row: Row) throws {
        let filter = try Filter(name: "f", test: .exact(key: row.key, value: row.value), options: .reject)
        expect(ManagementCommand.addition(of: filter)?.text, equals: row.command)
    }

    @Test func aNameMayBeginWithADash() throws {
        let filter = try Filter(name: "-f", test: .conjunction(["-a", "b"]))
        expect(ManagementCommand.addition(of: filter)?.text, equals: "filter -add=-f -conjunction=-a+b")
    }

    // Quotes, marks that a reader sees as one with the character before, characters that split words, and options.
    private static let letters = [
        "a", "'", "\"", "\\", " ", "\n", "\r", "\t", "\u{0}", "-", "--", "=", "+", "$", "`", "é", "\u{301}",
        "\u{1F3FD}",
        "\u{D4E}", "\u{FF9E}", "\u{200D}", "\u{A0}", "\u{2028}", "🇩", "-reject",
    ]

    @Test(arguments: Exhaustive.seeds(1...400)) func everyFilterCanBeTyped(_ seed: UInt64) throws {
        var chance = Chance(seed: seed)
        func text(_ lengths: ClosedRange<Int>) -> String {
            (0..<chance.pick(Array(lengths))).map { _ in chance.pick(Self.letters) }.joined()
        }
        let (key, value) = (text(1...3), text(0...5))
        let filter = try Filter(name: "f", test: .exact(key: key, value: value), options: .ban)
        let line = try #require(
            ManagementCommand.addition(of: filter)?.text, "\(key.debugDescription) \(value.debugDescription)")
        try expect(ManagementCommand(line).value as? FilterTopic, equals: .add(filter))
    }
}
