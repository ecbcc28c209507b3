/// Turns the values of a document into types; a value that does not fit is noted, and the caller continues without it.
///
/// A function that reads a value takes it as `node`, and as `what` its name in messages, such as "a device" or "`devices`". It
/// returns `nil` after noting an error.
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
    package mutating func mapping(_ node: Node, _ what: String) -> DocumentMapping? {
        if let mapping = DocumentMapping(node, what) { return mapping }
        error("\(what) must be a mapping, not \(node.kindName)", at: node.position)
        return nil
    }

    /// Reads a list.
    package mutating func sequence(_ node: Node, _ what: String) -> [Node]? {
        if case .sequence(let nodes) = node.content { return nodes }
        var hint: String?
        if case .scalar(let text, let isPlain) = node.content, !text.isEmpty {
            hint =
                isPlain && Self.nulls.contains(text.lowercased())
                ? "\("[]".quoted) is an empty list; without the key nothing is said" : "write \("[\(text)]".quoted)"
        }
        error("\(what) must be a list, not \(node.kindName)", at: node.position, hint: hint)
        return nil
    }

    // The texts that YAML takes for nothing.
    private static let nulls = ["null", "~"]

    /// Reads a list of texts.
    ///
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

/// Quotes around a value change nothing: `'5'` is as good a number as `5`.
extension DocumentReader {
    /// Reads text that is not empty.
    package mutating func text(_ node: Node, _ what: String) -> String? {
        guard case .scalar(let text, _) = node.content else {
            error("\(what) must be text, not \(node.kindName)", at: node.position)
            return nil
        }
        guard text.isEmpty else { return text }
        error("\(what) must not be empty", at: node.position)
        return nil
    }

    /// Reads a whole number.
    ///
    /// - Parameter range: The numbers allowed.
    package mutating func integer(_ node: Node, _ what: String, in range: ClosedRange<Int>) -> Int? {
        guard let text = text(node, what) else { return nil }
        let digits = text.hasPrefix("-") ? text.utf8.dropFirst() : text.utf8[...]
        if digits.allSatisfy(Self.isDigit), let number = Int(text), range.contains(number) { return number }
        refuse(text, node, "\(what) must be \(Self.wording(of: range))")
        return nil
    }

    /// Reads `true` or `false`.
    package mutating func boolean(_ node: Node, _ what: String) -> Bool? {
        truth(node, what, yes: "true", no: "false")
    }

    /// Reads `on` or `off`.
    package mutating func onOff(_ node: Node, _ what: String) -> Bool? {
        truth(node, what, yes: "on", no: "off")
    }

    /// Reads a duration such as `1h30m`.
    ///
    /// - Returns: Seconds, 0 through `DocumentLimits.maximumDuration`; `nil` after noting an error.
    package mutating func duration(_ node: Node, _ what: String) -> Int? {
        guard let text = text(node, what) else { return nil }
        do throws(DurationError) {
            return try DurationText.parse(text)
        } catch {
            refuse(text, node, "\(what) must be a duration such as `1h30m`", hint: error.hint)
            return nil
        }
    }

    /// Reads one of some words.
    ///
    /// - Parameter words: The words allowed, in the order in which messages name them.
    package mutating func choice(_ node: Node, _ what: String, from words: [String]) -> String? {
        guard let text = text(node, what) else { return nil }
        if words.contains(text) { return text }
        let hint = isFull ? nil : Suggestion.hint(for: text, among: words)
        refuse(text, node, "\(what) must be \(Self.alternatives(words))", hint: hint)
        return nil
    }

    /// Reads one of the words of a type.
    package mutating func word<Word: RawRepresentable<String> & CaseIterable>(
        _ node: Node, _ what: String
    ) -> Word? {
        choice(node, what, from: Word.allCases.map(\.rawValue)).flatMap(Word.init)
    }

    private mutating func truth(_ node: Node, _ what: String, yes: String, no: String) -> Bool? {
        guard let text = text(node, what) else { return nil }
        if text == yes { return true }
        if text == no { return false }
        var hint: String?
        if ["true", "yes", "on"].contains(text.lowercased()) { hint = "write \(yes.quoted)" }
        if ["false", "no", "off"].contains(text.lowercased()) { hint = "write \(no.quoted)" }
        refuse(text, node, "\(what) must be \(yes.quoted) or \(no.quoted)", hint: hint)
        return nil
    }

    /// Notes an error of a text that is not what it must be.
    ///
    /// - Parameters:
    ///   - node: The node that holds it.
    ///   - message: The requirement, such as "`count` must be a whole number".
    ///   - hint: A hint that might help.
    package mutating func refuse(_ text: String, _ node: Node, _ message: String, hint: String? = nil) {
        error("\(message), not \(text.quoted)", at: node.position, hint: hint)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private static func wording(of range: ClosedRange<Int>) -> String {
        switch (range.lowerBound, range.upperBound) {
        case (.min, .max): "a whole number"
        case (.min, let most): "a whole number of at most \(most)"
        case (let least, .max): "a whole number of at least \(least)"
        case (let least, let most): "a whole number from \(least) to \(most)"
        }
    }

    private static func alternatives(_ words: [String]) -> String {
        guard words.count > 1, let last = words.last else { return words.first?.quoted ?? "left out" }
        return words.dropLast().map(\.quoted).joined(separator: ", ") + " or " + last.quoted
    }
}
