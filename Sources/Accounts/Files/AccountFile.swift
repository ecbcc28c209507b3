package import Documents
package import PolicyEngine

/// An account with the file that says it.
package struct AccountFile: Sendable {
    /// The path as the user gave it.
    package let path: String
    /// The account that the file says.
    package let account: Account
    private let document: ParsedDocument
    private let hasMark: Bool

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// Reads an account file.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - diagnostics: Gets what is wrong with it, the file's absence too.
    /// - Returns: `nil` after noting an error.
    package init?(path: String, diagnostics: inout Diagnostics) {
        let bytes = diagnostics.attempt(in: path) { () throws(FileFailure) in try TextFile.bytes(path: path) }
        guard let bytes else { return nil }
        self.init(bytes: bytes, path: path, diagnostics: &diagnostics)
    }

    /// Reads the bytes of an account file.
    init?(bytes: [UInt8], path: String, diagnostics: inout Diagnostics) {
        document = YAMLParser.parse(bytes: bytes, path: path)
        hasMark = bytes.starts(with: Self.byteOrderMark)
        guard let account = AccountLoader.load(document, diagnostics: &diagnostics) else { return nil }
        self.path = path
        self.account = account
    }

    /// The bytes of a file that says another account, and the rest as this one does.
    ///
    /// - Parameter changed: The account; it differs from this one by what management commands change.
    /// - Returns: `nil` where nothing has to be changed.
    /// - Throws: ``EditFailure``. What is returned was read again and says just that account.
    /// - Complexity: O(changes × length of the file).
    package func bytes(saying changed: Account) throws(EditFailure) -> [UInt8]? {
        guard let root = document.root else { throw .missing }
        let text = try AccountWriter.text(document.source.text, root: root, from: account, to: changed)
        var diagnostics = Diagnostics()
        let written = YAMLParser.parse(SourceFile(path: path, text: text))
        guard let read = AccountLoader.load(written, diagnostics: &diagnostics) else { throw .unreadable }
        guard read.withoutKeys == changed.withoutPast.withoutKeys else { throw .different }
        let bytes = Array(text.utf8)
        guard !bytes.elementsEqual(document.source.text.utf8) else { return nil }
        return (hasMark ? Self.byteOrderMark : []) + bytes
    }

    /// Replaces the file by bytes, as a whole or not at all.
    ///
    /// - Throws: ``FileFailure``; the file is then what it was.
    package func replace(with bytes: [UInt8]) throws(FileFailure) {
        try OutputFile.write(bytes, to: path)
    }
}
