internal import Documents
internal import PolicyEngine

/// The parts of an account as fields of its file: what ``AccountLoader`` and its helpers read, the other way round.
enum AccountFields {
    /// The keys of an account in their usual order.
    static let order = [
        "account", "policy", "reject-flags", "rules", "flags", "arc", "ip-tracking", "audience", "issuer",
        "pinning-test-url", "sampling-percentage", "propagation", "grace", "billing-day", "team", "filters", "devices",
        "devicecheck", "safetynet", "app-signing-certs", "registrations", "apis", "keys",
    ]

    /// What the whole account is judged by; a policy made by hand starts from its preset.
    static func policy(_ policy: SecurityPolicy) -> DocumentField {
        let text = "\(policy.rules),\(policy.rejection.base.rawValue),\(policy.annotation.text)"
        return DocumentField("policy", text, isNeeded: text != SecurityPolicy.initial.description)
    }

    /// What tokens tell.
    static func settings(of account: Account) -> [DocumentField] {
        [
            DocumentField("arc", onOff(account.isResponseCodeOn), isNeeded: !account.isResponseCodeOn),
            DocumentField("ip-tracking", account.ipTracking.rawValue, isNeeded: account.ipTracking != .token),
            DocumentField("audience", onOff(account.includesAudience), isNeeded: account.includesAudience),
            DocumentField("issuer", onOff(account.includesIssuer), isNeeded: account.includesIssuer),
            DocumentField("pinning-test-url", account.pinningTestURL),
            DocumentField(
                "sampling-percentage", account.samplingPercentage.decimal,
                isNeeded: account.samplingPercentage != .zero),
        ]
    }

    /// A filter.
    static func fields(of filter: Filter) -> [DocumentField] {
        [DocumentField("name", filter.name)] + test(of: filter)
            + FilterOption.all.map { option in
                let isChosen = filter.options.contains(option.option)
                return DocumentField(
                    option.key, .text(isChosen ? "true" : "false"), isNeeded: isChosen, goesRatherThanChanges: true)
            }
    }

    private static func test(of filter: Filter) -> [DocumentField] {
        var (match, regex): (String?, String?)
        switch filter.test {
        case .exact(_, let value): match = value
        case .regex(_, let pattern): regex = pattern.source
        case .conjunction: break
        }
        return [
            DocumentField("key", filter.key), DocumentField("match", match), DocumentField("regex", regex),
            DocumentField("conjunction", filter.inputs.map(DocumentValue.texts)),
        ]
    }

    /// A device entry.
    static func fields(of entry: DeviceEntry) -> [DocumentField] {
        [
            DocumentField("id", entry.id.description), DocumentField("policy", entry.policy?.description),
            DocumentField("label", entry.label), DocumentField("user", entry.user),
            DocumentField("pin-mode", entry.pinMode?.rawValue), DocumentField("ban-mode", entry.banMode?.rawValue),
            DocumentField("probe-url", entry.probeURL),
        ]
    }

    /// DeviceCheck.
    ///
    /// - Parameter hasTeam: Whether the account says its team itself.
    static func fields(of settings: DeviceCheckSettings, hasTeam: Bool) -> [DocumentField] {
        [
            DocumentField("team-id", settings.teamID, isNeeded: !hasTeam), DocumentField("key-id", settings.keyID),
            DocumentField("bits", settings.bits.rawValue, isNeeded: settings.bits != .none),
            DocumentField(
                "expiry", "\(settings.expiry)", isNeeded: settings.expiry != DeviceCheckSettings.defaultExpiry),
        ]
    }

    /// SafetyNet.
    static func fields(of settings: SafetyNetSettings) -> [DocumentField] {
        let isUsual = settings.dailyQuota == SafetyNetSettings.defaultDailyQuota
        return [
            DocumentField("api-key", settings.apiKey),
            DocumentField("daily-quota", "\(settings.dailyQuota)", isNeeded: !isUsual),
        ]
    }

    /// An API domain.
    static func fields(of domain: APIDomain) -> [DocumentField] {
        [
            DocumentField("domain", domain.name), DocumentField("type", domain.type.rawValue),
            DocumentField("alg", domain.algorithm), DocumentField("kid", domain.keyID),
            DocumentField("pins", domain.pins.isEmpty ? nil : DocumentValue.texts(domain.pins)),
            DocumentField("monitor-port", domain.monitorPort.map { "\($0)" }),
        ]
    }

    /// A certificate: its fingerprint alone, where nothing else is known.
    static func value(of certificate: AppSigningCertificate) -> DocumentValue {
        guard certificate.subject != nil || certificate.expiry != nil else { return .text(certificate.fingerprint) }
        return .mapping([
            DocumentField("fingerprint", certificate.fingerprint), DocumentField("subject", certificate.subject),
            DocumentField("expiry", certificate.expiry?.description),
        ])
    }

    /// A registration.
    ///
    /// - Parameter expiryKey: The key of its end: `expires`, or `expiry` where the file has that.
    static func fields(of registration: Registration, expiryKey: String = "expires") -> [DocumentField] {
        [
            DocumentField("app-sig", registration.signature), DocumentField("appid", registration.package),
            DocumentField("app-version", registration.version),
            DocumentField("version-name", registration.versionName),
            DocumentField("sdk", registration.sdk), DocumentField("library-id", registration.libraryID),
            DocumentField(
                "bundle", .text(registration.isBundle ? "true" : "false"), isNeeded: registration.isBundle,
                goesRatherThanChanges: true),
            DocumentField("label", registration.label), DocumentField("added", registration.added?.description),
            DocumentField(expiryKey, registration.expiry?.description),
            DocumentField("added-by", registration.addedBy),
        ]
    }

    private static func onOff(_ isOn: Bool) -> String { isOn ? "on" : "off" }
}

extension Percentage {
    /// The number as it is written in an account: without a sign and without zeros that say nothing.
    fileprivate var decimal: String {
        let (whole, rest) = billionths.quotientAndRemainder(dividingBy: 1_000_000_000)
        guard rest > 0 else { return "\(whole)" }
        let digits = String("\(1_000_000_000 + rest)".dropFirst())
        return "\(whole).\(digits.prefix(through: digits.lastIndex { $0 != "0" } ?? digits.startIndex))"
    }
}
