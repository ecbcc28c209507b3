internal import Documents

/// The tool as a whole: finds the command that is asked for and runs it.
enum ScenarioTool {
    /// The commands, in the order of the help.
    static var commands: [Command] { definition.commands }

    /// The help of the tool and its commands.
    static var definition: ToolDefinition { .scenario }

    /// Runs the tool with the words that the process was started with.
    ///
    /// - Returns: The status to exit with.
    static func runProcess(console: Console) -> ExitStatus {
        do throws(CommandFailure) {
            return run(try ProgramArguments.words(), console: console)
        } catch {
            console.show(error: error.description)
            return .usage
        }
    }

    /// Runs the tool.
    ///
    /// - Parameters:
    ///   - arguments: The words behind the tool's name.
    ///   - console: The console that output is written to.
    /// - Returns: The status to exit with.
    static func run(_ arguments: [String], console: Console) -> ExitStatus {
        do throws(CommandFailure) {
            return try dispatch(arguments, console: console)
        } catch {
            if case .shown(let status) = error { return status }
            // Before the command line is understood nobody knows what in it may be shown.
            let isHidden = arguments.contains { $0 == RedactionOptions.redact.name }
            let message = error.description
            console.show(error: isHidden ? Redaction.withoutQuotations(message, but: words, of: arguments) : message)
            return .usage
        }
    }

    // The words that messages quote of the tool itself.
    private static var words: Set<String> {
        Set(
            commands.flatMap { command in
                [command.name, "scenario \(command.name)"] + command.allOptions.flatMap(\.words)
            })
    }

    private static func dispatch(_ arguments: [String], console: Console) throws(CommandFailure) -> ExitStatus {
        guard let first = arguments.first else {
            console.error(HelpText.text(for: definition, width: console.width))
            return .usage
        }
        if let answer = answer(to: first, width: console.width) {
            console.output(answer)
            return .success
        }
        let command = try definition.command(named: first)
        var parsed = try ArgumentParser.read(Array(arguments.dropFirst()), for: command)
        if let help = parsed.help {
            console.output(HelpText.text(for: command, of: definition, help, width: console.width))
            return .success
        }
        var problems = Diagnostics()
        SettingsFile.complete(&parsed, &problems)
        guard !problems.hasErrors else {
            console.show(problems)
            return .invalidInput
        }
        try ArgumentParser.check(parsed)
        try StandardInput.check(parsed)
        try FileConflicts.check(parsed)
        var call = CommandCall(arguments: parsed, console: console)
        call.console.isQuiet = parsed[Options.quiet]
        if let defaults = parsed.defaults { call.console.show(note: "scenario: \(defaults.sentence)") }
        for former in parsed.formerNames {
            call.console.show(warning: "`\(former.name)` is called `\(former.current)` now")
        }
        call.console.redaction = try RedactionOptions.redaction(parsed)
        return try command.answer(call)
    }

    // The answer to an option in place of a command; `nil` for any other word.
    private static func answer(to word: String, width: Int) -> String? {
        if Options.help.isCalled(word) { return HelpText.text(for: definition, width: width) }
        if Options.version.isCalled(word) { return "scenario \(ToolVersion.current)\n" }
        return Options.dumpHelp.isCalled(word) ? ToolDump.text(of: definition) : nil
    }
}

/// The words that were typed behind the name of the program.
enum ProgramArguments {
    /// The words, each as it was typed.
    ///
    /// - Throws: ``CommandFailure`` for one that is not UTF-8: with other bytes in it, a file of another name would be read or
    ///   written.
    static func words() throws(CommandFailure) -> [String] {
        var words: [String] = []
        for index in 1..<max(1, Int(CommandLine.argc)) {
            // SAFETY: there are as many words as the system says; each ends with a zero, and is copied here.
            guard let start = unsafe CommandLine.unsafeArgv[index] else { break }
            guard let word = unsafe String(validatingCString: start) else {
                throw .usage(
                    "word \(index) of the command line is not UTF-8: \((unsafe String(cString: start)).asTyped)",
                    hint: "a file whose name is not UTF-8 can be read and written by `<` and `>`")
            }
            words.append(word)
        }
        return words
    }
}
