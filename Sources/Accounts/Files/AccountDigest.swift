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
            value(of: key, account).encode(into: &bytes)
        }
        // R15.2: removed registrations count, too.
        list(account.removedRegistrations) { RegistrationFields.fields(of: $0) }.encode(into: &bytes)
        return "sha256:" + FileDigest(of: bytes).text
    }

    private static func value(of key: AccountKey, _ account: Account) -> DocumentValue {
        switch key {
        case .account: .text(account.name)
        case .policy: .text(account.policy.description)
        case .rejectFlags: rejection(account.policy.rejection, account.catalogue)
        case .rules: .texts(account.declaredRules)
        case .flags: flags(account.catalogue)
        case .responseCodes: .text("\(account.isResponseCodeOn)")
        case .ipTracking: .text(account.ipTracking.rawValue)
        case .audience: .text("\(account.includesAudience)")
        case .issuer: .text("\(account.includesIssuer)")
        case .pinningTestURL: optional(account.pinningTestURL)
        case .features: optional(account.features?.map(\.rawValue).sorted())
        case .secureStrings: pairs(account.secureStrings)
        case .developmentKey: optional(account.developmentKey)
        case .samplingPercentage: .text("\(account.samplingPercentage.billionths)")
        case .propagation: .text("\(account.propagation)")
        case .grace: .text("\(account.grace)")
        case .billingDay: .text("\(account.billingDay)")
        case .filters: list(account.filters, FilterFields.fields)
        case .devices: list(account.devices, DeviceFields.fields)
        case .team: optional(account.ownTeam)
        case .deviceCheck:
            list([account.deviceCheck].compactMap(\.self)) { DeviceCheckFields.fields(of: $0, hasTeam: false) }
        case .safetyNet: list([account.safetyNet].compactMap(\.self), SafetyNetFields.fields)
        case .certificates: .list(account.certificates.map(CertificateFields.value))
        case .registrations: optional(account.registrations.map { list($0) { RegistrationFields.fields(of: $0) } })
        case .domains: optional(account.listsAPIDomains ? list(account.apiDomains, DomainFields.fields) : nil)
        case .users: optional(account.users.map { list($0, UserFields.fields) })
        case .delegateAccounts: .texts(account.delegateAccounts)
        case .monitoring: .mapping(MonitoringFields.fields(of: account.monitoring))
        case .keys: .list([])
        }
    }

    private static func list<Item>(_ items: [Item], _ fields: (Item) -> [DocumentField]) -> DocumentValue {
        .list(items.map { .mapping(fields($0)) })
    }

    private static func optional(_ text: String?) -> DocumentValue { optional(text.map(DocumentValue.text)) }
    private static func optional(_ texts: [String]?) -> DocumentValue { optional(texts.map(DocumentValue.texts)) }
    private static func optional(_ value: DocumentValue?) -> DocumentValue { .list([value].compactMap(\.self)) }

    private static func pairs(_ texts: [ExactText: ExactText]) -> DocumentValue {
        .list(texts.sorted { $0.key < $1.key }.map { .texts([$0.key.text, $0.value.text]) })
    }

    private static func flags(_ catalogue: FlagCatalogue) -> DocumentValue {
        .list(
            catalogue.declaredNames.compactMap { name in
                catalogue.namedFlag(name).map { .texts([name, "\(catalogue[$0].isRisk)"]) }
            })
    }

    private static func rejection(_ policy: RejectionPolicy, _ catalogue: FlagCatalogue) -> DocumentValue {
        .list([
            .text(policy.base.rawValue), .texts(catalogue.names(of: policy.rejecting)),
            .texts(catalogue.names(of: policy.rejectingUnlessXposed)),
        ])
    }
}
