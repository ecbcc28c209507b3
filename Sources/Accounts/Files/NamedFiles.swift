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
        let accounts = values(root, "account") + values(root, "accounts").flatMap(members)
        return accounts.flatMap { account -> [String] in
            guard case .scalar(let name, _) = account.content else { return keyFile(of: account, besides: path) }
            let file = KeyFile.path(name, besides: path)
            return [file] + ofAccount(at: file)
        }
    }

    private static func root(of path: String) -> Node? {
        guard let bytes = try? TextFile.bytes(path: path) else { return nil }
        return YAMLParser.parse(bytes: bytes, path: path, isSecret: true).root
    }

    private static func keyFile(of account: Node, besides path: String) -> [String] {
        values(account, "keys").compactMap { node in
            guard case .scalar(let name, _) = node.content else { return nil }
            return KeyFile.path(name, besides: path)
        }
    }

    private static func values(_ node: Node, _ key: String) -> [Node] {
        guard case .mapping(let entries) = node.content else { return [] }
        return entries.filter { $0.key == key }.map(\.value)
    }

    private static func members(_ node: Node) -> [Node] {
        guard case .mapping(let entries) = node.content else { return [] }
        return entries.map(\.value)
    }
}
