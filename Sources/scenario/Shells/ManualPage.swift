internal import Documents

/// Manual pages in the language of man, from the definitions that also drive the parser and the help.
enum ManualPage {
    /// The names of the pages: that of the tool, then one for each command.
    static func names(of tool: ToolDefinition) -> [String] {
        [tool.name] + tool.listed.map { "\(tool.name)-\($0.name)" }
    }

    /// The page of the tool.
    static func text(of tool: ToolDefinition) -> String {
        page([
            title(tool.name),
            name(tool.name, tool.summary),
            section(
                "SYNOPSIS", [".B \(Escape.manual(tool.name))", "\\fIcommand\\fR [\\fIoptions\\fR] [\\fIarguments\\fR]"]),
            section("COMMANDS", tool.groups.flatMap(commands)),
            section("OPTIONS", entries(ToolDefinition.options)),
            environment,
            section("EXIT STATUS", ExitStatus.allCases.flatMap { entry("\\fB\($0.rawValue)\\fR", $0.meaning) }),
            seeAlso(tool.listed.map { "\(tool.name)-\($0.name)" }),
        ])
    }

    /// The page of one command.
    static func text(of command: Command, tool: ToolDefinition) -> String {
        let full = "\(tool.name)-\(command.name)"
        var synopsis = [".B \(Escape.manual("\(tool.name) \(command.name)"))", "[\\fIoptions\\fR]"]
        if let operands = command.operands { synopsis.append("\\fI\(Escape.manual(operands.label))\\fR") }
        let arguments = [command.operands].compactMap(\.self)
            .flatMap { entry("\\fI\(Escape.manual($0.placeholder))\\fR", $0.summary) }
        return page([
            title(full),
            name(full, command.summary),
            section("SYNOPSIS", synopsis),
            section("ARGUMENTS", arguments),
            section("OPTIONS", entries(command.allOptions)),
            section(
                "DESCRIPTION",
                ([command.choice?.sentence].compactMap(\.self) + command.paragraphs).flatMap { [".PP", prose($0)] }),
            section("EXAMPLES", command.examples.flatMap(example)),
            seeAlso([tool.name]),
        ])
    }

    // The longest line of prose, in characters; readers of such a file see 80.
    private static let width = 76

    // MARK: Sections

    private static func page(_ parts: [[String]]) -> String { parts.joined().map { $0 + "\n" }.joined() }

    // Without a date: equal versions have equal pages.
    private static func title(_ name: String) -> [String] {
        [".TH \"\(name.uppercased())\" 1 \"\" \"scenario \(ToolVersion.current)\""]
    }

    private static func name(_ name: String, _ summary: String) -> [String] {
        let text = summary.hasSuffix(".") ? String(summary.dropLast()) : summary
        return section("NAME", ["\(Escape.manual(name)) \\- \(prose(text))"])
    }

    private static func section(_ title: String, _ lines: [String]) -> [String] {
        // A paragraph in front of all others is one too many.
        let rest = lines.first == ".PP" ? Array(lines.dropFirst()) : lines
        return rest.isEmpty ? [] : [".SH \(title)"] + rest
    }

    private static var environment: [String] {
        section(
            "ENVIRONMENT",
            entry("\\fBCOLUMNS\\fR", "Reports fit this width, in characters, in place of that of the terminal.")
                + entry("\\fBNO_COLOR\\fR", "Reports are without colour, and no progress is shown, where it is set.")
                + entry(
                    "\\fBCLICOLOR_FORCE\\fR",
                    "Reports on standard output are coloured even if it is not a terminal, unless this is empty or 0. "
                        + "NO_COLOR counts more.")
                + entry("\\fBTERM\\fR", "Reports are without colour, and no progress is shown, where it is dumb."))
    }

    private static func seeAlso(_ names: [String]) -> [String] {
        section("SEE ALSO", [names.map { ".BR \(Escape.manual($0)) (1)" }.joined(separator: " ,\n")])
    }

    private static func commands(of group: CommandGroup) -> [String] {
        [".SS \(Escape.manual(group.title))"]
            + group.listed.flatMap { entry("\\fB\(Escape.manual($0.name))\\fR", $0.summary) }
    }

    private static func entries(_ options: [OptionDefinition]) -> [String] {
        options.flatMap { option in
            let letter = option.short.map { "\\fB\(Escape.manual($0))\\fR, " } ?? ""
            let value = option.shape.map { " \\fI\(Escape.manual($0.placeholder))\\fR" } ?? ""
            return entry("\(letter)\\fB\(Escape.manual(option.name))\\fR\(value)", option.text(among: options))
        }
    }

    private static func entry(_ label: String, _ text: String) -> [String] { [".TP", label, prose(text)] }

    private static func example(_ example: CommandExample) -> [String] {
        [".TP", "\\fB\(Escape.manual(example.line))\\fR", prose(example.summary)]
    }

    // MARK: Text

    /// A text in which words in backticks are shown in bold.
    private static func prose(_ text: String) -> String {
        let lines = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let parts = lines.split(separator: "`", omittingEmptySubsequences: false).map { Escape.manual(String($0)) }
        let marked = parts.enumerated().map { $0.offset % 2 == 1 ? "\\fB\($0.element)\\fR" : $0.element }.joined()
        return marked.wrapped(to: width).map { $0.hasPrefix(".") ? "\\&" + $0 : $0 }.joined(separator: "\n")
    }
}
