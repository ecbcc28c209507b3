internal import Accounts
internal import Documents
internal import PolicyEngine

extension LanguageSession {
    /// The answer to a request about a document.
    mutating func answer(_ method: String, on parameters: JSONContent) throws(RPCFailure) -> JSONValue {
        switch method {
        case "textDocument/hover": try hover(parameters)
        case "textDocument/completion": try completion(parameters)
        case "textDocument/definition": try definition(parameters)
        case "textDocument/references": try references(parameters)
        case "textDocument/prepareRename": try prepareRename(parameters)
        case "textDocument/rename": try rename(parameters)
        case "textDocument/codeAction": try codeActions(parameters)
        case "textDocument/codeLens": try codeLenses(parameters)
        case "workspace/executeCommand": try execute(parameters)
        default: throw RPCFailure(.methodNotFound, "there is no method \(method.quoted)")
        }
    }

    // The document of a request.
    private mutating func file(_ parameters: JSONContent) throws(RPCFailure) -> AnalysedFile {
        guard let path = parameters["textDocument"]?["uri"]?.text.map(FileURI.path),
            let file = documents[path]?.file()
        else { throw RPCFailure(.invalidParameters, "the document is not open") }
        return file
    }

    // The document of a request, and the byte that it is about.
    private mutating func place(_ parameters: JSONContent) throws(RPCFailure) -> (file: AnalysedFile, byte: Int) {
        let file = try file(parameters)
        guard let position = TextPosition(parameters["position"]) else {
            throw RPCFailure(.invalidParameters, "a position has a line and a character from 0")
        }
        return (file, file.positions.byte(at: position, encoding))
    }

    private func json(_ scalars: Range<Int>, of file: AnalysedFile) -> JSONValue {
        file.positions.json(file.positions.bytes(ofScalars: scalars), encoding)
    }

    private func uri(of path: String) -> JSONValue { .string(documents[path]?.uri ?? FileURI.uri(of: path)) }

    private func location(_ range: Range<Int>, of file: AnalysedFile) -> JSONValue {
        .ordered([("uri", uri(of: file.path)), ("range", json(range, of: file))])
    }

    // MARK: Words

    private mutating func hover(_ parameters: JSONContent) throws(RPCFailure) -> JSONValue {
        let (file, byte) = try place(parameters)
        var hover = Hover(file: file, workspace: workspace)
        hover.matches = counts.outcome(for: file, in: workspace)
        guard let words = hover.words(at: file.positions.scalar(ofByte: byte)) else { return .null }
        return .ordered([
            ("contents", .ordered([("kind", .string("markdown")), ("value", .string(words.text))])),
            ("range", json(words.range, of: file)),
        ])
    }

    private mutating func completion(_ parameters: JSONContent) throws(RPCFailure) -> JSONValue {
        let (file, byte) = try place(parameters)
        guard let completion = Completion(file, byte: byte, in: workspace) else { return .array([]) }
        let (offers, typed) = completion.result
        let line = file.positions.line(file.positions.line(ofByte: byte))
        let start = max(line.lowerBound, byte - typed.utf8.count)
        let hasColon = file.positions.bytes[byte..<max(byte, line.upperBound)].first == UInt8(ascii: ":")
        let range = file.positions.json(start..<max(start, byte), encoding)
        return .array(
            offers.map { offer in
                let isKey = offer.text.hasSuffix(": ") && hasColon
                let text = isKey ? String(offer.text.dropLast(2)) : offer.text
                return .ordered([
                    ("label", .string(offer.label)), ("kind", .integer(offer.kind.rawValue)),
                    ("detail", .string(offer.detail)),
                    ("textEdit", .ordered([("range", range), ("newText", .string(text))])),
                ])
            })
    }

    // MARK: Names

    private mutating func name(_ parameters: JSONContent) throws(RPCFailure) -> (NameOccurrence, AnalysedFile)? {
        let (file, byte) = try place(parameters)
        return file.name(at: file.positions.scalar(ofByte: byte)).map { ($0, file) }
    }

    private mutating func definition(_ parameters: JSONContent) throws(RPCFailure) -> JSONValue {
        guard let (name, file) = try name(parameters) else { return .null }
        if name.kind == .accountFile {
            let location = file.location(of: name.name)
            guard let account = workspace.accountFiles(of: file).first(where: { $0.path == location }) else {
                return .null
            }
            return self.location(0..<0, of: account)
        }
        let files = try workspace.files(sharing: name, of: file, declaring: true)
        return .array(
            occurrences(of: name, in: files).filter(\.1.isDeclaration).compactMap { file, name in
                name.range.map { location($0, of: file) }
            })
    }

    private mutating func references(_ parameters: JSONContent) throws(RPCFailure) -> JSONValue {
        guard let (name, file) = try name(parameters) else { return .array([]) }
        var includesDeclaration = true
        if case .boolean(false)? = parameters["context"]?["includeDeclaration"] { includesDeclaration = false }
        let found = occurrences(of: name, in: try workspace.files(sharing: name, of: file))
        return .array(
            found.filter { includesDeclaration || !$0.1.isDeclaration }.compactMap { file, name in
                name.range.map { location($0, of: file) }
            })
    }

    private func occurrences(
        of name: NameOccurrence, in files: [AnalysedFile]
    ) -> [(AnalysedFile, NameOccurrence)] {
        files.flatMap { file in
            file.names.filter { $0.kind == name.kind && $0.name == name.name }.map { (file, $0) }
        }
    }

    private mutating func prepareRename(_ parameters: JSONContent) throws(RPCFailure) -> JSONValue {
        guard let (name, file) = try name(parameters), Rename.kinds.contains(name.kind), let range = name.range else {
            return .null
        }
        return .ordered([("range", json(range, of: file)), ("placeholder", .string(name.name))])
    }

    private mutating func rename(_ parameters: JSONContent) throws(RPCFailure) -> JSONValue {
        guard let text = parameters["newName"]?.text else {
            throw RPCFailure(.invalidParameters, "`newName` is missing")
        }
        guard let (name, file) = try name(parameters) else { throw RPCFailure(.failed, "there is no name here") }
        if name.name == text { return .ordered([("changes", .ordered([]))]) }
        return workspaceEdit(try Rename(workspace: workspace).edits(renaming: name, of: file, to: text))
    }

    private func workspaceEdit(_ edits: [TextEdit]) -> JSONValue {
        let paths = edits.map(\.path).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
        return .ordered([
            (
                "changes",
                .ordered(
                    paths.compactMap { path in
                        let bytes = documents[path]?.positions.bytes ?? (try? workspace.overlay.bytes(path: path))
                        guard let positions = bytes.map(TextPositions.init) else { return nil }
                        let values = edits.filter { $0.path == path }.map { edit in
                            JSONValue.ordered([
                                ("range", positions.json(edit.range, encoding)), ("newText", .string(edit.text)),
                            ])
                        }
                        return (documents[path]?.uri ?? FileURI.uri(of: path), .array(values))
                    })
            )
        ])
    }

    // MARK: Actions

    private mutating func codeActions(_ parameters: JSONContent) throws(RPCFailure) -> JSONValue {
        let file = try file(parameters)
        guard let start = TextPosition(parameters["range"]?["start"]),
            let end = TextPosition(parameters["range"]?["end"])
        else { throw RPCFailure(.invalidParameters, "a range has a start and an end") }
        let (lower, upper) = (file.positions.byte(at: start, encoding), file.positions.byte(at: end, encoding))
        let writer = ProblemWriter(file, encoding)
        let diagnostics = diagnostics(of: file.path).filter { diagnostic in
            let range = writer.range(of: diagnostic)
            return range.lowerBound <= max(lower, upper) && lower <= range.upperBound
        }
        let fixes = diagnostics.flatMap { QuickFix.fixes(for: $0, in: file) }.map { fix in
            JSONValue.ordered([
                ("title", .string(fix.title)), ("kind", .string("quickfix")),
                ("diagnostics", .array([writer.value(of: fix.diagnostic)])), ("edit", workspaceEdit([fix.edit])),
            ])
        }
        return .array(fixes + [update(of: file)].compactMap(\.self))
    }

    // Rewrites what failed in the latest run.
    private func update(of file: AnalysedFile) -> JSONValue? {
        guard let outcome = run(of: file.path), let updated = outcome.updated,
            let edit = TextEdit(from: file.positions.bytes, to: updated, of: file.path)
        else { return nil }
        let title = "Update \(outcome.rewritten.counting("expectation")) with the actual results"
        return .ordered([
            ("title", .string(title)), ("kind", .string("quickfix")), ("edit", workspaceEdit([edit])),
        ])
    }

    // MARK: Runs

    private mutating func codeLenses(_ parameters: JSONContent) throws(RPCFailure) -> JSONValue {
        let file = try file(parameters)
        let matches = counts.outcome(for: file, in: workspace)
        let lenses = CodeLens.ofRun(file, run(of: file.path)) + (matches.map { CodeLens.ofMatches(file, $0) } ?? [])
        return .array(
            lenses.map { lens in
                .ordered([
                    ("range", json(lens.range, of: file)),
                    (
                        "command",
                        .ordered([
                            ("title", .string(lens.title)), ("command", .string(lens.command)),
                            ("arguments", .array([uri(of: file.path)])),
                        ])
                    ),
                ])
            })
    }

    private mutating func execute(_ parameters: JSONContent) throws(RPCFailure) -> JSONValue {
        guard parameters["command"]?.text == CodeLens.command, case .array(let arguments)? = parameters["arguments"],
            let path = arguments.first?.text.map(FileURI.path), documents[path] != nil
        else { throw RPCFailure(.invalidParameters, "the command is \(CodeLens.command.quoted) of an open document") }
        if !unrun.contains(path) { unrun.append(path) }
        return .null
    }
}
