package import Documents
internal import PolicyEngine

/// The fields of an account file, in their usual order: all that is said of each key, in one place.
///
/// The fields of a mapping or of a list's items are in the type that reads them, such as ``DeviceFields``.
package enum AccountFields {
    /// All of them.
    static let all: [Field<Account>] = rules + tokens + sampling + lists + people

    /// The keys in their usual order.
    package static let keys = all.map(\.key)

    /// The fields in the order of reading: those that others depend on come first. A policy names flags and rules, an entry may have
    /// a policy.
    static let readingOrder: [Field<Account>] = {
        let (first, last) = (["account", "flags", "rules", "policy"], ["filters", "devices"])
        let named = { (keys: [String]) in keys.flatMap { key in all.filter { $0.key == key } } }
        return named(first) + all.filter { !(first + last).contains($0.key) } + named(last)
    }()

    private static let rules: [Field<Account>] = [
        // The account is made of its name and its flags: they are read before all else.
        Field("account", .text, "The name; it takes part in sampling and in response codes.") { _, _, _ in
        } write: {
            DocumentField("account", $0.name)
        },
        Field(
            "policy", RuleForms.policy,
            "The security policy: rules, rejection and annotation, such as default,allow-root,risk.",
            read: AccountLoader.readPolicy
        ) {
            // A policy that was edited by hand starts from its preset.
            let text = "\($0.policy.rules),\($0.policy.rejection.base.rawValue),\($0.policy.annotation.text)"
            return DocumentField("policy", text, isNeeded: text != SecurityPolicy.initial.description)
        },
        Field(
            "reject-flags",
            .object([
                ("add", flagNames.described(as: "Flags that make a device fail besides those of the preset.")),
                ("remove", flagNames.described(as: "Flags of the preset that no longer make a device fail.")),
            ]),
            "Flags that the rejection policy has more or less than its preset.", read: AccountLoader.readRejectFlags
        ) {
            let (policy, preset) = ($0.policy.rejection, RejectionPolicy(preset: $0.policy.rejection.base))
            let added = $0.catalogue.names(of: policy.rejecting.subtracting(preset.rejecting))
            let removed = $0.catalogue.names(of: preset.anyRejecting.subtracting(policy.anyRejecting))
            return DocumentField(
                "reject-flags",
                policy.isCustom
                    ? .mapping([DocumentField("add", .texts(added)), DocumentField("remove", .texts(removed))]) : nil)
        },
        Field(
            "rules", JSONSchema.list(of: .textOrNumber(matching: "(?!default$)\(RuleForms.name)")).unique,
            "Names of rule sets beside default.", read: AccountLoader.readRules
        ) { DocumentField("rules", DocumentValue.texts($0.declaredRules), isNeeded: !$0.declaredRules.isEmpty) },
        Field("flags", FlagLoader.schema, "Flags beside the catalogue.") { _, _, _ in
        } write: {
            DocumentField("flags", .list($0.catalogue.declarations.map(FlagLoader.fields.value)))
        },
    ]

    private static let flagNames = JSONSchema.list(of: RuleForms.flag).unique

    private static let tokens: [Field<Account>] = [
        .value(
            "arc", \.isResponseCodeOn, .onOff, usually: true,
            "Says if tokens carry an attestation response code."),
        .value(
            "ip-tracking", \.ipTracking, .word, usually: IPTracking.token,
            "Says if tokens and the service have the client's address."),
        .value(
            "audience", \.includesAudience, .onOff, usually: false,
            "Says if tokens name their audience, the API domain."),
        .value("issuer", \.includesIssuer, .onOff, usually: false, "Says if tokens name their issuer, the account."),
        Field(
            "pinning-test-url", .text, "A URL that an app tries at its first fetch, although its pins forbid it.",
            read: AccountLoader.readPinningTestURL
        ) { DocumentField("pinning-test-url", $0.pinningTestURL) },
        Field(
            "features", JSONSchema.list(of: .words(of: AccountFeature.self)).unique,
            "The features that the account has besides tokens."
        ) {
            $1.features = FeatureFields.load($0, &$2) ?? $1.features
        } write: {
            DocumentField("features", $0.features.map { .texts($0.map(\.rawValue).sorted()) })
        },
        Field(
            "secure-strings", FeatureFields.stringsSchema, "Strings that apps get once they pass, by their keys."
        ) {
            $1.secureStrings = FeatureFields.strings($0, &$2)
        } write: {
            let strings = $0.secureStrings.sorted { $0.key < $1.key }
            return DocumentField("secure-strings", .mapping(strings.map { DocumentField($0.key.text, $0.value.text) }))
        },
        .optional(
            "dev-key", \.developmentKey, .text, "The key by which an app counts as a development version."),
    ]

    private static let sampling: [Field<Account>] = [
        .value(
            "sampling-percentage", \.samplingPercentage, .barePercentage, usually: Percentage.zero,
            "The share of devices, in percent, that executes the filtered policy."),
        .value(
            "propagation", \.propagation, .durationOfADay, "The time from a change until it is in force, such as 30s."),
        .value("grace", \.grace, .durationOfADay, "The time for which a token outlives its lifetime, such as 10s."),
        .value(
            "billing-day", \.billingDay, .integer(in: AccountLimits.billingDays),
            "The day of the month on which a billing month starts."),
    ]

    private static let lists: [Field<Account>] = [
        items(
            "filters", JSONSchema.list(of: FilterFile.fields.schema(), atMost: AccountLimits.filters).unique,
            "Filters, in filter order.", read: AccountLoader.readFilters
        ) { $0.filters.map { FilterFile.fields.value(of: FilterFile($0)) } },
        items(
            "devices", JSONSchema.list(of: DeviceFields.schema, atMost: AccountLimits.devices).unique,
            "Devices that have a policy or a mode of their own.", read: AccountLoader.readDevices
        ) { $0.devices.map(DeviceFields.value) },
        // Written by `devicecheck`.
        Field("team", .text, "The developer team; short for team-id of devicecheck.") {
            $1.deviceCheck = DeviceCheckSettings(teamID: $2.text($0, "`team`"))
        },
        Field("devicecheck", DeviceCheckFields.all.schema(), "The key for Apple's DeviceCheck.") {
            $1.deviceCheck = DeviceCheckFields.load($0, team: $1.deviceCheck?.teamID, &$2)
        } write: {
            $0.deviceCheck.map { DocumentField("devicecheck", DeviceCheckFields.all.value(of: $0)) }
        },
        Field("safetynet", SafetyNetFields.all.schema(), "The key for Google's SafetyNet.") {
            $1.safetyNet = SafetyNetFields.load($0, &$2)
        } write: {
            $0.safetyNet.map { DocumentField("safetynet", SafetyNetFields.all.value(of: $0)) }
        },
        items(
            "app-signing-certs",
            JSONSchema.list(of: CertificateFields.schema, atMost: AccountLimits.appSigningCertificates).unique,
            "Certificates that apps may be signed with: fingerprints, or mappings that say more.",
            read: CertificateFields.load
        ) { $0.certificates.map(CertificateFields.value) },
        items(
            "registrations", .list(of: RegistrationFields.all.schema(), atMost: AccountLimits.registrations),
            "Apps that are registered.", read: RegistrationFields.load
        ) { $0.registrations?.map(RegistrationFields.all.value) },
        items(
            "apis", .list(of: DomainFields.all.schema(), atMost: AccountLimits.apiDomains),
            "API domains that are served.", read: DomainFields.load
        ) { $0.listsAPIDomains ? $0.apiDomains.map(DomainFields.all.value) : nil },
    ]

    private static let people: [Field<Account>] = [
        items(
            "user-roles", .list(of: UserFields.all.schema()),
            "The users with access, with their roles and the ends of their access.",
            read: UserFields.load
        ) { $0.users?.map(UserFields.all.value) },
        .list(
            "delegate-accounts", \.delegateAccounts, .texts,
            "Files of accounts into which registrations can be cloned, seen from the account's folder."),
        Field(
            "monitoring", MonitoringFields.all.schema(), "The people who get reports of problems, and summaries."
        ) {
            $1.monitoring = MonitoringFields.load($0, &$2) ?? $1.monitoring
        } write: {
            DocumentField("monitoring", MonitoringFields.all.value(of: $0.monitoring))
        },
        Field("keys", .text, "The key file, seen from the account's folder.", read: AccountLoader.readKeys) {
            DocumentField("keys", $0.keyFile)
        },
    ]

    // A list that is there, though empty, if it is no `nil`.
    private static func items(
        _ key: String, _ schema: JSONSchema, _ help: String,
        read: @escaping @Sendable (Node, inout Account, inout DocumentReader) -> Void,
        write: @escaping @Sendable (Account) -> [DocumentValue]?
    ) -> Field<Account> {
        Field(key, schema, help, read: read) { DocumentField(key, write($0).map(DocumentValue.list)) }
    }
}

extension DocumentKind {
    /// An account file.
    package static let account = DocumentKind(name: "an account", keys: Set(AccountFields.keys))
}
