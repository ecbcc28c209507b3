internal import Accounts
internal import Analysis
internal import Documents
internal import PolicyEngine
internal import Scenarios

/// Another name for a filter or a group, wherever it is named.
struct Rename {
    let workspace: Workspace

    /// The kinds of names that can be changed. That of a flag comes from the service, that of a domain from the backend.
    static let kinds: Set<NameKind> = [.filter, .group]

    /// The edits that give a name another text.
    ///
    /// - Throws: ``RPCFailure`` if that would not mean the same, or would leave a file that cannot be read.
    func edits(renaming name: NameOccurrence, of file: AnalysedFile, to newName: String) throws(RPCFailure)
        -> [TextEdit]
    {
        guard Self.kinds.contains(name.kind) else {
            throw RPCFailure(.failed, "only filters and groups can be renamed here")
        }
        try check(newName, name.kind)
        var edits: [TextEdit] = []
        let files = try workspace.files(sharing: name, of: file)
        for file in files {
            guard !file.has(NameOccurrence(kind: name.kind, name: newName, range: nil, isDeclaration: false)) else {
                throw RPCFailure(.failed, "\(newName.quoted) is a name in \(file.path) already")
            }
            for token in file.tokens {
                for occurrence in file.names(in: token)
                where occurrence.kind == name.kind && occurrence.name == name.name {
                    guard let range = occurrence.range else { throw Self.unreachable(token, in: file) }
                    let bytes = file.positions.bytes(ofScalars: range)
                    let isWhole = range == token.range
                    // A name that needs quotes gets them where it is all that there is.
                    let text = isWhole ? ScalarText.write(newName, isInFlow: true) : newName
                    guard isWhole || ScalarText.write(newName, isInFlow: true) == newName else {
                        throw Self.unreachable(token, in: file)
                    }
                    edits.append(TextEdit(path: file.path, range: bytes, text: text))
                }
            }
        }
        try verify(edits, files)
        return edits
    }

    private static func unreachable(_ token: TextToken, in file: AnalysedFile) -> RPCFailure {
        let line = file.positions.line(ofByte: file.positions.byte(ofScalar: token.range.lowerBound)) + 1
        return RPCFailure(
            .failed, "\(file.path):\(line): the name is written in a form in which it cannot be changed here")
    }

    private func check(_ name: String, _ kind: NameKind) throws(RPCFailure) {
        if kind == .filter, !Filter.isName(name) {
            throw RPCFailure(.failed, FilterError.invalidName(name).description)
        }
        if kind == .group, name.isEmpty || name == "all" || name.unicodeScalars.contains(where: { $0.value < 0x20 }) {
            throw RPCFailure(.failed, "\(name.quoted) cannot be the name of a group")
        }
    }

    // No file may have other problems than before: a name that was overlooked would be one.
    private func verify(_ edits: [TextEdit], _ files: [AnalysedFile]) throws(RPCFailure) {
        var overlay = workspace.overlay
        for file in files { overlay[file.path] = edits.applied(to: file.positions.bytes, of: file.path) }
        for file in files {
            let (before, after) = (problems(of: file, workspace.overlay), problems(of: file, overlay))
            guard before.count == after.count, !(after.hasErrors && !before.hasErrors) else {
                let first =
                    after.messages.first { !before.messages.contains($0) } ?? "the file would mean something else"
                throw RPCFailure(.failed, "\(file.path): not renamed: \(first)")
            }
        }
    }

    private struct Problems {
        let messages: [String]
        let hasErrors: Bool

        var count: Int { messages.count }
    }

    private func problems(of file: AnalysedFile, _ overlay: FileOverlay) -> Problems {
        var linter = Linter(within: workspace.boundary, over: overlay)
        linter.add(file.path)
        let diagnostics = linter.finish().diagnostics
        return Problems(messages: diagnostics.all.map(\.message), hasErrors: diagnostics.hasErrors)
    }
}
