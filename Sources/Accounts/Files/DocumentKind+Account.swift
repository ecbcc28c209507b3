package import Documents

extension DocumentKind {
    /// An account file.
    package static let account = DocumentKind(
        name: "an account", keys: Set(AccountKey.allCases.map(\.rawValue)), secretKeys: KeyFields.topWords)
}
