import Foundation
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
    @Test(arguments: CaseFile.all(in: "Tables/words", ending: "filter-commands.txt"))
    func isWrittenAsItIsTyped(_ file: CaseFile) throws {
        try file.expectActual { example in
            try TextCase.lines(example) { line in
                let words = try JSONDecoder().decode([String].self, from: Data(line.utf8))
                let filter = try Filter(name: "f", test: .exact(key: words[0], value: words[1]), options: .reject)
                return ManagementCommand.addition(of: filter)?.text ?? "no command"
            }
        }
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
