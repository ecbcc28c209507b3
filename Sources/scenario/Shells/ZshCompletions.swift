internal import Accounts

/// Completions for zsh, as a file for a folder of its `fpath`.
struct ZshCompletions {
    private let tool: ToolDefinition
    private let commands: [CommandDefinition]

    init(_ tool: ToolDefinition) {
        (self.tool, commands) = (tool, tool.commands.map { $0.definition })
    }

    /// The whole file.
    var text: String {
        """
        #compdef \(tool.name)
        # zsh completions of \(tool.name), as `\(tool.name) completion zsh` writes them.

        # Offers the part of a policy that is being typed.
        _\(tool.name)_policy() {
            if compset -P '*,*,'; then
                compadd -- \(words(CompletedNames.annotations))
            elif compset -P '*,'; then
                compadd -S , -q -- \(words(CompletedNames.rejections))
            else
                compadd -S , -q -- \(words(CompletedNames.policyStarts))
            fi
        }

        # Offers flags of the catalogue, joined by commas.
        _\(tool.name)_flags() {
            compset -P '*,'
            compadd -S , -q -- \(words(CompletedNames.flags))
        }

        \(managementFunction)

        \(mainFunction)

        if [[ $funcstack[1] == _\(tool.name) ]]; then
            _\(tool.name) "$@"
        else
            compdef _\(tool.name) \(tool.name)
        fi

        """
    }

    // MARK: Functions

    private var managementFunction: String {
        let grammar = CommandGrammar.topics
        let values = grammar.flatMap { topic in
            topic.words.compactMap { word -> String? in
                let value = CompletedValue(word.operand)
                guard value != .nothing, value != .unknown else { return nil }
                return "        '\(topic.topic) \(word.name)') \(action(value)) ;;"
            }
        }
        let names = grammar.map { "        '\($0.topic) '*) compadd -- \(words($0.words.map(\.name))) ;;" }
        return """
            # Offers a word of a management command.
            _\(tool.name)_management() {
                if ((CURRENT == 1)); then
                    compadd -- \(words(grammar.map(\.topic)))
                    return
                fi
                case "$words[1] $words[CURRENT - 1]" in
            \((values + names).joined(separator: "\n"))
                esac
            }
            """
    }

    private var mainFunction: String {
        let names = commands.map { "            \(Shell.quoted("\($0.name):\($0.summary.plain)"))" }
        return """
            _\(tool.name)() {
                local curcontext=$curcontext state line
                typeset -A opt_args
                local -a commands=(
            \(names.joined(separator: "\n"))
                )
                _arguments -C '(- *)--help[Show this help.]' '(- *)--version[Show the version.]' \\
                    '1: :->command' '*:: :->arguments'
                case $state in
                    command) _describe command commands ;;
                    arguments)
                        case $words[1] in
            \(commands.map(arguments).joined(separator: "\n"))
                        esac ;;
                esac
            }
            """
    }

    private func arguments(_ command: CommandDefinition) -> String {
        var specifications = command.allOptions.map(specification)
        var switches = ""
        if command.operands?.kind == .commandLine {
            // Behind the first word of another command line nothing is ours.
            specifications.append(Shell.quoted("*:: :_\(tool.name)_management"))
            switches = "-A '-*' "
        } else if let operands = command.operands {
            let message = operands.placeholder.replacing("|", with: " or ")
            specifications.append(Shell.quoted("*:\(message): \(action(CompletedValue(operands)))"))
        }
        let lines = specifications.map { "                    \($0)" }.joined(separator: " \\\n")
        return "                \(command.name)) _arguments \(switches)\\\n\(lines) ;;"
    }

    private func specification(_ option: OptionDefinition) -> String {
        let repeated = option.isRepeatable ? "*" : ""
        let value = CompletedValue(option.value)
        let joint = value == .nothing ? "" : "="
        let name = "\(repeated)\(option.name)\(joint)[\(option.summary.plain.bracketed)]"
        guard value != .nothing else { return Shell.quoted(name) }
        return Shell.quoted("\(name):\(message(option)):\(action(value))")
    }

    private func message(_ option: OptionDefinition) -> String {
        if case .choice = option.value { return "word" }
        return (option.value.placeholder ?? "").replacing(":", with: "\\:")
    }

    private func action(_ value: CompletedValue) -> String {
        switch value {
        case .nothing, .unknown: " "
        case .files: "_files"
        case .words(let list): "compadd -- \(words(list))"
        case .commands: "compadd -- \(words(commands.map(\.name)))"
        case .flags: "_\(tool.name)_flags"
        case .policies: "_\(tool.name)_policy"
        }
    }

    private func words(_ list: [String]) -> String { list.joined(separator: " ") }
}

extension String {
    // The text with escaped brackets, which `_arguments` and `_describe` would take for the end of a text.
    fileprivate var bracketed: String {
        replacing("[", with: "\\[").replacing("]", with: "\\]")
    }

    // Without the marks of our messages, and with colons that end nothing.
    fileprivate var plain: String {
        replacing("`", with: "").replacing(":", with: "\\:")
    }
}
