/// Reads YAML into a tree with positions.
///
/// A plain subset is read: one document, keys that are text, no anchors, aliases or tags. Every value is text.
package enum YAMLParser {
    /// Reads the bytes of a file.
    ///
    /// - Parameters:
    ///   - bytes: The content, which should be UTF-8; a byte order mark in front is skipped.
    ///   - path: The path as it is shown to the user.
    ///   - isSecret: True if no line of it is ever shown.
    /// - Returns: The tree, and everything that is wrong; never traps.
    package static func parse(bytes: [UInt8], path: String, isSecret: Bool = false) -> ParsedDocument {
        guard bytes.count <= DocumentLimits.maximumBytes else { return tooLarge(bytes.count, path: path) }
        do throws(UTF8.ValidationError) {
            let text = try String(copying: UTF8Span(validating: bytes.span))
            return parse(SourceFile(path: path, text: text, isSecret: isSecret))
        } catch {
            return notUTF8(bytes, from: error.byteOffsets.lowerBound, path: path, isSecret: isSecret)
        }
    }

    /// Reads the bytes of a file that is meant to be something.
    ///
    /// - Parameter kind: The kind that it is meant to have; of a file of another kind, nothing is quoted.
    package static func parse(bytes: [UInt8], path: String, as kind: DocumentKind) -> ParsedDocument {
        guard let refusal = kind.refusal(of: bytes, path: path) else {
            // Nothing is quoted of what is too long to be read.
            let isSecret = bytes.count > DocumentLimits.maximumBytes || !kind.mayQuote(bytes)
            return parse(bytes: bytes, path: path, isSecret: isSecret)
        }
        return ParsedDocument(
            source: SourceFile(path: path, text: "", isSecret: true), root: nil, diagnostics: Diagnostics(refusal))
    }

    /// Reads a text.
    ///
    /// - Parameter source: The text and its name.
    /// - Returns: The tree, and everything that is wrong; never traps.
    package static func parse(_ source: SourceFile) -> ParsedDocument {
        let count = source.text.utf8.count
        guard count <= DocumentLimits.maximumBytes else { return tooLarge(count, path: source.path) }
        var builder = NodeBuilder(source: source)
        do throws(YAMLFailure) {
            var events = try YAMLEventStream(source.text)
            var isDone = false
            while !isDone { isDone = builder.accept(try events.next()) == .stop }
        } catch {
            builder.fail(with: error.diagnostic(in: source))
        }
        return builder.document
    }

    private static func tooLarge(_ count: Int, path: String) -> ParsedDocument {
        let message = "the file has \(count) bytes; at most \(DocumentLimits.maximumBytes) are read"
        let diagnostic = Diagnostic(file: path, message: message)
        return ParsedDocument(
            source: SourceFile(path: path, text: ""), root: nil, diagnostics: Diagnostics(diagnostic))
    }

    private static func notUTF8(
        _ bytes: [UInt8], from offset: Int, path: String, isSecret: Bool
    ) -> ParsedDocument {
        // Everything before the offset is valid, so that repairing the rest does not move it.
        let source = SourceFile(path: path, text: String(decoding: bytes, as: UTF8.self), isSecret: isSecret)
        let hasMark = bytes.starts(with: [0xEF, 0xBB, 0xBF])
        let diagnostic = Diagnostic(
            in: source, at: source.position(ofByte: hasMark ? offset - 3 : offset),
            message: "the file is not valid UTF-8", hint: "save the file as UTF-8")
        return ParsedDocument(source: source, root: nil, diagnostics: Diagnostics(diagnostic))
    }
}

/// The result of reading a document: its tree and its problems.
package struct ParsedDocument: Sendable {
    /// The file, for the excerpts of later diagnostics.
    package let source: SourceFile
    /// The outermost value; `nil` for an empty document, and for one that could not be read as a whole.
    package let root: Node?
    /// The problems; keys given twice are here while `root` is there.
    package let diagnostics: Diagnostics

    /// Makes a result.
    package init(source: SourceFile, root: Node?, diagnostics: Diagnostics) {
        self.source = source
        self.root = root
        self.diagnostics = diagnostics
    }
}
