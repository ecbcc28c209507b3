internal import Documents
internal import PolicyEngine

/// A key of an account file: all that is said of it, in one place.
struct AccountField: Sendable {
    /// The text that an editor shows.
    let summary: String
    /// The parts of an account of which it says something.
    let parts: [AccountPart]
    /// The form of its value, and how it is read; of a single value also how it is written.
    let value: RecordField<Account>
    /// All that it says, for the digest of an account.
    let digest: @Sendable (Account) -> DocumentValue

    init(
        _ summary: String, _ parts: AccountPart..., value: RecordField<Account>,
        digest: @escaping @Sendable (Account) -> DocumentValue
    ) {
        (self.summary, self.parts, self.value, self.digest) = (summary, parts, value, digest)
    }
}

extension AccountKey {
    /// The declaration of the key.
    var field: AccountField {
        switch self {
        // The account is made of its name and its flags: they are read before all else.
        case .account:
            AccountField(
                "The name; it takes part in sampling and in response codes.", .name,
                value: value(.text) { _, _, _ in }
            ) { .text($0.name) }
        case .flags:
            AccountField("Flags beside the catalogue.", .flags, value: value(FlagLoader.schema) { _, _, _ in }) {
                .list($0.catalogue.flags.prefix($0.catalogue.namedCount).map { .texts([$0.name, "\($0.isRisk)"]) })
            }
        case .policy:
            AccountField(
                "The security policy: rules, rejection and annotation, such as default,allow-root,risk.", .policy,
                value: value(RuleForms.policy, AccountLoader.readPolicy) { AccountWriter.policy($0.policy) }
            ) { .text($0.policy.description) }
        case .rejectFlags:
            AccountField(
                "Flags that the rejection policy has more or less than its preset.", .policy,
                value: value(
                    .object(["add", "remove"].map { ($0, JSONSchema.list(of: RuleForms.flag).unique) }),
                    AccountLoader.readRejectFlags)
            ) { .rejection($0.policy.rejection, $0.catalogue) }
        case .rules:
            AccountField(
                "Names of rule sets beside default.", .rules,
                value: value(
                    JSONSchema.list(of: .textOrNumber(matching: "(?!default$)\(RuleForms.name)")).unique,
                    AccountLoader.readRules)
            ) { .texts($0.declaredRules) }
        case .responseCodes:
            AccountField(
                "Says if tokens carry an attestation response code.", .responseCodes,
                value: .value(rawValue, \.isResponseCodeOn, .onOff, usually: true)
            ) { .text("\($0.isResponseCodeOn)") }
        case .ipTracking:
            AccountField(
                "Says if tokens and the service have the client's address.", .tokens,
                value: .value(rawValue, \.ipTracking, .word, usually: IPTracking.token)
            ) { .text($0.ipTracking.rawValue) }
        case .audience:
            AccountField(
                "Says if tokens name their audience, the API domain.", .tokens,
                value: .value(rawValue, \.includesAudience, .onOff, usually: false)
            ) { .text("\($0.includesAudience)") }
        case .issuer:
            AccountField(
                "Says if tokens name their issuer, the account.", .tokens,
                value: .value(rawValue, \.includesIssuer, .onOff, usually: false)
            ) { .text("\($0.includesIssuer)") }
        case .pinningTestURL:
            AccountField(
                "A URL that an app tries at its first fetch, although its pins forbid it.", .pinningTestURL,
                value: value(.text, AccountLoader.readPinningTestURL) {
                    DocumentField(AccountKey.pinningTestURL.rawValue, $0.pinningTestURL)
                }
            ) { .optional($0.pinningTestURL) }
        case .features:
            AccountField(
                "The features that the account has besides tokens.", .features,
                value: value(JSONSchema.list(of: .words(of: AccountFeature.self)).unique) {
                    $1.features = FeatureFields.load($0, &$2) ?? $1.features
                }
            ) { .optional($0.features.map { DocumentValue.texts($0.map(\.rawValue).sorted()) }) }
        case .secureStrings:
            AccountField(
                "Strings that apps get once they pass, by their keys.", .secureStrings,
                value: value(FeatureFields.stringsSchema) { $1.secureStrings = FeatureFields.strings($0, &$2) }
            ) { .list($0.secureStrings.sorted { $0.key < $1.key }.map { .texts([$0.key.text, $0.value.text]) }) }
        case .developmentKey:
            AccountField(
                "The key by which an app counts as a development version.", .developmentKey,
                value: .optional(rawValue, \.developmentKey, .text)
            ) { .optional($0.developmentKey) }
        case .samplingPercentage:
            AccountField(
                "The share of devices, in percent, that executes the filtered policy.", .filteredPolicy,
                value: .value(rawValue, \.samplingPercentage, .barePercentage, usually: Percentage.zero)
            ) { .text("\($0.samplingPercentage.billionths)") }
        case .propagation:
            AccountField(
                "The time from a change until it is in force, such as 30s.", .propagation,
                value: .value(rawValue, \.propagation, .durationOfADay)
            ) { .text("\($0.propagation)") }
        case .grace:
            AccountField(
                "The time for which a token outlives its lifetime, such as 10s.", .grace,
                value: .value(rawValue, \.grace, .durationOfADay)
            ) { .text("\($0.grace)") }
        case .billingDay:
            AccountField(
                "The day of the month on which a billing month starts.", .billingDay,
                value: .value(rawValue, \.billingDay, .integer(in: AccountLimits.billingDays))
            ) { .text("\($0.billingDay)") }
        case .filters:
            AccountField(
                "Filters, in filter order.", .filters,
                value: value(
                    JSONSchema.list(of: FilterFields.schema, atMost: AccountLimits.filters).unique,
                    AccountLoader.readFilters)
            ) { .list($0.filters, FilterFields.fields) }
        case .devices:
            AccountField(
                "Devices that have a policy or a mode of their own.", .devices, .filteredPolicy,
                value: value(
                    JSONSchema.list(of: DeviceFields.schema, atMost: AccountLimits.devices).unique,
                    AccountLoader.readDevices)
            ) { .list($0.devices, DeviceFields.fields) }
        case .team:
            AccountField(
                "The developer team; short for team-id of devicecheck.", .deviceCheck,
                value: value(.text) { $1.deviceCheck = DeviceCheckSettings(teamID: $2.text($0, "`team`")) }
            ) { .optional($0.ownTeam) }
        case .deviceCheck:
            AccountField(
                "The key for Apple's DeviceCheck.", .deviceCheck,
                value: value(DeviceCheckFields.schema) {
                    $1.deviceCheck = DeviceCheckFields.load($0, team: $1.deviceCheck?.teamID, &$2)
                }
            ) {
                .optional(
                    $0.deviceCheck.map { DocumentValue.mapping(DeviceCheckFields.fields(of: $0, hasTeam: false)) })
            }
        case .safetyNet:
            AccountField(
                "The key for Google's SafetyNet.", .safetyNet,
                value: value(SafetyNetFields.schema) { $1.safetyNet = SafetyNetFields.load($0, &$2) }
            ) { .optional($0.safetyNet.map { DocumentValue.mapping(SafetyNetFields.fields(of: $0)) }) }
        case .certificates:
            AccountField(
                "Certificates that apps may be signed with: fingerprints, or mappings that say more.", .certificates,
                value: value(
                    JSONSchema.list(of: CertificateFields.schema, atMost: AccountLimits.appSigningCertificates).unique
                ) { CertificateFields.load($0, into: &$1, &$2) }
            ) { .list($0.certificates.map(CertificateFields.value)) }
        case .registrations:
            AccountField(
                "Apps that are registered.", .registrations,
                value: value(.list(of: RegistrationFields.schema, atMost: AccountLimits.registrations)) {
                    RegistrationFields.load($0, into: &$1, &$2)
                }
            ) { .optional($0.registrations.map { DocumentValue.list($0) { RegistrationFields.fields(of: $0) } }) }
        case .domains:
            AccountField(
                "API domains that are served.", .domains,
                value: value(.list(of: DomainFields.all.schema(), atMost: AccountLimits.apiDomains)) {
                    DomainFields.load($0, into: &$1, &$2)
                }
            ) { .optional($0.listsAPIDomains ? DocumentValue.list($0.apiDomains, DomainFields.all.values(of:)) : nil) }
        case .users:
            AccountField(
                "The users with access, with their roles and the ends of their access.", .users,
                value: value(.list(of: UserFields.schema)) { UserFields.load($0, into: &$1, &$2) }
            ) { .optional($0.users.map { DocumentValue.list($0, UserFields.fields) }) }
        case .delegateAccounts:
            AccountField(
                "Files of accounts into which registrations can be cloned, seen from the account's folder.", .users,
                value: .list(rawValue, \.delegateAccounts, .texts)
            ) { .texts($0.delegateAccounts) }
        case .monitoring:
            AccountField(
                "The people who get reports of problems, and summaries.", .monitoring,
                value: value(MonitoringFields.schema) {
                    $1.monitoring = MonitoringFields.load($0, &$2) ?? $1.monitoring
                }
            ) { .mapping(MonitoringFields.fields(of: $0.monitoring)) }
        case .keys:
            AccountField(
                "The key file, seen from the account's folder.", .tokens, .keys,
                value: value(.text, AccountLoader.readKeys) { DocumentField(self.rawValue, $0.keyFile) }
            ) { _ in .list([]) }
        }
    }

    // A value that is read in a way of its own.
    private func value(
        _ schema: JSONSchema, _ read: @escaping @Sendable (Node, inout Account, inout DocumentReader) -> Void,
        write: @escaping @Sendable (Account) -> DocumentField? = { _ in nil }
    ) -> RecordField<Account> {
        RecordField(rawValue, schema, read: read, write: write)
    }
}

extension DocumentValue {
    /// The mappings of a list of items.
    static func list<Item>(_ items: [Item], _ fields: (Item) -> [DocumentField]) -> DocumentValue {
        .list(items.map { .mapping(fields($0)) })
    }

    fileprivate static func optional(_ text: String?) -> DocumentValue { optional(text.map(DocumentValue.text)) }
    fileprivate static func optional(_ value: DocumentValue?) -> DocumentValue { .list([value].compactMap(\.self)) }

    fileprivate static func rejection(_ policy: RejectionPolicy, _ catalogue: FlagCatalogue) -> DocumentValue {
        .list([
            .text(policy.base.rawValue), .texts(catalogue.names(of: policy.rejecting)),
            .texts(catalogue.names(of: policy.rejectingUnlessXposed)),
        ])
    }
}

/// The features of an account beside tokens, in an account file (R21).
enum FeatureFields {
    /// Reads the features of an account; an empty list is none.
    ///
    /// - Returns: `nil` after noting an error.
    static func load(_ node: Node, _ reader: inout DocumentReader) -> Set<AccountFeature>? {
        guard let nodes = reader.sequence(node, "`features`") else { return nil }
        var features: Set<AccountFeature> = []
        for node in nodes {
            guard let feature: AccountFeature = reader.word(node, "a feature") else { continue }
            if !features.insert(feature).inserted {
                reader.error("feature \(feature.rawValue.quoted) exists already", at: node.position)
            }
        }
        return features
    }

    /// The form of the strings of an account.
    static var stringsSchema: JSONSchema {
        .map(
            of: .text, keys: JSONSchema([("minLength", .number(1)), ("maxLength", .number(SecureStringKey.length))]))
    }

    /// Reads the strings of an account (R21.2).
    static func strings(_ node: Node, _ reader: inout DocumentReader) -> [ExactText: ExactText] {
        var strings: [ExactText: ExactText] = [:]
        for entry in reader.mapping(node, "`secure-strings`")?.entries ?? [] {
            if !SecureStringKey.isKey(entry.key) {
                reader.error(
                    "a key of `secure-strings` has 1 to \(SecureStringKey.length) characters", at: entry.keyPosition)
            }
            if let text = reader.text(entry.value, entry.key.quoted) { strings[ExactText(entry.key)] = ExactText(text) }
        }
        return strings
    }
}

/// An app signing certificate in an account file: its fingerprint, or a mapping that says more.
enum CertificateFields {
    private typealias Key = AppSigningCertificate.Field

    private static let all = RecordFields<AppSigningCertificate>([
        .required(Key.fingerprint.rawValue, \.fingerprint, .text.described(by: fingerprint)),
        .optional(Key.subject.rawValue, \.subject, .text), .optional(Key.expiry.rawValue, \.expiry, .instant),
    ])

    private static let fingerprint = JSONSchema.text(matching: "([0-9A-Fa-f]{2}:){7,}[0-9A-Fa-f]{2}")

    /// Reads a list of them.
    static func load(_ node: Node, into account: inout Account, _ reader: inout DocumentReader) {
        for entry in reader.sequence(node, "`app-signing-certs`") ?? [] {
            guard let certificate = certificate(entry, &reader) else { continue }
            let position = (entry[Key.fingerprint.rawValue] ?? entry).position
            reader.attempt(at: position) { () throws(ServiceError) in try account.append(certificate) }
        }
    }

    private static func certificate(_ node: Node, _ reader: inout DocumentReader) -> AppSigningCertificate? {
        guard case .mapping = node.content else {
            return reader.text(node, "an entry of `app-signing-certs`").map { AppSigningCertificate(fingerprint: $0) }
        }
        return all.read(node, "a certificate", from: AppSigningCertificate(fingerprint: ""), &reader)
    }

    /// The value of a certificate in a file: its fingerprint alone if nothing else is known.
    static func value(of certificate: AppSigningCertificate) -> DocumentValue {
        guard certificate.subject != nil || certificate.expiry != nil else { return .text(certificate.fingerprint) }
        return .mapping(all.values(of: certificate))
    }

    static var schema: JSONSchema { .any(of: [fingerprint, all.schema()]) }
}
