internal import Accounts

/// Completions for bash, as a function that needs nothing but bash itself.
struct BashCompletions {
    private let tool: ToolDefinition
    private let commands: [CommandDefinition]

    init(_ tool: ToolDefinition) {
        (self.tool, commands) = (tool, tool.commands.map { $0.definition })
    }

    /// The whole file.
    var text: String {
        """
        # bash completions of \(tool.name), as `\(tool.name) completion bash` writes them.

        # Offers words, separated by spaces, that begin with what is typed; $2 stands in front of each.
        _\(tool.name)_words() {
            mapfile -t COMPREPLY < <(compgen -P "$2" -W "$1" -- "$current")
        }

        # Offers files and folders.
        _\(tool.name)_files() {
            compopt -o filenames
            mapfile -t COMPREPLY < <(compgen -f -- "$current")
        }

        # Offers the last of some words that are joined by commas.
        _\(tool.name)_list() {
            local head=
            if [[ $current == *,* ]]; then head=${current%,*},; fi
            current=${current##*,}
            _\(tool.name)_words "$1" "$head"
        }

        # Offers the part of a policy that is being typed.
        _\(tool.name)_policy() {
            compopt -o nospace
            case $current in
                *,*,*) _\(tool.name)_list \(Shell.quoted(CompletedNames.annotations)) ;;
                *,*) _\(tool.name)_list \(Shell.quoted(CompletedNames.rejections)) ;;
                *) _\(tool.name)_list \(Shell.quoted(CompletedNames.policyStarts)) ;;
            esac
        }

        # Offers flags of the catalogue, joined by commas.
        _\(tool.name)_flags() {
            compopt -o nospace
            _\(tool.name)_list \(Shell.quoted(CompletedNames.flags))
        }

        \(managementFunction)

        \(mainFunction)

        complete -F _\(tool.name) \(tool.name)

        """
    }

    // MARK: Functions

    // $1 is the topic, $2 the word before, $3 how many words there are.
    private var managementFunction: String {
        let grammar = CommandGrammar.topics
        let values = grammar.flatMap { topic in
            topic.words.compactMap { word in
                action(CompletedValue(word.operand)).map { "        '\(topic.topic) \(word.name)') \($0) ;;" }
            }
        }
        let words = grammar.map { topic in
            "        '\(topic.topic) '*) _\(tool.name)_words \(Shell.quoted(topic.words.map(\.name))) ;;"
        }
        return """
            # Offers a word of a management command: $1 is its topic, $2 the word before.
            _\(tool.name)_management() {
                case "$1 $2" in
                    ' '*) _\(tool.name)_words \(Shell.quoted(grammar.map(\.topic))) ;;
            \((values + words).joined(separator: "\n"))
                esac
            }
            """
    }

    private var mainFunction: String {
        """
        _\(tool.name)() {
            local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]}
            COMPREPLY=()
            # bash takes the `=` of `--name=value` for a word of its own.
            if [[ $current == = ]]; then
                current=
            elif [[ $previous == = ]]; then
                previous=${COMP_WORDS[COMP_CWORD - 2]}
            fi
            if ((COMP_CWORD == 1)); then
                _\(tool.name)_words \(Shell.quoted(commands.map(\.name) + ToolDefinition.options.map(\.name)))
                return
            fi
        \(otherCommandLines)
            case "$command $previous" in
        \(optionValues.joined(separator: "\n"))
            esac
            case "$command $current" in
        \(optionNames.joined(separator: "\n"))
        \(operands.joined(separator: "\n"))
            esac
        }
        """
    }

    // Behind the first word that is neither an option of ours nor its value, nothing is ours.
    private var otherCommandLines: String {
        let own = commands.filter { $0.operands?.kind == .commandLine }
        let names = own.map(\.name).joined(separator: "|")
        let valued = own.flatMap(\.options).filter { $0.value != .nothing }.map(\.name).joined(separator: "|")
        return """
                if [[ $command == @(\(names)) ]]; then
                    local index=2
                    while ((index < COMP_CWORD)) && [[ ${COMP_WORDS[index]} == --* ]]; do
                        if [[ ${COMP_WORDS[index]} == @(\(valued)) ]]; then
                            ((index += 1))
                            if [[ ${COMP_WORDS[index]} == = ]]; then ((index += 1)); fi
                        fi
                        ((index += 1))
                    done
                    if ((index < COMP_CWORD)); then
                        _\(tool.name)_management "${COMP_WORDS[index]}" "$previous"
                        return
                    elif ((index == COMP_CWORD)) && [[ $current != -* ]]; then
                        _\(tool.name)_management "" ""
                        return
                    fi
                fi
            """
    }

    private var optionValues: [String] {
        commands.flatMap { command in
            command.options.compactMap { option -> String? in
                guard option.value != .nothing else { return nil }
                return
                    "        '\(command.name) \(option.name)') \(action(CompletedValue(option.value)) ?? ":"); return ;;"
            }
        }
    }

    private var optionNames: [String] {
        commands.map { command in
            "        '\(command.name) -'*) _\(tool.name)_words \(Shell.quoted(command.allOptions.map(\.name))) ;;"
        }
    }

    private var operands: [String] {
        commands.compactMap { command in
            action(CompletedValue(command.operands)).map { "        '\(command.name) '*) \($0) ;;" }
        }
    }

    // The shell function that offers a value; `nil` if nothing is known of the value.
    private func action(_ value: CompletedValue) -> String? {
        switch value {
        case .nothing, .unknown: nil
        case .files: "_\(tool.name)_files"
        case .words(let words): "_\(tool.name)_words \(Shell.quoted(words))"
        case .commands: "_\(tool.name)_words \(Shell.quoted(commands.map(\.name)))"
        case .flags: "_\(tool.name)_flags"
        case .policies: "_\(tool.name)_policy"
        }
    }
}
