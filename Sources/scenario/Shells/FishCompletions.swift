internal import Accounts

/// Completions for fish, as a file for one of its folders of completions.
struct FishCompletions {
    private let tool: ToolDefinition
    private let commands: [CommandDefinition]

    init(_ tool: ToolDefinition) {
        (self.tool, commands) = (tool, tool.commands.map { $0.definition })
    }

    /// The whole file.
    var text: String {
        let lines = commandLines + commands.flatMap(optionLines) + commands.compactMap(operandLine) + managementLines
        return """
            # fish completions of \(tool.name), as `\(tool.name) completion fish` writes them.

            \(functions)

            complete --command \(tool.name) --no-files
            \(lines.map { "complete --command \(tool.name) \($0)" }.joined(separator: "\n"))

            """
    }

    // MARK: Functions

    private var functions: String {
        """
        # Whether the command is one of those named.
        function __\(tool.name)_is
            set --local typed (commandline --tokenize --cut-at-cursor --current-process)
            test (count $typed) -ge 2; and contains -- $typed[2] $argv
        end

        # Whether no command is typed yet.
        function __\(tool.name)_is_bare
            test (count (commandline --tokenize --cut-at-cursor --current-process)) -eq 1
        end

        # The words of a management command, without the one that is being typed; fails where none has begun.
        function __\(tool.name)_management
            set --local typed (commandline --tokenize --cut-at-cursor --current-process)
            \(otherCommands.isEmpty ? "false" : "contains -- \"$typed[2]\" \(words(otherCommands.map(\.name)))"); or return 1
            set --local index 3
            while test $index -le (count $typed); and string match --quiet -- '--*' $typed[$index]
                if contains -- $typed[$index] \(words(otherValues))
                    set index (math $index + 1)
                end
                set index (math $index + 1)
            end
            if test $index -le (count $typed)
                printf '%s\\n' $typed[$index..-1]
            end
            return 0
        end

        # Whether no word of a management command is typed yet.
        function __\(tool.name)_topic
            set --local words (__\(tool.name)_management); or return 1
            test -z "$words[1]"
        end

        # Whether a management command has the topic that is named first, and ends with the word that is named second.
        function __\(tool.name)_managed
            set --local words (__\(tool.name)_management); or return 1
            test "$words[1]" = $argv[1]; or return 1
            test (count $argv) -eq 1; or test "$words[-1]" = $argv[2]
        end

        # Some words behind those that are typed and joined by commas.
        function __\(tool.name)_list
            set --local typed (commandline --current-token | string replace --regex -- '^--[^=]*=' '')
            set --local head (string match --regex -- '.*,' $typed)
            test -n "$head"; or set head ''
            printf '%s\\n' $head$argv
        end

        # The part of a policy that is being typed.
        function __\(tool.name)_policy
            switch (commandline --current-token)
                case '*,*,*'
                    __\(tool.name)_list \(words(CompletedNames.annotations))
                case '*,*'
                    __\(tool.name)_list \(words(CompletedNames.rejections))
                case '*'
                    printf '%s\\n' \(words(CompletedNames.policyStarts))
            end
        end

        # Flags of the catalogue, joined by commas.
        function __\(tool.name)_flags
            __\(tool.name)_list \(words(CompletedNames.flags))
        end
        """
    }

    private var otherCommands: [CommandDefinition] { commands.filter { $0.operands?.kind == .commandLine } }

    private var otherValues: [String] {
        otherCommands.flatMap(\.options).filter { $0.value != .nothing }.map(\.name)
    }

    // MARK: Lines

    private var commandLines: [String] {
        let bare = "--condition __\(tool.name)_is_bare"
        return commands.map { "\(bare) --arguments \($0.name) --description \(Shell.quoted($0.summary.plain))" }
            + ToolDefinition.options.map {
                "\(bare) --long-option \($0.name.dropFirst(2)) --description \(Shell.quoted($0.summary.plain))"
            }
    }

    private func optionLines(_ command: CommandDefinition) -> [String] {
        let isOther = command.operands?.kind == .commandLine
        let condition =
            isOther
            ? "__\(tool.name)_is \(command.name); and __\(tool.name)_topic" : "__\(tool.name)_is \(command.name)"
        return command.allOptions.map { option in
            let value = CompletedValue(option.value)
            let offered = value == .nothing ? "" : " --require-parameter\(arguments(value))"
            return "--condition \(Shell.quoted(condition)) --long-option \(option.name.dropFirst(2))\(offered) "
                + "--description \(Shell.quoted(option.summary.plain))"
        }
    }

    private func operandLine(_ command: CommandDefinition) -> String? {
        let value = CompletedValue(command.operands)
        guard value != .unknown, command.operands != nil else { return nil }
        return "--condition '__\(tool.name)_is \(command.name)'\(arguments(value))"
    }

    private var managementLines: [String] {
        let grammar = CommandGrammar.topics
        let topics = "--condition __\(tool.name)_topic --arguments \(Shell.quoted(grammar.map(\.topic)))"
        return [topics]
            + grammar.flatMap { topic -> [String] in
                let names = Shell.quoted(topic.words.map(\.name))
                let values = topic.words.compactMap { word -> String? in
                    let value = CompletedValue(word.operand)
                    guard value != .nothing, value != .unknown else { return nil }
                    return "--condition '__\(tool.name)_managed \(topic.topic) \(word.name)'\(arguments(value))"
                }
                return ["--condition '__\(tool.name)_managed \(topic.topic)' --arguments \(names)"] + values
            }
    }

    private func arguments(_ value: CompletedValue) -> String {
        switch value {
        case .nothing, .unknown: ""
        case .files: " --force-files"
        case .words(let list): " --arguments \(Shell.quoted(list))"
        case .commands: " --arguments \(Shell.quoted(commands.map(\.name)))"
        case .flags: " --arguments '(__\(tool.name)_flags)'"
        case .policies: " --arguments '(__\(tool.name)_policy)'"
        }
    }

    private func words(_ list: [String]) -> String { list.joined(separator: " ") }
}

extension String {
    // Without the marks of our messages.
    fileprivate var plain: String { replacing("`", with: "") }
}
