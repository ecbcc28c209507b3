internal import Documents
internal import PolicyEngine

/// The user roles in an account file (R24.2).
enum UserFields {
    static let all: [Field<UserRole>] = [
        .required("id", \.id, .text.described(by: .text(matching: "(\(kinds))-[0-9]{4}"))),
        .required("email", \.email, .text.described(by: MonitoringFields.address)),
        // A name that the address says is left out.
        Field("name", .text) { node, user, reader in
            user.name = reader.text(node, "`name`") ?? ""
        } write: {
            DocumentField("name", $0.name, isNeeded: $0.name != MailAddress.user(of: $0.email))
        },
        .optional("added", \.added, .instant), .required("expires", \.expiry, .instant),
        .truth("password-protected", \.isPasswordProtected), .truth("primary", \.isPrimary),
        .optional("revoked", \.revoked, .instant),
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
        Field("emails", addresses) { node, settings, reader in
            for (text, position) in reader.texts(node, "`emails`") ?? [] {
                reader.attempt(at: position) { () throws(MonitoringError) in try settings.add(text) }
            }
        } write: {
            DocumentField("emails", $0.recipients.isEmpty ? nil : DocumentValue.texts($0.recipients))
        },
        .value("summary", \.frequency, .word, usually: MonitoringSettings.Frequency.monthly),
        .optional("emergency-contact", \.emergencyContact, .text),
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
