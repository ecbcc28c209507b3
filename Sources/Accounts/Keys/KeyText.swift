internal import Documents
internal import PolicyEngine

/// The text of a key file.
enum KeyText {
    /// The text of an account's key file; keys that follow from the account's name are left out.
    static func text(of account: Account) -> String {
        let lines = KeyFileKey.allCases.flatMap { Self.lines(for: $0, of: account) }
        let head = [
            EditorSchema.keys.line, "# The keys of an account. Whoever can read this file can make valid tokens.",
        ]
        return (head + lines).map { $0 + "\n" }.joined()
    }

    private static func lines(for key: KeyFileKey, of account: Account) -> [String] {
        let keys = account.keys
        switch key {
        case .accountSecret: return line(key, keys.accountSecret.map { Base64.text(of: $0.bytes) })
        case .encryptionSecret: return line(key, keys.encryptionSecret.map { Base64.text(of: $0.bytes) })
        case .responseCodeSecret: return line(key, account.responseCodeSecret.map { Base64.text(of: $0) })
        case .messageSigningKey:
            return line(key, keys.messageSigningKey.map { String(decoding: $0.secret.bytes, as: UTF8.self) })
        case .apiKey: return line(key, keys.apiKey?.text)
        case .keyID: return line(key, keys.keyID)
        case .nextKey: return keys.keySet.nextNumber > 1 ? line(key, "\(keys.keySet.nextNumber)") : []
        case .keySet:
            guard keys.keySet.isListed else { return [] }
            let name = key.rawValue
            return keys.keySet.keys.isEmpty ? ["\(name): []"] : ["\(name):"] + keys.keySet.keys.flatMap(lines(of:))
        }
    }

    private static func lines(of key: TokenKey) -> [String] {
        key.jwk(includingSecret: true).enumerated().map { index, member in
            (index == 0 ? "  - " : "    ") + "\(member.name): \(ScalarText.write(member.value, isInFlow: false))"
        }
    }

    private static func line(_ key: KeyFileKey, _ value: String?) -> [String] {
        value.map { ["\(key.rawValue): \(ScalarText.write($0, isInFlow: false))"] } ?? []
    }
}
