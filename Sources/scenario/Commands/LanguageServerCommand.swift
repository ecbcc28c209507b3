internal import CLibrary
internal import Editor

/// `scenario lsp`: what the files mean, for editors.
extension Command {
    static let lsp = Command(
        "lsp", "Serve an editor: problems while typing, meanings, completion, renaming and quick fixes.",
        discussion: """
            Speaks the Language Server Protocol (3.17) on standard input and output, and ends with the editor. The
            problems of accounts and scenarios are those of `lint`, also of text that is not saved. No file is
            written: what is to be changed is passed to the editor.
            """,
        examples: [
            "scenario lsp": "An editor starts this itself; the guide shows how it is set up."
        ],
        answer: answer)

    private static func answer(_ call: CommandCall) throws(CommandFailure) -> ExitStatus {
        // An editor that is gone is noticed where something is written to it.
        signal(SIGPIPE, SIG_IGN)
        let end = LanguageSession.serve(STDIN_FILENO, STDOUT_FILENO, version: ToolVersion.current) { folder in
            SettingsFile.captures(from: folder.hasSuffix("/") ? folder : folder + "/")
        }
        switch end {
        case .exit(0): return .success
        // The protocol wants 1 of a client that goes without a farewell.
        case .exit: return .expectationFailed
        case .gone: return .invalidInput
        case .failed(let reason):
            throw call.failure(reason)
        }
    }
}
