/// The differences between two accounts that show on which attestations of captures they may decide otherwise.
///
/// A device that both remember alike gets the same decision of both, unless the attestation has something that is named here.
package struct AccountDifference: Sendable {
    /// The flags about which the accounts' own policies do something else.
    package private(set) var flags = FlagSet.empty
    /// The filters of the first account that the other one lacks, or has with other options.
    package private(set) var filters = FilterSet.empty
    /// The devices of which the entries differ.
    package private(set) var devices: [DeviceID] = []
    /// True if more differs, so that any decision may be another one.
    package private(set) var isGeneral: Bool

    /// - Parameters:
    ///   - account: An account.
    ///   - edited: Another one.
    package init(_ account: Account, _ edited: Account) {
        var policy = edited.policy
        policy.rejection = account.policy.rejection
        isGeneral =
            policy != account.policy || account.samplingPercentage != edited.samplingPercentage
            || account.knowsNewDevices != edited.knowsNewDevices
            || AccountChange(from: account, to: edited).parts.contains(where: Self.bearsOnEverything)
        addFlags(account.policy.rejection, edited.policy.rejection)
        addFilters(account.filters, edited.filters)
        addDevices(account.devices, edited.devices)
    }

    // True if any decision may be another one; the other parts are compared in detail.
    private static func bearsOnEverything(_ part: AccountPart) -> Bool {
        switch part {
        case .policy, .filters, .devices, .filteredPolicy: false
        // Neither the rights of users nor the recipients of mail affect decisions.
        case .users, .monitoring: false
        case .name, .flags, .rules, .deviceCheck, .safetyNet, .certificates, .registrations, .removedRegistrations,
            .domains, .secureStrings, .features, .developmentKey, .pinningTestURL, .tokens, .keys, .responseCodes,
            .propagation, .grace, .billingDay, .other:
            true
        }
    }

    private mutating func addFlags(_ policy: RejectionPolicy, _ edited: RejectionPolicy) {
        // A preset has more than flags: a lifetime, and whether filters count.
        if policy.base != edited.base { isGeneral = true }
        flags = policy.rejecting.symmetricDifference(edited.rejecting)
            .union(policy.rejectingUnlessXposed.symmetricDifference(edited.rejectingUnlessXposed))
    }

    private mutating func addFilters(_ own: [Filter], _ edited: [Filter]) {
        for (index, filter) in own.enumerated() where !edited.contains(filter) { filters.insert(index) }
        // The filters that are left must be in the same order, and none may be new.
        let kept = own.map(\.name).filter { name in edited.contains { $0.name == name } }
        if kept != edited.map(\.name) { isGeneral = true }
        for filter in edited where own.first(where: { $0.name == filter.name })?.test != filter.test {
            isGeneral = true
        }
    }

    private mutating func addDevices(_ own: [DeviceEntry], _ edited: [DeviceEntry]) {
        for entry in own + edited where !own.contains(entry) || !edited.contains(entry) {
            if entry.id.isFilteredPolicy { isGeneral = true } else { devices.append(entry.id) }
        }
    }
}

extension FlagSet {
    // The flags in one set and not in both.
    fileprivate func symmetricDifference(_ other: FlagSet) -> FlagSet { FlagSet(bits: bits ^ other.bits) }
}
