package import Documents
internal import PolicyEngine

/// The schema of account files, from the tables that the loader reads them by.
package enum AccountSchema {
    /// An account that is a document of its own, or part of one.
    ///
    /// It knows the form of each value by itself, and not what loading and lint find by looking at several.
    package static var schema: JSONSchema {
        .object(AccountKey.allCases.map { key in (key.rawValue, form(of: key).described(as: summary(of: key))) })
    }

    /// The whole document.
    package static var document: String { schema.document(title: "An account") }

    private static func form(of key: AccountKey) -> JSONSchema {
        switch key {
        case .account, .team, .pinningTestURL, .keys, .developmentKey: .text
        case .features: .list(of: .words(of: AccountFeature.self)).with("uniqueItems", .truth(true))
        case .secureStrings:
            .map(
                of: .text,
                keys: JSONSchema([("minLength", .number(1)), ("maxLength", .number(SecureStringKey.length))]))
        case .policy: RuleForms.policy
        case .rejectFlags:
            .object(["add", "remove"].map { ($0, .list(of: RuleForms.flag).with("uniqueItems", .truth(true))) })
        case .rules: .list(of: .textOrNumber(matching: "(?!default$)[a-z0-9-]{1,64}")).with("uniqueItems", .truth(true))
        case .flags:
            .list(of: declaration, atMost: Flag.limit - FlagCatalogue().declaredNames.count)
                .with("uniqueItems", .truth(true))
        case .responseCodes, .audience, .issuer: .onOff
        case .ipTracking: .words(of: IPTracking.self)
        case .samplingPercentage: .barePercentage
        case .propagation, .grace: .durationOfADay
        case .billingDay: .integer(in: AccountLimits.billingDays)
        case .filters: .list(of: filter, atMost: AccountLimits.filters).with("uniqueItems", .truth(true))
        case .devices: .list(of: device, atMost: AccountLimits.devices).with("uniqueItems", .truth(true))
        case .deviceCheck: deviceCheck
        case .safetyNet:
            .object(
                SafetyNetFields.Key.allCases.map { ($0.rawValue, form(of: $0)) })
        case .certificates:
            .list(of: certificate, atMost: AccountLimits.appSigningCertificates).with("uniqueItems", .truth(true))
        case .registrations: .list(of: registration, atMost: AccountLimits.registrations)
        case .domains: .list(of: domain, atMost: AccountLimits.apiDomains)
        case .users: .list(of: user)
        case .delegateAccounts: .list(of: .text)
        case .monitoring: monitoring
        }
    }

    // MARK: Entries

    private static var declaration: JSONSchema {
        .object(
            FlagLoader.Key.allCases.map { key in
                switch key {
                case .name:
                    let names = FlagCatalogue().declaredNames + [FlagCatalogue.misspelt] + AnnotationPolicy.presetNames
                    let taken = names.joined(separator: "|")
                    return (key.rawValue, .textOrNumber(matching: "(?!(\(taken))$)[a-z0-9-]{1,64}"))
                case .description: return (key.rawValue, .text)
                case .risk: return (key.rawValue, .boolean)
                }
            }, required: [FlagLoader.Key.name.rawValue])
    }

    private static var filter: JSONSchema {
        typealias Key = FilterFields.Key
        let fields = Key.allCases.map { key -> (name: String, schema: JSONSchema) in
            switch key {
            case .name: (key.rawValue, RuleForms.filterName)
            case .key: (key.rawValue, .text)
            case .regex: (key.rawValue, .text)
            case .match: (key.rawValue, .anyText)
            case .conjunction: (key.rawValue, .list(of: RuleForms.filterName, atLeast: 1))
            }
        }
        let options = FilterOption.all.map { (name: $0.key, schema: JSONSchema.boolean) }
        return .object(fields + options, required: [Key.name.rawValue])
    }

    private static var device: JSONSchema {
        typealias Key = DeviceFields.Key
        let fields = Key.allCases.map { key -> (name: String, schema: JSONSchema) in
            switch key {
            case .id: (key.rawValue, RuleForms.deviceID)
            case .policy: (key.rawValue, RuleForms.policy)
            case .label, .user: (key.rawValue, .text)
            case .pinMode: (key.rawValue, .words(of: PinMode.self))
            case .banMode: (key.rawValue, .words(of: BanMode.self))
            case .probeURL: (key.rawValue, .text(matching: "[Hh][Tt][Tt][Pp][Ss]://[!-~]+"))
            }
        }
        return .object(fields, required: [Key.id.rawValue])
    }

    private static var deviceCheck: JSONSchema {
        .object(
            DeviceCheckFields.Key.allCases.map { key in
                switch key {
                case .teamID, .keyID: (key.rawValue, .text)
                case .bits: (key.rawValue, .words(of: DeviceCheckSettings.Bits.self))
                case .expiry: (key.rawValue, .integer(in: AccountLimits.deviceCheckExpiry))
                }
            })
    }

    private static func form(of key: SafetyNetFields.Key) -> JSONSchema {
        switch key {
        case .apiKey: .text
        case .dailyQuota: .integer(in: SafetyNetFields.quotas)
        }
    }

    private static var certificate: JSONSchema {
        let fields = CertificateFields.Key.allCases.map { key -> (name: String, schema: JSONSchema) in
            switch key {
            case .fingerprint: (key.rawValue, fingerprint)
            case .subject: (key.rawValue, .text)
            case .expiry: (key.rawValue, .instant)
            }
        }
        return .any(of: [fingerprint, .object(fields, required: [CertificateFields.Key.fingerprint.rawValue])])
    }

    private static let fingerprint = JSONSchema.text(matching: "([0-9A-Fa-f]{2}:){7,}[0-9A-Fa-f]{2}")

    private static var registration: JSONSchema {
        typealias Key = RegistrationFields.Key
        let fields = Key.allCases.map { key -> (name: String, schema: JSONSchema) in
            switch key {
            case .signature, .package, .version, .versionName, .sdk, .libraryID, .label, .addedBy, .clonedFrom:
                (key.rawValue, .text)
            case .bundle: (key.rawValue, .boolean)
            case .added, .expires: (key.rawValue, .instant)
            }
        }
        return .object(fields + [(RegistrationFields.olderExpiry, .instant)], required: [Key.signature.rawValue])
    }

    private static var domain: JSONSchema {
        .object(
            DomainFields.Key.allCases.map { key in
                switch key {
                case .domain: (key.rawValue, .textOrNumber(matching: "[A-Za-z0-9.-]+|\\*"))
                case .type: (key.rawValue, .words(of: APIDomain.Kind.self))
                case .algorithm: (key.rawValue, .words(of: TokenAlgorithm.self))
                case .keyID: (key.rawValue, .text)
                case .pins:
                    (
                        key.rawValue,
                        .list(of: RuleForms.pin, atMost: AccountLimits.pinsPerDomain)
                    )
                case .monitorPort: (key.rawValue, .integer(in: AccountLimits.ports))
                }
            }, required: [DomainFields.Key.domain.rawValue])
    }
}
