internal import Documents
internal import PolicyEngine

/// The text of a key file.
enum KeyText {
    /// The text of an account's key file; keys that follow from the account's name are left out.
    static func text(of account: Account) -> String {
        let lines = KeyFields.all.values(of: account).compactMap { field in
            field.text.map { "\(field.key): \(ScalarText.write($0, isInFlow: false))" }
        }
        let head = [
            EditorSchema.keys.line, "# The keys of an account. Whoever can read this file can make valid tokens.",
        ]
        return (head + lines + keySet(of: account)).map { $0 + "\n" }.joined()
    }

    private static func keySet(of account: Account) -> [String] {
        let keySet = account.keys.keySet
        guard keySet.isListed else { return [] }
        return keySet.keys.isEmpty ? ["key-set: []"] : ["key-set:"] + keySet.keys.flatMap(lines(of:))
    }

    private static func lines(of key: TokenKey) -> [String] {
        key.jwk(includingSecret: true).enumerated().map { index, member in
            (index == 0 ? "  - " : "    ") + "\(member.name): \(ScalarText.write(member.value, isInFlow: false))"
        }
    }
}
