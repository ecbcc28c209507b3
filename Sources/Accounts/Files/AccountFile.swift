package import Documents
package import PolicyEngine

/// An account with the file that says it.
package struct AccountFile: Sendable {
    /// The path as the user gave it.
    package let path: String
    /// The account that the file says.
    package let account: Account
    private let bytes: [UInt8]
    // The bytes of the key file, taken before it was read; `nil` if there was none.
    private let keyBytes: [UInt8]?
    private let document: ParsedDocument
    private let hasMark: Bool

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// Reads an account file.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - diagnostics: Gets the problems of the file, its absence too.
    /// - Returns: `nil` after noting an error.
    package init?(path: String, diagnostics: inout Diagnostics) {
        let keyBytes = NamedFiles.ofAccount(at: path).first.flatMap(KeyFile.bytes)
        let bytes = diagnostics.attempt(in: path) { () throws(FileFailure) in try TextFile.bytes(path: path) }
        guard let bytes else { return nil }
        self.init(bytes: bytes, keyBytes: keyBytes, path: path, diagnostics: &diagnostics)
    }

    /// Reads the bytes of an account file.
    package init?(bytes: [UInt8], keyBytes: [UInt8]? = nil, path: String, diagnostics: inout Diagnostics) {
        document = YAMLParser.parse(bytes: bytes, path: path, as: .account)
        hasMark = bytes.starts(with: Self.byteOrderMark)
        guard let account = AccountLoader.load(document, diagnostics: &diagnostics) else { return nil }
        self.path = path
        self.account = account
        self.bytes = bytes
        self.keyBytes = keyBytes
    }

    /// The bytes of a file that says another account, and the rest as this one does.
    ///
    /// - Parameter changed: The account; it differs from this one by what management commands change.
    /// - Returns: `nil` where nothing has to be changed.
    /// - Throws: ``EditFailure``. The returned bytes were read again and say just that account.
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

    /// Makes the file say another account, and the key file its keys: both or neither, and only where neither has changed
    /// since they were read.
    ///
    /// - Parameters:
    ///   - changed: The account; it differs from this one by what management commands change.
    ///   - lock: The lock under which both files are.
    /// - Returns: True if a file was changed.
    package func change(to changed: Account, lock: borrowing AccountLock) throws(OutputFile.Failure) -> Bool {
        var account = changed
        let hasNewKeys = !account.hasKeys(of: self.account)
        if hasNewKeys, account.keyFile == nil { account.keyFile = KeyFile.newName(besides: path) }
        let content: [UInt8]?
        do throws(EditFailure) {
            content = try bytes(saying: account)
        } catch {
            throw OutputFile.Failure(path: path, description: error.description)
        }
        guard hasNewKeys || content != nil else { return false }
        // The account comes last: one that names keys which are not there would be one without secrets.
        var files = [OutputFile.Change(path: path, expected: bytes, content: content)]
        if let name = account.keyFile {
            let keys = hasNewKeys ? Array(KeyFile.text(of: account).utf8) : nil
            let path = KeyFile.path(name, besides: path)
            files.insert(.init(path: path, expected: keyBytes, content: keys, isSecret: true), at: 0)
        }
        try OutputFile.replace(files, lock: lock.folders)
        return true
    }
}

/// The right to change an account file and its key file, which one command at a time has.
package struct AccountLock: ~Copyable {
    fileprivate let folders: FolderLock

    /// Waits for the right.
    ///
    /// - Parameter path: The account file.
    package init(path: String) throws(FileFailure) {
        while true {
            let files = [path] + NamedFiles.ofAccount(at: path)
            let folders = try FolderLock(ofFoldersOf: files)
            // Another command may have named another key file until then.
            guard files == [path] + NamedFiles.ofAccount(at: path) else { continue }
            self.folders = folders
            return
        }
    }
}

/// The files that scenarios and accounts name, found without loading them: none of them may be written over.
package enum NamedFiles {
    /// The key file of an account.
    package static func ofAccount(at path: String) -> [String] {
        guard let root = root(of: path) else { return [] }
        return keyFile(of: root, besides: path)
    }

    /// The accounts of a scenario that are files of their own, and the key files of all.
    package static func ofScenario(at path: String) -> [String] {
        guard let root = root(of: path) else { return [] }
        var accounts = [root["account"]].compactMap(\.self)
        if case .mapping(let entries)? = root["accounts"]?.content { accounts += entries.map(\.value) }
        return accounts.flatMap { account -> [String] in
            guard let name = account.text else { return keyFile(of: account, besides: path) }
            let file = KeyFile.path(name, besides: path)
            return [file] + ofAccount(at: file)
        }
    }

    private static func root(of path: String) -> Node? {
        guard let bytes = try? TextFile.bytes(path: path) else { return nil }
        return YAMLParser.parse(bytes: bytes, path: path, isSecret: true).root
    }

    private static func keyFile(of account: Node, besides path: String) -> [String] {
        (account["keys"]?.text).map { [KeyFile.path($0, besides: path)] } ?? []
    }
}
