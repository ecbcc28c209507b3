/// A shell that completes command lines by asking the tool.
enum Shell: String, CaseIterable {
    case bash, zsh, fish

    /// The completions of a tool, for the shell to read: a function that calls the tool's hidden command.
    func completions(of tool: ToolDefinition) -> String {
        "\(head)# \(rawValue) completions of scenario, as `scenario completion \(rawValue)` writes them.\n\n\(function)"
            .replacing("scenario", with: tool.name)
    }

    /// The words behind the tool's name, as its commands take them.
    func words(_ typed: [String]) -> [String] {
        self == .bash ? Self.joined(typed) : typed
    }

    /// Completions in lines for the function: the kind, then the words.
    func lines(of completion: ShellCompletion, for word: String) -> String {
        let offers = completion.offers.compactMap { offer -> String? in
            switch self {
            case .bash: offer.word.hasPrefix(word) ? String(offer.word.dropFirst(Self.head(of: word).count)) : nil
            case .zsh: "\(offer.word.escapingColons):\(offer.summary.escapingColons)"
            case .fish: "\(offer.word)\t\(offer.summary)"
            }
        }
        return ([completion.kind.rawValue] + offers).map { $0 + "\n" }.joined()
    }

    // The first line of a file that zsh finds by itself.
    private var head: String { self == .zsh ? "#compdef scenario\n" : "" }

    private var function: String {
        switch self {
        case .bash: Self.bashFunction
        case .zsh: Self.zshFunction
        case .fish: Self.fishFunction
        }
    }

    private static let bashFunction = #"""
        _scenario() {
            local kind
            { read -r kind; mapfile -t COMPREPLY; } < <(
                scenario complete --shell bash -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
            case $kind in
                files) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "${COMP_WORDS[COMP_CWORD]#=}") ;;
                open) compopt -o nospace ;;
            esac
        }
        complete -F _scenario scenario

        """#

    private static let zshFunction = #"""
        _scenario() {
            local -a offers
            offers=("${(@f)$(scenario complete --shell zsh -- "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)}")
            local kind=$offers[1]
            shift offers
            case $kind in
                files) compset -P '--*='; _files ;;
                open) _describe scenario offers -S '' ;;
                words) _describe scenario offers ;;
            esac
        }
        if [[ $funcstack[1] == _scenario ]]; then _scenario "$@"; else compdef _scenario scenario; fi

        """#

    private static let fishFunction = #"""
        function __scenario_complete
            set --local words (commandline --tokenize --cut-at-cursor --current-process)
            set --local word (commandline --current-token --cut-at-cursor)
            set --local offers (scenario complete --shell fish -- $words[2..] $word 2>/dev/null)
            if test "$offers[1]" = files
                set --local head (string match --regex -- '^--[^=]*=' $word; or echo '')
                string join \n -- $head(__fish_complete_path (string replace -- "$head" '' $word))
            else
                string join \n -- $offers[2..]
            end
        end
        complete --command scenario --no-files --arguments '(__scenario_complete)'

        """#

    // bash takes the `=` of `--name=value` for a word of its own.
    private static func joined(_ typed: [String]) -> [String] {
        var words: [String] = []
        var isOpen = false
        for word in typed {
            let isJoint = word == "=" && words.last?.hasPrefix("--") == true
            if isJoint || isOpen { words[words.count - 1] += word } else { words.append(word) }
            isOpen = isJoint
        }
        return words
    }

    // The part of `--name=value` that bash does not complete.
    private static func head(of word: String) -> Substring {
        guard word.hasPrefix("--"), let equals = word.firstIndex(of: "=") else { return "" }
        return word[...equals]
    }
}

extension String {
    // To zsh a colon ends the word and begins the sentence about it.
    fileprivate var escapingColons: String { replacing(":", with: "\\:") }
}
