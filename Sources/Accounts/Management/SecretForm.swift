/// How a secret is printed (manual, Account Secret Key Export).
package enum SecretForm: String, Hashable, Sendable, CaseIterable {
    case base64, base64url
    /// As text, where it is printable.
    case raw
}
