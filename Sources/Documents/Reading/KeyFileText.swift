/// Recognises key files: only the reader of keys takes one, so that no other shows, keeps or sends anything of it.
package enum KeyFileText {
    /// The keys with which lines of a key file begin, and no lines of other files: `key-id` and `api-key` are too common.
    package static let keys: Set = [
        "account-secret", "encryption-secret", "arc-secret", "message-signing-key", "next-key", "key-set",
    ]

    /// True if a line of some bytes begins as lines of key files do; nothing else is looked at.
    package static func isKeyFile(_ bytes: [UInt8]) -> Bool {
        LineWords.first(of: bytes).contains(where: keys.contains)
    }
}

extension FileFailure {
    /// A key file where another file is needed; nothing of it is said.
    package static let keyFile = FileFailure("this is a key file", hint: "give the account that names it")
}
