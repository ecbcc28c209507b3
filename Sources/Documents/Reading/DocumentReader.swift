/// Turns the values of a document into types; a value that does not fit is noted, and the caller continues without it.
package struct DocumentReader: Sendable {
    /// The document.
    package let source: SourceFile
    /// The problems found so far.
    package var diagnostics: Diagnostics
    /// The files that the document may name.
    package var boundary = FileBoundary.anywhere
    /// The texts that take the place of files that it names.
    package var overlay = FileOverlay()

    /// Starts to read a document.
    ///
    /// - Parameters:
    ///   - source: The document, for the excerpts of diagnostics.
    ///   - diagnostics: The problems that are known already.
    package init(source: SourceFile, diagnostics: Diagnostics = Diagnostics()) {
        self.source = source
        self.diagnostics = diagnostics
    }

    /// Starts to read a document that was parsed.
    package init(_ document: ParsedDocument) {
        self.init(source: document.source, diagnostics: document.diagnostics)
    }

    /// True if no further error in this document would be kept, so that looking for a hint is wasted.
    package var isFull: Bool { !diagnostics.hasRoom(for: .error, in: source.path) }

    /// The problems found so far, for others to see: of a document with secrets nothing is quoted.
    package var shownDiagnostics: Diagnostics {
        source.isSecret ? diagnostics.quotingOnly([], in: source.path) : diagnostics
    }

    /// Notes an error.
    ///
    /// - Parameters:
    ///   - message: The problem: lower case, no final period, the user's words in backticks.
    ///   - position: The character that is wrong.
    ///   - hint: A hint that might help.
    package mutating func error(_ message: String, at position: SourcePosition, hint: String? = nil) {
        note(.error, message, at: position, hint: hint)
    }

    /// Notes a warning.
    ///
    /// - Parameters:
    ///   - message: The probable mistake.
    ///   - position: The character it is about.
    ///   - hint: A hint that might help.
    package mutating func warning(_ message: String, at position: SourcePosition, hint: String? = nil) {
        note(.warning, message, at: position, hint: hint)
    }

    private mutating func note(
        _ severity: Diagnostic.Severity, _ message: String, at position: SourcePosition, hint: String?
    ) {
        // Finding the source line costs time, so that it is not done for a problem that will not be kept.
        guard diagnostics.hasRoom(for: severity, in: source.path) else {
            diagnostics.omit(severity, in: source.path)
            return
        }
        diagnostics.add(Diagnostic(severity: severity, in: source, at: position, message: message, hint: hint))
    }

    /// Reads a mapping.
    ///
    /// - Parameters:
    ///   - node: The value.
    ///   - what: The name of the value in messages, such as "a device" or "`devices`".
    /// - Returns: `nil` after noting an error when it is something else.
    package mutating func mapping(_ node: Node, _ what: String) -> DocumentMapping? {
        if let mapping = DocumentMapping(node, what) { return mapping }
        error("\(what) must be a mapping, not \(node.kindName)", at: node.position)
        return nil
    }

    /// Reads a list.
    ///
    /// - Parameters:
    ///   - node: The value.
    ///   - what: The name of the value in messages.
    /// - Returns: `nil` after noting an error when it is something else.
    package mutating func sequence(_ node: Node, _ what: String) -> [Node]? {
        if case .sequence(let nodes) = node.content { return nodes }
        var hint: String?
        if case .scalar(let text, _) = node.content, !text.isEmpty { hint = "write \("[\(text)]".quoted)" }
        error("\(what) must be a list, not \(node.kindName)", at: node.position, hint: hint)
        return nil
    }

    /// Reads a list of texts.
    ///
    /// - Parameters:
    ///   - node: The value.
    ///   - what: The name of the value in messages.
    /// - Returns: `nil` after noting an error for everything that is not text; repeated texts are given as they are.
    package mutating func texts(_ node: Node, _ what: String) -> [(text: String, position: SourcePosition)]? {
        guard let nodes = sequence(node, what) else { return nil }
        var result: [(text: String, position: SourcePosition)] = []
        for entry in nodes {
            guard let text = text(entry, "an entry of \(what)") else { continue }
            result.append((text, entry.position))
        }
        return result.count == nodes.count ? result : nil
    }
}
