internal import Documents
internal import PolicyEngine

/// The text of a key file.
enum KeyText {
    /// What a key file says of an account: what is missing follows from the account's name, and is left out.
    static func text(of account: Account) -> String {
        let keys = account.keys
        var lines = ["# The keys of an account. Whoever can read this file can make valid tokens."]
        lines += line("account-secret", keys.accountSecret.map { Base64.text(of: $0.bytes) })
        lines += line("encryption-secret", keys.encryptionSecret.map { Base64.text(of: $0.bytes) })
        lines += line("arc-secret", account.responseCodeSecret.map { Base64.text(of: $0) })
        lines += line(
            "message-signing-key", keys.messageSigningKey.map { String(decoding: $0.secret.bytes, as: UTF8.self) })
        lines += line("key-id", keys.keyID)
        if keys.keySet.nextNumber > 1 { lines += line("next-key", "\(keys.keySet.nextNumber)") }
        if keys.keySet.isListed {
            lines.append(keys.keySet.keys.isEmpty ? "key-set: []" : "key-set:")
            for key in keys.keySet.keys { lines += self.lines(of: key) }
        }
        return lines.map { $0 + "\n" }.joined()
    }

    private static func lines(of key: TokenKey) -> [String] {
        key.jwk(includingSecret: true).enumerated().map { index, member in
            (index == 0 ? "  - " : "    ") + "\(member.name): \(ScalarText.write(member.value, isInFlow: false))"
        }
    }

    private static func line(_ key: String, _ value: String?) -> [String] {
        value.map { ["\(key): \(ScalarText.write($0, isInFlow: false))"] } ?? []
    }
}
