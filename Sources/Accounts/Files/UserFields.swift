internal import Documents
internal import PolicyEngine

/// The user roles in an account file (R24.2).
enum UserFields {
    static let all: [Field<UserRole>] = [
        .required(
            "id", \.id, .text.described(by: .text(matching: "(\(kinds))-[0-9]{4}")),
            "The role, a hyphen and four digits, such as dev-1234."),
        .required("email", \.email, .text.described(by: MonitoringFields.address), "The user's address."),
        // A name that the address says is left out.
        Field("name", .text, "The user's name; by default the part of the address before the @.") {
            node, user, reader in
            user.name = reader.text(node, "`name`") ?? ""
        } write: {
            DocumentField("name", $0.name, isNeeded: $0.name != MailAddress.user(of: $0.email))
        },
        .optional("added", \.added, .instant, "The time at which the role was added."),
        .required("expires", \.expiry, .instant, "The time at which the access ends."),
        .truth(
            "password-protected", \.isPasswordProtected,
            "With true, it is shown that a password protects the access; none is asked for."),
        .truth("primary", \.isPrimary, "With true, the role came with the account, and no command revokes it."),
        .optional("revoked", \.revoked, .instant, "The time at which the access was revoked."),
    ]

    private static let kinds = UserRole.Kind.allCases.map(\.rawValue).joined(separator: "|")

    /// Reads a list of them; in an account with an empty list nobody has a role.
    static func load(_ node: Node, into account: inout Account, _ reader: inout DocumentReader) {
        guard let nodes = reader.sequence(node, "`user-roles`") else { return }
        account.listUsers()
        for node in nodes {
            guard var user = all.read(node, "a user role", from: UserRole(), &reader) else { continue }
            if user.name.isEmpty { user.name = MailAddress.user(of: user.email) }
            reader.attempt(at: node.position) { () throws(UserError) in try account.append(user) }
        }
    }
}

/// The recipients of mails about an account, in its file (R25.1).
enum MonitoringFields {
    static let all: [Field<MonitoringSettings>] = [
        Field("emails", addresses, "The addresses that get mails about problems.") { node, settings, reader in
            for (text, position) in reader.texts(node, "`emails`") ?? [] {
                reader.attempt(at: position) { () throws(MonitoringError) in try settings.add(text) }
            }
        } write: {
            DocumentField("emails", $0.recipients.isEmpty ? nil : DocumentValue.texts($0.recipients))
        },
        .value(
            "summary", \.frequency, .word, usually: MonitoringSettings.Frequency.monthly,
            "The frequency of the mails that sum up."),
        .optional("emergency-contact", \.emergencyContact, .text, "A text about whom to call."),
    ]

    private static let addresses = JSONSchema.list(of: address, atMost: AccountLimits.monitoringRecipients).unique

    /// The form of an address of mail.
    static let address = JSONSchema.text(matching: "[!-~]+@[!-~]+")

    /// Reads the mapping.
    ///
    /// - Returns: `nil` after noting an error.
    static func load(_ node: Node, _ reader: inout DocumentReader) -> MonitoringSettings? {
        all.read(node, "`monitoring`", from: MonitoringSettings(), &reader)
    }
}
