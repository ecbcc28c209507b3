internal import Documents
package import PolicyEngine

/// The conversation with a client of the Language Server Protocol (3.17), without its streams.
///
/// Messages come one after another. Checks of documents are done beside that: ``nextWork()`` gives one, and its outcome is taken
/// by ``accept(_:)-(EditorWork.Outcome)``.
package struct LanguageSession {
    enum State { case new, running, shutDown }

    private let toolVersion: String
    private(set) var state = State.new
    var encoding = PositionEncoding.utf16
    var workspace = Workspace()
    // By path.
    var documents: [String: OpenDocument] = [:]
    // The paths of documents whose text is checked no more since it changed, in the order of their changes.
    private var unchecked: [String] = []
    // By path of a document: what its latest check has found.
    private var outcomes: [String: LintWork.Outcome] = [:]
    // The paths of scenarios that are to be run, in the order in which the client asked.
    var unrun: [String] = []
    // By path: the result of the latest run, for the text that it had.
    private var runs: [String: ScenarioRunWork.Outcome] = [:]
    var counts: MatchCounts
    private var refreshesLenses = false
    private var lastID = 0
    // The files whose problems the client was given.
    private var published: Set<String> = []
    /// The status with which the process ends, once the client has said so.
    package private(set) var exitStatus: Int32?

    /// - Parameters:
    ///   - version: The version of the tool.
    ///   - captures: The captures that the settings name for the files of a folder.
    package init(version: String, captures: @escaping @Sendable (_ folder: String) -> [String] = { _ in [] }) {
        toolVersion = version
        counts = MatchCounts(settings: captures)
    }

    // MARK: Messages

    /// Takes a message.
    ///
    /// - Returns: The messages for the client.
    package mutating func accept(_ message: RPCMessage) -> [JSONValue] {
        switch message {
        case .request(let id, let method, let parameters):
            do throws(RPCFailure) {
                return [RPCReply.result(try answer(method, parameters), of: id)]
            } catch {
                return [RPCReply.failure(error, of: id)]
            }
        case .notification(let method, let parameters): return note(method, parameters)
        case .response: return []
        }
    }

    private mutating func answer(_ method: String, _ parameters: JSONContent) throws(RPCFailure) -> JSONValue {
        switch (state, method) {
        case (.new, "initialize"):
            state = .running
            return initialize(parameters)
        case (.new, _): throw RPCFailure(.notInitialized, "the first request is `initialize`")
        case (.shutDown, _): throw RPCFailure(.invalidRequest, "there is no request behind `shutdown`")
        case (.running, "shutdown"):
            state = .shutDown
            return .null
        case (.running, _): return try answer(method, on: parameters)
        }
    }

    private mutating func note(_ method: String, _ parameters: JSONContent) -> [JSONValue] {
        if method == "exit" { exitStatus = state == .shutDown ? 0 : 1 }
        guard state == .running else { return [] }
        switch method {
        case "textDocument/didOpen": open(parameters)
        case "textDocument/didChange": change(parameters)
        case "textDocument/didClose": return close(parameters)
        case "workspace/didChangeConfiguration":
            counts.configure(parameters["settings"]?["scenario"], folders: workspace.folders)
            return refresh()
        // Files that are not shown may have changed.
        case "textDocument/didSave": unchecked = documents.keys.sorted()
        case "workspace/didChangeWatchedFiles":
            unchecked = documents.keys.sorted()
            runs = [:]
        case "workspace/didChangeWorkspaceFolders":
            let event = parameters["event"]
            let removed = Self.folders(event?["removed"])
            workspace.folders.removeAll(where: removed.contains)
            workspace.folders += Self.folders(event?["added"])
            unchecked = documents.keys.sorted()
        default: break
        }
        return []
    }

    // MARK: Beginning

    private mutating func initialize(_ parameters: JSONContent) -> JSONValue {
        if case .array(let items)? = parameters["capabilities"]?["general"]?["positionEncodings"] {
            encoding = items.lazy.compactMap { $0.text.flatMap(PositionEncoding.init) }.first ?? .utf16
        }
        if case .boolean(true)? = parameters["capabilities"]?["workspace"]?["codeLens"]?["refreshSupport"] {
            refreshesLenses = true
        }
        workspace.folders = Self.folders(parameters["workspaceFolders"])
        if workspace.folders.isEmpty, let root = parameters["rootUri"]?.text {
            workspace.folders = [FileURI.path(of: root)]
        }
        counts.configure(parameters["initializationOptions"], folders: workspace.folders)
        return .ordered([
            ("capabilities", Self.capabilities(encoding)),
            ("serverInfo", .ordered([("name", .string("scenario")), ("version", .string(toolVersion))])),
        ])
    }

    private static func folders(_ content: JSONContent?) -> [String] {
        guard case .array(let items)? = content else { return [] }
        return items.compactMap { $0["uri"]?.text.map(FileURI.path) }
    }

    private static func capabilities(_ encoding: PositionEncoding) -> JSONValue {
        .ordered([
            ("positionEncoding", .string(encoding.rawValue)),
            (
                "textDocumentSync",
                .ordered([("openClose", .boolean(true)), ("change", .integer(2)), ("save", .boolean(true))])
            ),
            ("hoverProvider", .boolean(true)),
            (
                "completionProvider",
                .ordered([("triggerCharacters", .array([" ", ",", "+", ":", "-", "["].map { .string($0) }))])
            ),
            ("definitionProvider", .boolean(true)), ("referencesProvider", .boolean(true)),
            ("renameProvider", .ordered([("prepareProvider", .boolean(true))])),
            ("codeActionProvider", .ordered([("codeActionKinds", .array([.string("quickfix")]))])),
            ("codeLensProvider", .ordered([])),
            ("executeCommandProvider", .ordered([("commands", .array([.string(CodeLens.command)]))])),
            (
                "workspace",
                .ordered([
                    (
                        "workspaceFolders",
                        .ordered([("supported", .boolean(true)), ("changeNotifications", .boolean(true))])
                    )
                ])
            ),
        ])
    }

    // MARK: Documents

    private mutating func open(_ parameters: JSONContent) {
        let item = parameters["textDocument"]
        guard let uri = item?["uri"]?.text, let text = item?["text"]?.text else { return }
        let document = OpenDocument(uri: uri, version: item?["version"]?.integer ?? 0, text: text)
        documents[document.path] = document
        hasChanged(document.path)
    }

    private mutating func change(_ parameters: JSONContent) {
        guard let item = parameters["textDocument"], let path = item["uri"]?.text.map(FileURI.path),
            case .array(let changes)? = parameters["contentChanges"], documents[path] != nil
        else { return }
        let read = changes.compactMap { content -> OpenDocument.Change? in
            guard let text = content["text"]?.text else { return nil }
            guard let range = content["range"] else { return OpenDocument.Change(range: nil, text: text) }
            guard let start = TextPosition(range["start"]), let end = TextPosition(range["end"]) else { return nil }
            return OpenDocument.Change(range: (start, end), text: text)
        }
        documents[path]?.change(read, to: item["version"]?.integer ?? 0, encoding)
        hasChanged(path)
    }

    private mutating func close(_ parameters: JSONContent) -> [JSONValue] {
        guard let path = parameters["textDocument"]?["uri"]?.text.map(FileURI.path),
            documents.removeValue(forKey: path) != nil
        else { return [] }
        workspace.overlay[path] = nil
        workspace.opened = documents.keys.sorted()
        unchecked.removeAll { $0 == path }
        (outcomes[path], runs[path]) = (nil, nil)
        counts.forget(path)
        for other in documents.keys.sorted() where names(other, path) { mark(other) }
        return publish()
    }

    private mutating func hasChanged(_ path: String) {
        workspace.overlay[path] = documents[path]?.positions.bytes
        workspace.opened = documents.keys.sorted()
        mark(path)
        for other in documents.keys.sorted() where other != path && names(other, path) {
            mark(other)
            runs[other] = nil
        }
    }

    private mutating func mark(_ path: String) { if !unchecked.contains(path) { unchecked.append(path) } }

    private func names(_ document: String, _ path: String) -> Bool {
        let location = FileLocation(path).path
        return outcomes[document]?.named.contains { FileLocation($0).path == location } ?? false
    }

    // MARK: Checks

    /// The next work of a lane; `nil` if every document is checked, and no run or count was asked for.
    package mutating func nextWork(_ lane: WorkLane = .quick) -> EditorWork? {
        guard lane == .quick else { return counts.next().map { .count($0) } }
        if !unchecked.isEmpty { return documents[unchecked.removeFirst()].map { .check(work(on: $0)) } }
        guard !unrun.isEmpty, let document = documents[unrun.removeFirst()] else { return nil }
        return .run(
            ScenarioRunWork(
                path: document.path, version: document.version, positions: document.positions, workspace: workspace))
    }

    /// The result of the latest run of a document, if its text is still the same.
    func run(of path: String) -> ScenarioRunWork.Outcome? {
        runs[path].flatMap { $0.version == documents[path]?.version ? $0 : nil }
    }

    private func work(on document: OpenDocument) -> LintWork {
        LintWork(
            path: document.path, version: document.version, positions: document.positions, workspace: workspace,
            encoding: encoding)
    }

    /// Takes the outcome of work.
    ///
    /// - Returns: The messages for the client; none if the document has changed since.
    package mutating func accept(_ outcome: EditorWork.Outcome) -> [JSONValue] {
        switch outcome {
        case .checked(let outcome): return accept(outcome)
        case .ran(let outcome): runs[outcome.path] = outcome
        case .counted(let outcome): counts.note(outcome)
        }
        return refresh()
    }

    // Asks the client to ask for lenses again, if it understands that.
    private mutating func refresh() -> [JSONValue] {
        guard refreshesLenses else { return [] }
        lastID += 1
        return [RPCReply.request(.number(lastID), "workspace/codeLens/refresh")]
    }

    private mutating func accept(_ outcome: LintWork.Outcome) -> [JSONValue] {
        guard documents[outcome.path]?.version == outcome.version else { return [] }
        outcomes[outcome.path] = outcome
        return publish(for: outcome.path)
    }

    /// The problems of a document as it is now.
    func diagnostics(of path: String) -> [Diagnostic] {
        guard let document = documents[path] else { return [] }
        if let outcome = outcomes[path], outcome.version == document.version { return outcome.diagnostics }
        return work(on: document).run().diagnostics
    }

    // The problems of all files whose problems have changed: an open document has its own, a file that none shows those that
    // the documents found that name it.
    private mutating func publish(for changed: String? = nil) -> [JSONValue] {
        var problems: [String: JSONValue] = [:]
        for outcome in outcomes.values.sorted(by: { $0.path < $1.path }) {
            for (path, found) in outcome.problems where path == outcome.path || documents[path] == nil {
                problems[path] = problems[path] ?? found
            }
        }
        let files = changed.map { outcomes[$0].map { Array($0.problems.keys) } ?? [] } ?? []
        let gone = published.subtracting(problems.keys)
        published = Set(problems.keys)
        return (files + gone).sorted().compactMap { path in
            guard gone.contains(path) || problems[path] != nil, path == changed || documents[path] == nil else {
                return nil
            }
            var members: [(key: String, value: JSONValue)] = [
                ("uri", .string(documents[path]?.uri ?? FileURI.uri(of: path)))
            ]
            if let version = documents[path]?.version { members.append(("version", .integer(version))) }
            members.append(("diagnostics", problems[path] ?? .array([])))
            return RPCReply.notification("textDocument/publishDiagnostics", .ordered(members))
        }
    }
}

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
