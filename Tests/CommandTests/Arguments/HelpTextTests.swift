import Testing

@testable import scenario

struct HelpTextTests {
    static let tool = ToolDefinition(
        name: "tool",
        summary: "Does this and that.",
        commands: [SampleCommand.self] + ScenarioTool.commands
    )

    @Test func helpOfACommandFollowsItsDefinition() {
        #expect(
            HelpText.text(for: .sample, of: Self.tool) == """
                Does nothing.

                Usage: tool sample [options] [PATH…]

                Arguments:
                  PATH  Something to read.

                Options:
                  --output FILE       Write to FILE.
                  --tag T             Select T. May be given more than once.
                  --format text|json  Choose a form.
                  --count N           Do it N times.
                  --verbose           Say more.
                  --help              Show this help.

                There is nothing to say.

                Nothing at all.

                Examples:
                  tool sample --verbose
                      Does nothing, verbosely.

                """
        )
    }

    @Test func helpOfTheToolListsItsCommands() {
        let sample = ToolDefinition(name: "tool", summary: "Does this and that.", commands: [SampleCommand.self])
        #expect(
            HelpText.text(for: sample) == """
                Does this and that.

                Usage: tool <command> [options] [arguments]

                Commands:
                  sample  Does nothing.

                Options:
                  --help       Show this help.
                  --version    Show the version.
                  --dump-help  Write commands and options as JSON, for other programs.

                Exit status:
                  0   Everything held: every expectation was met, and no limit was exceeded.
                  1   An expectation or `approov api -check` failed, or `lint --strict` has warnings.
                  2   A scenario, an account or a capture is invalid, or a file cannot be read or written.
                  3   The command line is wrong; nothing was read and nothing was done.
                  4   A limit was exceeded: more changed, or less was covered, than the caller allows; or `prove`
                      found a device, or `search` no edits.
                  5   Nothing ran, nothing was evaluated, or nothing was asserted: no scenario, an empty folder, a
                      selection that matches nothing, or scenarios none of which expects anything.
                  6   A question of `prove` or `search` has no answer: it took too long, or it cannot be decided.
                  70  A fault of this program, whatever the input was.
                  71  There is not enough memory for what was asked.

                `tool <command> --help` says more about a command.

                """
        )
    }

    @Test(arguments: tool.commands.map { $0.definition }) func noLineIsTooLong(_ command: CommandDefinition) {
        let lines = HelpText.text(for: command, of: Self.tool).split(separator: "\n")
        #expect(lines.allSatisfy { $0.count <= HelpText.width && $0.last != " " })
    }

    @Test func longTextsContinueInTheirColumn() {
        let long = OptionDefinition(name: "--long", summary: String(repeating: "word ", count: 40))
        let command = CommandDefinition(name: "sample", summary: "Does nothing.", options: [long])
        let lines = HelpText.text(for: command, of: Self.tool).split(separator: "\n").filter { $0.contains("word") }
        #expect(lines.map(\.count) == [99, 99, 29])
        #expect(lines.dropFirst().allSatisfy { $0.hasPrefix("          word") })
    }

    @Test func wordsAreWrappedAndNeverCut() {
        #expect("aa bb cc".wrapped(to: 5) == ["aa bb", "cc"])
        #expect("a bbbbbb c".wrapped(to: 3) == ["a", "bbbbbb", "c"])
        #expect(" \n ".wrapped(to: 3).isEmpty)
    }
}
