internal import CLibrary
internal import Documents
package import PolicyEngine

/// The file of an account's keys: beside the account, so that the account can be shown to everybody and the keys to nobody.
package enum KeyFile {
    /// Reads the keys of an account.
    ///
    /// A missing file is no error: a simulation needs no secrets, and missing keys follow from the account's name.
    ///
    /// - Parameters:
    ///   - path: The path in the account, seen from the account's folder.
    ///   - position: The position of the path in the account.
    ///   - account: Gets the keys.
    ///   - reader: The reader of the account; gets the problems of the key file, without its lines.
    static func load(
        _ path: String, at position: SourcePosition, into account: inout Account, _ reader: inout DocumentReader
    ) {
        let location = self.path(path, besides: reader.source.path)
        guard !FileLocation(location).isSame(as: FileLocation(reader.source.path)) else {
            reader.error("the key file is the account itself", at: position)
            return
        }
        guard reader.boundary.contains(location) else {
            return reader.error(reader.boundary.refusal(of: "key file \(location.quoted)"), at: position)
        }
        guard let bytes = bytes(of: location, at: position, &reader) else { return }
        let document = YAMLParser.parse(bytes: bytes, path: location, isSecret: true)
        var keys = DocumentReader(document)
        if let root = document.root { KeyFields.load(root, into: &account, &keys) }
        reader.diagnostics.merge(keys.diagnostics.quotingOnly(KeyFields.words, in: location))
    }

    // `nil` where there is no such file, and after noting an error.
    private static func bytes(
        of location: String, at position: SourcePosition, _ reader: inout DocumentReader
    ) -> [UInt8]? {
        guard let status = SystemCall.status(of: location) else { return nil }
        let name = "key file \(location.quoted)"
        guard status.isKind(S_IFREG) else {
            reader.error("\(name) is not a regular file", at: position)
            return nil
        }
        let read = reader.attempt(at: position, about: name) { () throws(FileFailure) in
            try TextFile.secretBytes(path: location)
        }
        guard let bytes = read else { return nil }
        let mode = status.st_mode & 0o7777
        if mode & 0o077 != 0 { reader.diagnostics.add(.readableByOthers(location, mode: mode)) }
        guard bytes.count <= TokenLimits.keyFileBytes else {
            let most = TokenLimits.keyFileBytes
            reader.error("\(name) has \(bytes.count) bytes; at most \(most) are read", at: position)
            return nil
        }
        return bytes
    }

    /// The text of a key file that says the keys of an account; keys that follow from the account's name are left out.
    package static func text(of account: Account) -> String {
        let head = [
            EditorSchema.keys.line, "# The keys of an account. Anyone who can read this file can make valid tokens.",
        ]
        return (head + KeyFields.all.lines(of: account)).map { $0 + "\n" }.joined()
    }

    /// Gives an account the keys that a text of ``text(of:)`` says, and no others.
    ///
    /// - Returns: True if the text was valid.
    package static func restore(_ text: String, into account: inout Account) -> Bool {
        (account.keys, account.responseCodeSecret) = (AccountKeys(), nil)
        let document = YAMLParser.parse(bytes: Array(text.utf8), path: "keys", isSecret: true)
        var reader = DocumentReader(document)
        if let root = document.root { KeyFields.load(root, into: &account, &reader) }
        return !reader.diagnostics.hasErrors
    }

    /// The bytes of a key file; `nil` where there is none, or none that can be read.
    static func bytes(at path: String) -> [UInt8]? { try? TextFile.secretBytes(path: path) }

    /// The name of the file that an account gets for its keys: its own with `.keys` at the end.
    ///
    /// - Returns: A name that no file has in the account's folder.
    static func newName(besides accountPath: String) -> String {
        let name = accountPath.split(separator: "/").last.map(String.init) ?? "account"
        let stem = [".yaml", ".yml"].first(where: name.hasSuffix).map { String(name.dropLast($0.count)) } ?? name
        var (candidate, number) = ("\(stem).keys", 2)
        while SystemCall.status(of: path(candidate, besides: accountPath)) != nil {
            candidate = "\(stem)-\(number).keys"
            number += 1
        }
        return candidate
    }

    /// A path seen from the folder of an account.
    package static func path(_ path: String, besides accountPath: String) -> String {
        if path.hasPrefix("/") { return path }
        // A pipe is in no folder, and neither is standard input.
        if FileLocation(accountPath).isOpenPipe { return path }
        return (accountPath.lastIndex(of: "/").map { String(accountPath[...$0]) } ?? "") + path
    }
}

extension Diagnostic {
    fileprivate static func readableByOthers(_ path: String, mode: mode_t) -> Diagnostic {
        Diagnostic(
            severity: .warning, file: path,
            message:
                "the keys can be read by others than their owner; the mode of the file is 0\(String(mode, radix: 8))",
            hint: "`chmod 600 \(path)`")
    }
}
