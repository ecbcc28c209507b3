internal import PolicyEngine

/// The degree to which a capture shows the effect of a change.
enum CaptureBearing: Hashable {
    /// The change affects no verdict, call or request.
    case none
    /// A comparison evaluates it.
    case evaluated
    /// It may turn devices, and a capture does not show which; in words.
    case unseen(String)

    /// The one of some that says most.
    static func strongest(of bearings: some Sequence<CaptureBearing>) -> CaptureBearing {
        bearings.max { $0.rank < $1.rank } ?? .none
    }

    private var rank: Int {
        switch self {
        case .none: 0
        case .evaluated: 1
        case .unseen: 2
        }
    }
}

extension AccountChange {
    /// The degree to which a capture shows the effect of a change of one part.
    func bearing(of part: AccountPart) -> CaptureBearing {
        switch part {
        case .name, .flags, .rules, .policy, .filteredPolicy, .removedRegistrations: .evaluated
        case .tokens, .responseCodes, .billingDay, .users, .monitoring: .none
        case .filters: changesMarkedBans ? Self.markedBans : .evaluated
        case .devices: bearingOfEntries
        case .deviceCheck: .unseen("DeviceCheck changes, and a capture shows only what the old settings found")
        case .safetyNet: CaptureBearing.safetyNet
        case .certificates: .strongest(of: certificateFields.map(\.bearing))
        case .registrations: bearingOfRegistrations
        case .domains:
            before.listsAPIDomains != after.listsAPIDomains
                ? .domains : .strongest(of: domainFields.map(\.bearing))
        case .secureStrings: .unseen("secure strings change, and a capture does not show which of them apps ask for")
        case .features: .unseen("features change, and a capture shows no calls but those for tokens")
        case .developmentKey: .unseen("the development key changes, and a capture does not show which apps have it")
        case .pinningTestURL: .unseen("the pinning test changes, and a capture shows only what the old one found")
        case .keys: .unseen("keys change, and a capture does not show which tokens and messages backends accept")
        case .propagation: .unseen("the propagation of changes differs, and a capture shows no changes")
        case .grace: .unseen("the grace of tokens changes, and a capture shows no requests")
        case .other: .unseen("the account changes in parts that a capture does not show")
        }
    }

    // MARK: Entries of lists

    private static let markedBans = CaptureBearing.unseen(
        "bans change, and a capture shows only which devices DeviceCheck marked as banned before")

    private var bearingOfEntries: CaptureBearing {
        let marked = entryFields.contains(.banMode) && marksBans ? [Self.markedBans] : []
        return .strongest(of: entryFields.map(\.bearing) + marked)
    }

    // Registrations that the account after lacks are evaluated (R15.2); those that it has besides are not.
    private var bearingOfRegistrations: CaptureBearing {
        let (own, others) = (before.registrations?.map(\.asMatched), after.registrations?.map(\.asMatched))
        guard let others else {
            return .unseen("the account after lists no registrations at all, so captured apps keep what was observed")
        }
        guard let own, others.allSatisfy(own.contains) else {
            return .unseen("registrations are added, and captured apps keep `app-not-registered` as it was observed")
        }
        return own.allSatisfy(others.contains) ? .none : .evaluated
    }

    private var entryFields: Set<DeviceEntry.Field> {
        before.devices.fields(
            differingFrom: after.devices, pairing: { $0.id == $1.id }, blank: { DeviceEntry(id: $0.id) })
    }

    private var domainFields: Set<APIDomain.Field> {
        before.apiDomains.fields(differingFrom: after.apiDomains, pairing: { $0.isNamed($1.name) })
    }

    private var certificateFields: Set<AppSigningCertificate.Field> {
        before.certificates.fields(
            differingFrom: after.certificates, pairing: { ExactText($0.fingerprint) == ExactText($1.fingerprint) })
    }

    // R8.4: who is banned is marked with Apple, and found there by the next install on the device.
    private var marksBans: Bool {
        [before.deviceCheck, after.deviceCheck].contains { settings in
            settings.map { $0.keyID != nil && $0.bits != .none } ?? false
        }
    }

    private var changesMarkedBans: Bool {
        marksBans
            && filters.contains { filter, account in
                filter.options.contains(.ban)
                    || account.filters.contains {
                        $0.options.contains(.ban) && $0.inputs?.contains(filter.name) == true
                    }
            }
    }
}

extension Array where Element: FieldwiseComparable {
    /// The fields in which the values of two lists differ.
    ///
    /// - Parameters:
    ///   - other: The other list.
    ///   - isSame: True if two values of the lists belong together.
    ///   - blank: The value that is compared with one to which none belongs; `nil` is one that differs in every field.
    fileprivate func fields(
        differingFrom other: [Element], pairing isSame: (Element, Element) -> Bool,
        blank: (Element) -> Element? = { _ in nil }
    ) -> Set<Element.Field> {
        let own = flatMap { value in
            let partner = other.first { isSame(value, $0) } ?? blank(value)
            return partner.map(value.fields) ?? Set(Element.Field.allCases)
        }
        let added = other.filter { value in !contains { isSame($0, value) } }
        let others = added.flatMap { value in blank(value).map(value.fields) ?? Set(Element.Field.allCases) }
        return Set(own + others)
    }
}

extension CaptureBearing {
    fileprivate static let safetyNet = unseen("SafetyNet changes, and a capture shows only what the old settings found")
    fileprivate static let domains = unseen(
        "API domains change, and a capture does not say for which one an app asks")
}

extension DeviceEntry.Field {
    /// The degree to which a capture shows the effect of its change.
    fileprivate var bearing: CaptureBearing {
        switch self {
        case .policy, .banMode: .evaluated
        case .pinMode: .unseen("pin modes of devices change, and a capture shows no connections")
        case .id, .label, .user, .probeURL: .none
        }
    }
}

extension APIDomain.Field {
    /// The degree to which a capture shows the effect of its change.
    fileprivate var bearing: CaptureBearing {
        switch self {
        case .domain, .type, .algorithm, .keyID, .pins: .domains
        case .monitorPort: .none
        }
    }
}

extension AppSigningCertificate.Field {
    /// The degree to which a capture shows the effect of its change.
    fileprivate var bearing: CaptureBearing {
        switch self {
        case .fingerprint: .safetyNet
        case .subject, .expiry: .none
        }
    }
}
