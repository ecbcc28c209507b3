internal import Documents
internal import PolicyEngine

// The forms of user roles, and of the recipients of mails.
extension AccountSchema {
    /// A user role (R24.2).
    static var user: JSONSchema {
        typealias Key = UserFields.Key
        let kinds = UserRole.Kind.allCases.map(\.rawValue).joined(separator: "|")
        let fields = Key.allCases.map { key -> (name: String, schema: JSONSchema) in
            switch key {
            case .id: (key.rawValue, .text(matching: "(\(kinds))-[0-9]{4}"))
            case .email: (key.rawValue, address)
            case .name: (key.rawValue, .text)
            case .added, .expires, .revoked: (key.rawValue, .instant)
            case .password, .primary: (key.rawValue, .boolean)
            }
        }
        return .object(fields, required: [Key.id, .email, .expires].map(\.rawValue))
    }

    /// The recipients of mails (R25.1).
    static var monitoring: JSONSchema {
        .object(
            MonitoringFields.Key.allCases.map { key in
                switch key {
                case .emails:
                    let list = JSONSchema.list(of: address, atMost: AccountLimits.monitoringRecipients)
                    return (key.rawValue, list.with("uniqueItems", .truth(true)))
                case .summary: return (key.rawValue, .words(of: MonitoringSettings.Frequency.self))
                case .emergencyContact: return (key.rawValue, .text)
                }
            })
    }

    private static let address = JSONSchema.text(matching: "[!-~]+@[!-~]+")
}
