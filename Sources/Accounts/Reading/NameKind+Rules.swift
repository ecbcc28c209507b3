package import Documents

/// The kinds of names in accounts and scenarios.
extension NameKind {
    package static let flag = NameKind("flag")
    package static let filter = NameKind("filter")
    package static let device = NameKind("device")
    package static let domain = NameKind("domain")
    /// An attribute of records and devices, such as `appid`.
    package static let attribute = NameKind("attribute")
    /// A whole security policy, such as `default,allow-root,risk`.
    package static let policy = NameKind("policy")
    /// A management command, in which there are names, too.
    package static let command = NameKind("command")
    /// The path of an account.
    package static let accountFile = NameKind("account file")
}
