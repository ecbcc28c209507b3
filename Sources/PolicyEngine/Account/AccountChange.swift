/// A part of an account that can be another one after a change.
package enum AccountPart: Hashable, Sendable, CaseIterable {
    /// The security policy.
    case policy
    case filters
    /// The entries of devices.
    case devices
    /// The entry that stands for filtered devices, and the share of devices that is sampled (R7.3, R7.6).
    case filteredPolicy
    case deviceCheck, safetyNet
    /// The certificates that apps may be signed with.
    case certificates
    case registrations
    /// The registrations that were removed, which bear on captures alone (R15.2).
    case removedRegistrations
    /// The API domains and their pins.
    case domains
    case secureStrings
    /// What the account has beside tokens.
    case features
    case developmentKey
    case pinningTestURL
    /// What tokens say, and the keys that they are made with.
    case tokens
    /// How long a change takes.
    case propagation
    /// All else, such as the name, which bears on every attestation.
    case other
}

/// What is different in an account after a change.
package struct AccountChange: Sendable {
    package let before, after: Account
    /// The parts that differ, in the order of their declaration.
    package let parts: [AccountPart]

    /// Compares two accounts.
    package init(from before: Account, to after: Account) {
        (self.before, self.after) = (before, after)
        var rest = after
        var parts: [AccountPart] = []
        for part in AccountPart.allCases {
            let copy = rest
            rest.take(part, of: before)
            if rest != copy || rest.words != copy.words { parts.append(part) }
        }
        // Nothing is left out: what no part holds is a change of all.
        if rest != before || rest.words != before.words { parts.append(.other) }
        self.parts = parts
    }

    /// The filters of either account that the other one lacks, or has in another form, each with its account.
    package var filters: [(filter: Filter, account: Account)] {
        before.filters.filter { !after.filters.contains($0) }.map { ($0, before) }
            + after.filters.filter { !before.filters.contains($0) }.map { ($0, after) }
    }

    /// Whether filters that both accounts have stand in another order.
    package var reordersFilters: Bool {
        let (own, other) = (before.filters.map(\.name), after.filters.map(\.name))
        return own.filter(other.contains) != other.filter(own.contains)
    }

    /// The entries of devices that one of the accounts lacks, or has in another form.
    package var entries: [DeviceEntry] {
        let (own, other) = (before.entriesOfDevices, after.entriesOfDevices)
        return own.filter { !other.contains($0) } + other.filter { !own.contains($0) }
    }

    /// The flags on which one of the policies rejects and the other does not; `nil` where more differs, or its text does.
    package var rejectFlags: FlagSet? {
        var same = after.policy
        same.rejection = before.policy.rejection
        guard same == before.policy, before.policy.description == after.policy.description,
            before.policy.rejection.base == after.policy.rejection.base
        else { return nil }
        let (own, other) = (before.policy.rejection, after.policy.rejection)
        return FlagSet(
            bits: own.rejecting.bits ^ other.rejecting.bits
                | own.rejectingUnlessXposed.bits ^ other.rejectingUnlessXposed.bits)
    }
}

extension Account {
    /// The entries but the one that stands for filtered devices.
    fileprivate var entriesOfDevices: [DeviceEntry] { devices.filter { !$0.id.isFilteredPolicy } }

    // Every text that may hold letters which look the same in other bytes: to a string they are equal, to an app they are not.
    fileprivate var words: ExactText {
        ExactText(
            "\(name)\n\(keyFile ?? "")\n\(pinningTestURL ?? "")\n\(developmentKey ?? "")\n\(secureStrings.sorted { $0.key < $1.key })"
                + "\n\(String(describing: deviceCheck))\n\(String(describing: safetyNet))\n\(String(describing: registrations))"
                + "\n\(apiDomains)\n\(certificates)\n\(devices)\n\(declaredRules)")
    }

    // Makes one part that of another account.
    fileprivate mutating func take(_ part: AccountPart, of other: Account) {
        switch part {
        case .policy: policy = other.policy
        case .filters: filters = other.filters
        case .devices: devices = other.entriesOfDevices + devices.filter(\.id.isFilteredPolicy)
        case .filteredPolicy: (devices, samplingPercentage) = (other.devices, other.samplingPercentage)
        case .deviceCheck: deviceCheck = other.deviceCheck
        case .safetyNet: safetyNet = other.safetyNet
        case .certificates: certificates = other.certificates
        case .registrations: registrations = other.registrations
        case .removedRegistrations: removedRegistrations = other.removedRegistrations
        case .domains: (apiDomains, listsAPIDomains) = (other.apiDomains, other.listsAPIDomains)
        case .secureStrings: secureStrings = other.secureStrings
        case .features: features = other.features
        case .developmentKey: developmentKey = other.developmentKey
        case .pinningTestURL: pinningTestURL = other.pinningTestURL
        case .tokens: takeTokens(of: other)
        case .propagation: propagation = other.propagation
        case .other: break
        }
    }

    private mutating func takeTokens(of other: Account) {
        (keys, keyFile, ipTracking) = (other.keys, other.keyFile, other.ipTracking)
        (includesAudience, includesIssuer) = (other.includesAudience, other.includesIssuer)
    }
}
