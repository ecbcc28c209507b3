import Foundation
import Testing

@testable import TestSupport
@testable import scenario

/// The manual pages, as mandoc and groff read them.
@Suite struct ManualPageTests {
    private static let commands = ScenarioTool.definition.listed

    @Test func pagesAreValidAndSayWhatTheTableSays() throws {
        let pages = try TemporaryFolder(
            Dictionary(
                uniqueKeysWithValues: try Self.commands.map {
                    ("scenario-\($0.name).1", try ToolRun(["manual", $0.name]).output)
                } + [("scenario.1", try ToolRun(["manual"]).output)]))
        let names = try ToolRun(["manual", "--names"]).output.split(separator: "\n").map { "\($0).1" }
        #expect(names.sorted() == pages.names.sorted())
        let answers = try Tooling.answer(of: "manual.py", to: ["files": names.map(pages.path)])
        func page(_ name: String) throws -> [String: Any] {
            try #require(answers[pages.path(name)] as? [String: Any])
        }
        for name in names { #expect(try page(name)["problems"] as? [String] == [], "\(name)") }
        for command in Self.commands {
            let text = Self.words(try page("scenario-\(command.name).1")["text"] as? String)
            for option in command.allOptions {
                #expect(text.contains(Self.words("\(option.label) \(option.summary)")), "\(command.name)")
            }
            for example in command.examples { #expect(text.contains(Self.words(example.line)), "\(command.name)") }
            let tool = Self.words(try page("scenario.1")["text"] as? String)
            #expect(tool.contains("\(command.name) \(Self.words(command.summary))"))
        }
    }

    // Without line breaks, hyphenation and the marks of our messages.
    private static func words(_ text: String?) -> String {
        (text ?? "").replacing("\u{2010}\n", with: "").replacing("…", with: "...").replacing("`", with: "")
            .split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    static let refused = [
        ToolRow(
            name: "unknown command", arguments: ["manual", "dif"], status: .usage,
            error: "scenario: error: unknown command `dif`; did you mean `diff`?\n"),
        ToolRow(
            name: "names of a command", arguments: ["manual", "--names", "diff"], status: .usage,
            error: "scenario: error: `--names` takes no command\n"),
    ]

    @Test(arguments: refused) func otherPagesAreRefused(_ row: ToolRow) throws { try row.expectNoOutput(files: [:]) }
}
