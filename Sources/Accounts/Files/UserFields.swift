internal import Documents
internal import PolicyEngine

/// The user roles in an account file (R24.2).
enum UserFields {
    /// The keys of a user role, in their usual order.
    enum Key: String, CaseIterable {
        case id, email, name, added, expires
        case password = "password-protected"
        case primary, revoked
    }

    /// Reads a list of them; in an account with an empty list nobody has a role.
    static func load(_ node: Node, into account: inout Account, _ reader: inout DocumentReader) {
        guard let entries = reader.sequence(node, "`user-roles`") else { return }
        account.listUsers()
        for entry in entries {
            guard let user = user(entry, &reader) else { continue }
            reader.attempt(at: entry.position) { () throws(UserError) in try account.append(user) }
        }
    }

    private static func user(_ node: Node, _ reader: inout DocumentReader) -> UserRole? {
        guard var mapping = reader.mapping(node, "a user role") else { return nil }
        let id = mapping.require(Key.id, &reader).flatMap { reader.text($0, Key.id.rawValue.quoted) }
        let email = mapping.require(Key.email, &reader).flatMap { reader.text($0, Key.email.rawValue.quoted) }
        let name = mapping.text(Key.name, &reader)
        let added = mapping.take(Key.added).flatMap { reader.instant($0, Key.added.rawValue.quoted) }
        let expiry = mapping.require(Key.expires, &reader).flatMap { reader.instant($0, Key.expires.rawValue.quoted) }
        let password = mapping.take(Key.password).flatMap { reader.boolean($0, Key.password.rawValue.quoted) }
        let primary = mapping.take(Key.primary).flatMap { reader.boolean($0, Key.primary.rawValue.quoted) }
        let revoked = mapping.take(Key.revoked).flatMap { reader.instant($0, Key.revoked.rawValue.quoted) }
        mapping.finish(&reader)
        guard let id, let email, let expiry else { return nil }
        return reader.attempt(at: node.position) { () throws(UserError) in
            try UserRole(
                id: id, email: email, name: name ?? MailAddress.user(of: email), added: added, expiry: expiry,
                isPasswordProtected: password ?? false, isPrimary: primary ?? false, revoked: revoked)
        }
    }

    /// The fields of a user role in a file.
    static func fields(of user: UserRole) -> [DocumentField] {
        Key.allCases.map { key in
            switch key {
            case .id: DocumentField(key.rawValue, user.id)
            case .email: DocumentField(key.rawValue, user.email)
            case .name:
                DocumentField(key.rawValue, user.name, isNeeded: user.name != MailAddress.user(of: user.email))
            case .added: DocumentField(key.rawValue, user.added?.description)
            case .expires: DocumentField(key.rawValue, user.expiry.description)
            case .password: .truth(key.rawValue, user.isPasswordProtected)
            case .primary: .truth(key.rawValue, user.isPrimary)
            case .revoked: DocumentField(key.rawValue, user.revoked?.description)
            }
        }
    }
}
