internal import Documents
internal import PolicyEngine

/// The user roles in an account file (R24.2).
enum UserFields {
    /// A user role as the file says it.
    private struct Entry {
        var id = ""
        var email = ""
        var name: String?
        var added: Instant?
        var expiry = Instant(secondsSinceEpoch: 0)
        var isPasswordProtected = false
        var isPrimary = false
        var revoked: Instant?
    }

    private static let all = RecordFields<Entry>([
        .required("id", \.id, .text.described(by: .text(matching: "(\(kinds))-[0-9]{4}"))),
        .required("email", \.email, .text.described(by: MonitoringFields.address)),
        .optional("name", \.name, .text), .optional("added", \.added, .instant),
        .required("expires", \.expiry, .instant), .truth("password-protected", \.isPasswordProtected),
        .truth("primary", \.isPrimary), .optional("revoked", \.revoked, .instant),
    ])

    private static let kinds = UserRole.Kind.allCases.map(\.rawValue).joined(separator: "|")

    /// Reads a list of them; in an account with an empty list nobody has a role.
    static func load(_ node: Node, into account: inout Account, _ reader: inout DocumentReader) {
        guard let nodes = reader.sequence(node, "`user-roles`") else { return }
        account.listUsers()
        for node in nodes {
            guard let entry = all.read(node, "a user role", from: Entry(), &reader) else { continue }
            reader.attempt(at: node.position) { () throws(UserError) in
                try account.append(
                    UserRole(
                        id: entry.id, email: entry.email, name: entry.name ?? MailAddress.user(of: entry.email),
                        added: entry.added, expiry: entry.expiry, isPasswordProtected: entry.isPasswordProtected,
                        isPrimary: entry.isPrimary, revoked: entry.revoked))
            }
        }
    }

    /// The fields of a user role in a file; a name that the address says is left out.
    static func fields(of user: UserRole) -> [DocumentField] {
        let entry = Entry(
            id: user.id, email: user.email, name: user.name, added: user.added, expiry: user.expiry,
            isPasswordProtected: user.isPasswordProtected, isPrimary: user.isPrimary, revoked: user.revoked)
        let isUsual = user.name == MailAddress.user(of: user.email)
        return all.values(of: entry).map { $0.key == "name" && isUsual ? $0.unneeded : $0 }
    }

    static var schema: JSONSchema { all.schema() }
}

/// The recipients of mails about an account, in its file (R25.1).
enum MonitoringFields {
    private static let all = RecordFields<MonitoringSettings>([
        RecordField("emails", addresses) { node, settings, reader in
            for (text, position) in reader.texts(node, "`emails`") ?? [] {
                reader.attempt(at: position) { () throws(MonitoringError) in try settings.add(text) }
            }
        } write: {
            DocumentField("emails", $0.recipients.isEmpty ? nil : DocumentValue.texts($0.recipients))
        },
        .value("summary", \.frequency, .word, usually: MonitoringSettings.Frequency.monthly),
        .optional("emergency-contact", \.emergencyContact, .text),
    ])

    private static let addresses = JSONSchema.list(of: address, atMost: AccountLimits.monitoringRecipients).unique

    /// The form of an address of mail.
    static let address = JSONSchema.text(matching: "[!-~]+@[!-~]+")

    /// Reads the mapping.
    ///
    /// - Returns: `nil` after noting an error.
    static func load(_ node: Node, _ reader: inout DocumentReader) -> MonitoringSettings? {
        all.read(node, "`monitoring`", from: MonitoringSettings(), &reader)
    }

    /// The fields of the settings in a file.
    static func fields(of settings: MonitoringSettings) -> [DocumentField] { all.values(of: settings) }

    static var schema: JSONSchema { all.schema() }
}
