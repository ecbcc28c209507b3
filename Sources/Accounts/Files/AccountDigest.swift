internal import Documents
package import PolicyEngine

/// The SHA-256 of all that an account says but its secrets, which no verdict depends on: accounts of the same digest decide
/// alike.
///
/// It is of the account as it was understood, so that comments and the order of keys do not matter, and neither does the file
/// that it came from. The digest belongs to the version of the tool.
package enum AccountDigest {
    /// The digest as reports and parts hold it: `sha256:` and 64 hexadecimal digits.
    package static func text(of account: Account) -> String {
        var bytes: [UInt8] = []
        for key in AccountKey.allCases {
            DocumentValue.text(key.rawValue).encode(into: &bytes)
            key.field.digest(account).encode(into: &bytes)
        }
        // R15.2: removed registrations count, too.
        DocumentValue.list(account.removedRegistrations) { RegistrationFields.fields(of: $0) }.encode(into: &bytes)
        return "sha256:" + FileDigest(of: bytes).text
    }
}
