internal import Documents

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
