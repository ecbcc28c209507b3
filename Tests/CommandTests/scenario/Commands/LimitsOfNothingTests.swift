import Testing

@testable import TestSupport
@testable import scenario

/// No limit passes where nothing was evaluated or tested: the list of limits is that of the commands, and each has cases in a
/// transcript, `== COMMAND LIMIT: the thing of which there is nothing`.
@Suite struct LimitsOfNothingTests {
    private static let path = "Tests/Transcripts/limits/limits-of-nothing.txt"

    // Numbers by which something else than a figure is limited.
    private static let sizes: Set = ["--max-edits", "--max-answer"]

    @Test func everyLimitOfEveryCommandHasACase() throws {
        var limits: Set<String> = []
        for command in ScenarioTool.commands {
            for option in command.options where option.name != ConfidenceOption.option.name {
                if option.shape?.bound != nil {
                    limits.insert("\(command.name) \(option.name)")
                } else {
                    #expect(option.name.firstMatch(of: /^--(min|max)-/) == nil || Self.sizes.contains(option.name))
                }
            }
        }
        let cases = CaseFile(path: Self.path, text: try Repository.text(of: Self.path)).cases
        expect(limits, equals: Set(cases.map { String($0.name.prefix { $0 != ":" }) }))
        for example in cases { try expectFailure(of: example) }
    }

    // The limit is the loosest one that allows anything to be wrong; where there can be a level, it is given as well.
    private func expectFailure(of example: CaseFile.Case) throws {
        let words = example.name.prefix { $0 != ":" }.split(separator: " ").map(String.init)
        let limit = "\(words[1])=\(words[1].hasPrefix("--max-") ? "99%" : "1%")"
        let command = try #require(ScenarioTool.commands.first { $0.name == words[0] })
        let hasLevel = command.options.contains { $0.name == ConfidenceOption.option.name }
        let parts = example.body.joined(separator: "\n").split(separator: "$ scenario ").filter { $0.contains(limit) }
        #expect(
            parts.count { !$0.contains("--confidence=") } == 1 && parts.count == (hasLevel ? 2 : 1), "\(example.name)")
        for part in parts {
            #expect(part.hasPrefix(words[0] + " ") && part.contains("\n? ") && !part.contains("\n? 0"), "\(part)")
        }
    }
}
