/// Texts that take the place of files, such as those that an editor shows and has not saved yet.
package struct FileOverlay: Sendable {
    // By location, so that each path to a file finds its text.
    private var texts: [String: [UInt8]] = [:]

    /// An overlay that holds no texts: every file is read as it is.
    package init() {}

    /// The text in place of a file; `nil` where the file itself is read.
    package subscript(path: String) -> [UInt8]? {
        get { texts.isEmpty ? nil : texts[FileLocation(path).path] }
        set { texts[FileLocation(path).path] = newValue }
    }

    /// The text in place of a file, or else the bytes of the file.
    package func bytes(path: String) throws(FileFailure) -> [UInt8] {
        if let text = self[path] { return text }
        return try TextFile.bytes(path: path)
    }

    /// Parses the text in place of a YAML file, or else the file.
    ///
    /// - Parameter kind: The kind that it is meant to have; of a file of another kind, nothing is quoted.
    /// - Throws: ``FileFailure`` if it cannot be read; problems inside it are in the result.
    package func parse(path: String, as kind: DocumentKind) throws(FileFailure) -> ParsedDocument {
        YAMLParser.parse(bytes: try bytes(path: path), path: path, as: kind)
    }
}
