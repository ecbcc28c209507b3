/// A part of an account that can be another one after a change.
///
/// The parts together are the whole account: what a key of an account file says belongs to one of them, and what none of
/// them holds is ``other``.
package enum AccountPart: Hashable, Sendable, CaseIterable {
    /// The name, which takes part in sampling and response codes.
    case name
    /// The flags that the account declares (R2.2).
    case flags
    /// The names of rule sets beside `default`.
    case rules
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
    /// The registrations that were removed, which affect captures alone (R15.2).
    case removedRegistrations
    /// The API domains and their pins.
    case domains
    case secureStrings
    /// The features beside tokens.
    case features
    case developmentKey
    case pinningTestURL
    /// The settings of claims, and the key file.
    case tokens
    /// The keys of tokens and messages.
    case keys
    /// The switch and the secret of response codes.
    case responseCodes
    /// The time from a change until it is in force.
    case propagation
    /// The time for which tokens outlive their lifetime.
    case grace
    case billingDay
    /// The user roles, and the accounts in which whoever has this one is a delegate.
    case users
    /// The recipients of mail on the account, and its frequency.
    case monitoring
    /// All else: a part of which nothing is known affects everything.
    case other
}

/// The differences between an account before and after a change.
package struct AccountChange: Sendable {
    package let before, after: Account
    /// The parts that differ, in the order of their declaration.
    package let parts: [AccountPart]

    /// Compares two accounts.
    package init(from before: Account, to after: Account) {
        (self.before, self.after) = (before, after)
        let (parts, areAll) = after.differences(from: before)
        self.parts = parts + (areAll ? [] : [.other])
    }

    /// The filters of either account that the other one lacks, or has in another form, each with its account.
    package var filters: [(filter: Filter, account: Account)] {
        before.filters.filter { !after.filters.contains($0) }.map { ($0, before) } + newFilters.map { ($0, after) }
    }

    /// The filters of the account after that the one before lacks, or has in another form.
    package var newFilters: [Filter] { after.filters.filter { !before.filters.contains($0) } }

    /// True if filters that both accounts have are in another order.
    package var reordersFilters: Bool {
        let (own, other) = (before.filters.map(\.name), after.filters.map(\.name))
        return own.filter(other.contains) != other.filter(own.contains)
    }

    /// The entries of devices that one of the accounts lacks, or has in another form.
    package var entries: [DeviceEntry] {
        let (own, other) = (before.entriesOfDevices, after.entriesOfDevices)
        return own.filter { !other.contains($0) } + other.filter { !own.contains($0) }
    }

    /// The flags on which one of the policies rejects and the other does not; `nil` where more differs than these, and with
    /// them the name of the rejection policy (R4.4).
    package var rejectFlags: FlagSet? {
        var same = after.policy
        same.rejection = before.policy.rejection
        guard same == before.policy, before.policy.rejection.base == after.policy.rejection.base else { return nil }
        let (own, other) = (before.policy.rejection, after.policy.rejection)
        return FlagSet(
            bits: (own.rejecting.bits ^ other.rejecting.bits)
                | (own.rejectingUnlessXposed.bits ^ other.rejectingUnlessXposed.bits))
    }
}

// The attestations of captures on which the accounts may decide otherwise. A device that both remember alike gets the same
// decision of both, unless the attestation has one of the flags, filters or devices that differ.
extension AccountChange {
    /// The filters of the account before that the one after lacks, or has with other options.
    package var changedFilters: FilterSet {
        before.filters.enumerated().reduce(into: .empty) { set, filter in
            if !after.filters.contains(filter.element) { set.insert(filter.offset) }
        }
    }

    /// True if more differs than reject flags, filters and entries of devices, so that any decision may be another one.
    package var bearsOnEveryDecision: Bool {
        rejectFlags == nil || before.knowsNewDevices != after.knowsNewDevices || !onlyTakesFromFilters
            || parts.contains { part in
                switch part {
                case .policy, .filters, .devices: false
                // Neither the rights of users nor the recipients of mail affect decisions.
                case .users, .monitoring: false
                case .name, .flags, .rules, .filteredPolicy, .deviceCheck, .safetyNet, .certificates, .registrations,
                    .removedRegistrations, .domains, .secureStrings, .features, .developmentKey, .pinningTestURL,
                    .tokens, .keys, .responseCodes, .propagation, .grace, .billingDay, .other:
                    true
                }
            }
    }

    // The filters that are left must be in the same order and test the same, and none may be new.
    private var onlyTakesFromFilters: Bool {
        let kept = before.filters.filter { filter in after.filters.contains { $0.name == filter.name } }
        return kept.map(\.name) == after.filters.map(\.name) && kept.map(\.test) == after.filters.map(\.test)
    }
}

extension Account {
    /// The entries but the one that stands for filtered devices.
    fileprivate var entriesOfDevices: [DeviceEntry] { devices.filter { !$0.id.isFilteredPolicy } }
}

extension Account: FieldwiseComparable {
    package typealias Field = AccountPart

    package mutating func copy(_ part: AccountPart, from other: Account) {
        switch part {
        case .name: name = other.name
        case .flags: catalogue = other.catalogue
        case .rules: declaredRules = other.declaredRules
        case .policy: policy = other.policy
        case .filters: (filters, knowsNewDevices) = (other.filters, other.knowsNewDevices)
        case .devices: copyEntries(from: other)
        case .filteredPolicy: (devices, samplingPercentage) = (other.devices, other.samplingPercentage)
        case .deviceCheck: (deviceCheck, ownTeam) = (other.deviceCheck, other.ownTeam)
        case .safetyNet: safetyNet = other.safetyNet
        case .certificates: certificates = other.certificates
        case .registrations: registrations = other.registrations
        case .removedRegistrations: removedRegistrations = other.removedRegistrations
        case .domains: (apiDomains, listsAPIDomains) = (other.apiDomains, other.listsAPIDomains)
        case .secureStrings: secureStrings = other.secureStrings
        case .features: features = other.features
        case .developmentKey: developmentKey = other.developmentKey
        case .pinningTestURL: pinningTestURL = other.pinningTestURL
        case .tokens: copyTokens(from: other)
        case .keys: keys = other.keys
        case .responseCodes:
            (isResponseCodeOn, responseCodeSecret) = (other.isResponseCodeOn, other.responseCodeSecret)
        case .propagation: propagation = other.propagation
        case .grace: grace = other.grace
        case .billingDay: billingDay = other.billingDay
        case .users: (users, delegateAccounts) = (other.users, other.delegateAccounts)
        case .monitoring: monitoring = other.monitoring
        case .other: break
        }
    }

    // The entries of the other account, at its positions; the one that stands for filtered devices stays this one's.
    private mutating func copyEntries(from other: Account) {
        let own = devices.first(where: \.id.isFilteredPolicy)
        let taken = other.devices.compactMap { $0.id.isFilteredPolicy ? own : $0 }
        let isTaken = own == nil || taken.contains(where: \.id.isFilteredPolicy)
        devices = taken + (isTaken ? [] : devices.filter(\.id.isFilteredPolicy))
    }

    private mutating func copyTokens(from other: Account) {
        (keyFile, ipTracking) = (other.keyFile, other.ipTracking)
        (includesAudience, includesIssuer) = (other.includesAudience, other.includesIssuer)
    }
}
