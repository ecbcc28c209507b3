internal import Documents
internal import PolicyEngine

/// The counts of the accounts that a client shows, and those that are still to be made.
struct MatchCounts: Sendable {
    // The captures that the settings name for the files of a folder.
    private let settings: @Sendable (_ folder: String) -> [String]
    // The captures that the client names; `nil` leaves them to the settings.
    private var ofClient: [String]?
    private var waiting: [MatchCountWork] = []
    private var running: MatchCountWork?
    // By path of the account.
    private var outcomes: [String: MatchCountWork.Outcome] = [:]

    init(settings: @escaping @Sendable (_ folder: String) -> [String]) { self.settings = settings }

    /// Takes the settings of a client: `captures`, paths from its first folder, or `null` for none.
    mutating func configure(_ content: JSONContent?, folders: [String]) {
        guard case .array(let items)? = content?["captures"] else {
            if content != nil { ofClient = nil }
            return
        }
        ofClient = items.compactMap(\.text).map { path in
            path.hasPrefix("/") ? path : FileLocation.join(folders.first ?? ".", path)
        }
    }

    /// The count for the text that an account has; where there is none, it is made beside the conversation.
    mutating func outcome(for file: AnalysedFile, in workspace: Workspace) -> MatchCountWork.Outcome? {
        let captures = ofClient ?? settings(FileLocation.folder(of: file.path))
        guard let work = MatchCountWork(file, in: workspace, captures: captures) else { return nil }
        if let outcome = outcomes[file.path], outcome.question == work.question { return outcome }
        waiting.removeAll { $0.path == file.path }
        if running?.path != file.path || running?.question != work.question { waiting.append(work) }
        return nil
    }

    /// The next count that is to be made.
    mutating func next() -> MatchCountWork? {
        guard !waiting.isEmpty else { return nil }
        running = waiting.removeFirst()
        return running
    }

    /// Takes a count that was made.
    mutating func note(_ outcome: MatchCountWork.Outcome) {
        running = nil
        outcomes[outcome.path] = outcome
    }

    /// Forgets an account that the client shows no more.
    mutating func forget(_ path: String) {
        waiting.removeAll { $0.path == path }
        outcomes[path] = nil
    }
}
