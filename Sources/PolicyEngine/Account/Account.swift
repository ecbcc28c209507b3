/// An account: everything that decides on attestations, as a value.
///
/// Changing a copy changes nothing else; an ``Engine`` knows which value is in force when.
public struct Account: Equatable, Sendable {
    /// The name; it takes part in sampling (R7.6).
    @ByteExact public var name: String
    /// The built-in flags and those that the account declares (R2.2).
    public internal(set) var catalogue: FlagCatalogue
    /// The rule sets beside `default` (R3.2).
    @ByteExact public var declaredRules: [String] = []
    /// The policy for devices without one of their own.
    public var policy = SecurityPolicy.initial
    /// True if tokens carry an attestation response code (R12.4).
    public var isResponseCodeOn = true
    /// The secret of its attestation response codes, any bytes; `nil` derives one from the name, which keeps nothing
    /// secret and is for simulations (R12.2).
    public var responseCodeSecret: [UInt8]?
    /// The keys of its tokens and messages.
    public var keys = AccountKeys()
    /// The file of its keys, as the account says it; `nil` where it names none.
    @ByteExact package var keyFile: String?
    /// The extent to which tokens carry the client's address.
    public var ipTracking = IPTracking.token
    /// True if tokens carry their audience.
    public var includesAudience = false
    /// True if tokens carry their issuer.
    public var includesIssuer = false
    /// The URL that an app tries to reach at its first fetch though the pins forbid it (R18.7).
    @ByteExact package var pinningTestURL: String?
    /// Its features beside tokens; `nil` if it has no list of them (R21.1).
    package var features: Set<AccountFeature>?
    /// The strings that apps get once they pass, by their keys (R21.2).
    package var secureStrings: [ExactText: ExactText] = [:]
    /// The key that an app has to give to count as a development version; `nil` if none can (R21.5).
    @ByteExact package var developmentKey: String?
    /// The share of devices that executes the filtered policy (R7.6).
    public var samplingPercentage = Percentage.zero
    /// Seconds from a change until it is in force (R1.5).
    public var propagation = 30
    /// The manual's "few seconds" (R11.2).
    package static let usualGrace = 10
    /// Seconds for which a token outlives its lifetime (R11.2).
    public var grace = Account.usualGrace
    /// The day of the month on which a billing month starts, 1 through 28 (R13.2).
    package var billingDay = 1
    /// The filters, in filter order.
    public internal(set) var filters: [Filter] = []
    /// The devices with settings of their own (R6).
    public internal(set) var devices: [DeviceEntry] = []
    /// DeviceCheck; `nil` where nothing was configured.
    package var deviceCheck: DeviceCheckSettings?
    /// The team of an account without a team ID, where its name does not distinguish it from others (R8.10).
    @ByteExact package var ownTeam: String?
    /// SafetyNet; `nil` where nothing was configured.
    package var safetyNet: SafetyNetSettings?
    /// The certificates that apps may be signed with.
    package internal(set) var certificates: [AppSigningCertificate] = []
    /// The apps that are registered, from which `app-not-registered` is derived; `nil` where the account lists none, so
    /// that devices say themselves whether they are registered (R15.1).
    public internal(set) var registrations: [Registration]?
    /// Those that were removed: a replay adds `app-not-registered` to what they stood for (R15.2).
    package internal(set) var removedRegistrations: [Registration] = []
    /// True if filters may ask for new devices; see ``withoutNewDevices``.
    var knowsNewDevices = true
    /// The API domains that are served; while none was ever listed, any domain is served (R14.2a).
    public internal(set) var apiDomains: [APIDomain] = []
    /// True if the account lists the domains that are served, be it none; without a list any is served (R14.2a).
    package internal(set) var listsAPIDomains = false
    /// The user roles, revoked and expired ones among them; `nil` if the account has no list of them (R24.2).
    package internal(set) var users: [UserRole]?
    /// The files of the accounts in which whoever has this one is a delegate, seen from the account's folder (R24.4).
    @ByteExact package var delegateAccounts: [String] = []
    /// The recipients of mail on the account, and its frequency (R25.1).
    package var monitoring = MonitoringSettings()

    /// Makes a new account with the policy `default,default,default` and nothing else.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - flags: Flags to declare beside the catalogue, in this order.
    /// - Throws: ``FlagError`` for the first flag that cannot be declared.
    public init(name: String = "account", declaring flags: [FlagDeclaration]) throws(FlagError) {
        self.name = name
        var catalogue = FlagCatalogue()
        for flag in flags { try catalogue.declare(flag) }
        self.catalogue = catalogue
    }

    /// Makes a new account with the built-in flags.
    public init(name: String = "account", catalogue: FlagCatalogue = FlagCatalogue()) {
        self.name = name
        self.catalogue = catalogue
    }

    /// The rule sets that policies may name, `default` first.
    public var rules: [String] { [SecurityPolicy.defaultRules] + declaredRules }

    /// The decided rules on which a decision by the account can rest, whatever attests.
    ///
    /// Of an account without these, no decision has to be examined (``Engine/decidedRules(of:among:symbols:)``).
    package var possibleRules: DecidedRules {
        let own = devices.filter { !$0.id.isFilteredPolicy }
        let filtered = effectiveFilteredPolicy
        let policies = [policy] + own.compactMap(\.policy) + [filtered].compactMap(\.self)
        var rules: DecidedRules = []
        if policies.contains(where: \.rejection.ignoresFilters) { rules.insert(.bansUnderWhitelist) }
        if policies.contains(where: \.annotation.isJoined) { rules.insert(.joinedAnnotations) }
        if own.contains(where: { $0.policy == nil }) { rules.insert(.deviceEntries) }
        if filters.contains(where: { $0.key == InformationKeys.attestReason }) { rules.insert(.reasonOfChange) }
        let hasProbe = filteredPolicyEntry?.probeURL != nil
        if hasProbe, filtered == nil, filters.contains(where: { $0.key == InformationKeys.probeResult }) {
            rules.insert(.filteredProbe)
        }
        guard let filtered else { return rules }
        if samplesByHash { rules.insert(.samplingHash) }
        let isExecuted = samplingPercentage > .zero || filters.contains { $0.options.contains(.executeFilteredPolicy) }
        if isExecuted, own.contains(where: { $0.policy.map { $0 != filtered } ?? false }) {
            rules.insert(.orderOfPolicies)
        }
        return rules
    }

    /// True if some devices are sampled, and others are not (R7.6).
    package var samplesByHash: Bool { samplingPercentage > .zero && samplingPercentage < .hundred }

    /// Reads a policy for this account or one of its devices (R3).
    ///
    /// - Throws: ``PolicyError``.
    public func securityPolicy(_ text: String) throws(PolicyError) -> SecurityPolicy {
        try SecurityPolicy(text, catalogue: catalogue, rules: rules)
    }

    /// Reads a policy for the filtered pseudo device, whose rules may be unknown; it then has no effect (R3.2).
    ///
    /// - Throws: ``PolicyError``.
    public func filteredSecurityPolicy(_ text: String) throws(PolicyError) -> SecurityPolicy {
        try SecurityPolicy(text, catalogue: catalogue, rules: nil)
    }

    /// The entry that carries the filtered policy, if there is one (R7.3).
    package var filteredPolicyEntry: DeviceEntry? {
        devices.first { $0.id.isFilteredPolicy }
    }

    /// The filtered policy where it has an effect: the account has its rules (R3.2), and they differ from those of the
    /// account's own policy (R7.3).
    package var effectiveFilteredPolicy: SecurityPolicy? {
        filteredPolicyEntry?.policy.flatMap { $0.rules != policy.rules && rules.contains($0.rules) ? $0 : nil }
    }

    /// Adds a filter from a list in which each name is used once, as an account file does (R7.1).
    ///
    /// Inputs of a conjunction may be missing, or come later; a conjunction that lacks one never matches (R7.4).
    ///
    /// - Throws: ``FilterError/duplicate(_:)``, ``FilterError/limitReached(_:)``.
    public mutating func append(_ filter: Filter) throws(FilterError) {
        guard !filters.contains(where: { $0.name == filter.name }) else { throw .duplicate(filter.name) }
        guard filters.count < AccountLimits.filters else { throw .limitReached(filter.name) }
        filters.append(filter)
    }

    /// Adds a filter, or replaces the one of that name at its position, as the command does (R7.1).
    ///
    /// - Throws: ``FilterError``: the limit, a missing input, a conjunction of a conjunction (R7.4).
    public mutating func set(_ filter: Filter) throws(FilterError) {
        var changed = self
        if let index = filters.firstIndex(where: { $0.name == filter.name }) {
            changed.filters[index] = filter
        } else {
            try changed.append(filter)
        }
        try changed.checkNesting(of: filter)
        if let missing = changed.missingInputs(of: filter).first {
            let known = changed.filters.filter { $0.inputs == nil }.map(\.name)
            throw .missingInput(missing, of: filter.name, known: known)
        }
        self = changed
    }

    /// Removes a filter; a conjunction that has it as an input matches no longer (R7.4).
    ///
    /// - Throws: ``FilterError/unknown(_:known:)``.
    public mutating func removeFilter(named name: String) throws(FilterError) {
        guard let index = filters.firstIndex(where: { $0.name == name }) else {
            throw .unknown(name, known: filters.map(\.name))
        }
        filters.remove(at: index)
    }

    /// The inputs of a conjunction that are no filters of this account (R7.4).
    package func missingInputs(of filter: Filter) -> [String] {
        (filter.inputs ?? []).filter { input in !filters.contains { $0.name == input } }
    }

    /// The first input of a conjunction that is a conjunction itself (R7.4).
    package func nestedInput(of filter: Filter) -> String? {
        let inputs = filter.inputs ?? []
        return filters.first { $0.inputs != nil && inputs.contains($0.name) }?.name
    }

    /// Checks that no conjunction is the input of another (R7.4).
    ///
    /// - Throws: ``FilterError/nestedConjunction(_:of:)``, ``FilterError/conjunctionUsedAsInput(_:of:)``.
    func checkNesting(of filter: Filter) throws(FilterError) {
        if let nested = nestedInput(of: filter) { throw .nestedConjunction(nested, of: filter.name) }
        guard filter.inputs != nil else { return }
        if let user = filters.first(where: { $0.inputs?.contains(filter.name) == true }) {
            throw .conjunctionUsedAsInput(filter.name, of: user.name)
        }
    }

    /// The developer team whose bits the account reads and writes (R8.10).
    ///
    /// Without a team ID it is one of the account's own, shared with nobody.
    package var developerTeam: String {
        // No team ID has a line break.
        deviceCheck?.teamID ?? ownTeam ?? "account\n\(name)"
    }

    /// Removes the key: no device is looked up any more; what Apple and device IDs hold stays (R8.7).
    package mutating func removeAuthKey() {
        deviceCheck?.keyID = nil
    }
}

/// The extent to which tokens carry the client's address; it does not affect filters (R7.2).
public enum IPTracking: String, Hashable, Sendable, CaseIterable {
    /// Tokens carry no address.
    case none
    /// Tokens carry the address, and the service records none.
    case token
    /// Tokens carry the address, and the service may record it.
    case full
}

extension Account {
    /// The account without all that depends on whether a device is new: filters for new devices alone never match, and no
    /// policy rejects on `new-did`; `nil` where that makes no difference.
    ///
    /// It evaluates captures that do not say which devices were new.
    package var withoutNewDevices: Account? {
        var account = self
        account.policy.rejection.overlook(.newDevice)
        for index in devices.indices { account.devices[index].policy?.rejection.overlook(.newDevice) }
        guard account != self || filters.contains(where: { $0.options.contains(.newDevicesOnly) }) else { return nil }
        account.knowsNewDevices = false
        return account
    }

    /// True if a decision may depend on whether a device is new; a filter on whose match nothing depends decides nothing.
    package var decidesOnNewDevices: Bool {
        guard let other = withoutNewDevices else { return false }
        let deciding = FilterProgram(filters).deciding
        let isDecided = filters.indices.contains { index in
            filters[index].options.contains(.newDevicesOnly) && deciding.contains(index)
        }
        return isDecided || policy != other.policy || devices != other.devices
    }

    /// Sets the API key for SafetyNet (manual, Setting the SafetyNet API Key).
    ///
    /// - Parameter key: The key; another one than before starts with the default quota, since the quota belongs to the
    ///   key (R9.3).
    package mutating func setSafetyNetKey(_ key: String) {
        if safetyNet?.apiKey != key { safetyNet = SafetyNetSettings(apiKey: key) }
    }
}

// The pins of API domains (R18.1; manual, Managing Domain Pins).
extension Account {
    /// Adds a pin to an API domain.
    ///
    /// - Parameters:
    ///   - text: The pin, or `key:NAME`, which stands for the pin of a key of that name.
    ///   - name: The domain, or `*` for the managed trust roots.
    /// - Returns: The pin.
    /// - Throws: ``ServiceError/unknownDomain(_:known:)``, ``ServiceError/managedPins(domain:)``,
    ///   ``ServiceError/invalidPin(_:domain:)``, ``ServiceError/duplicatePin(_:domain:)``,
    ///   ``ServiceError/pinLimitReached(_:domain:)``.
    package mutating func addPin(_ text: String, toDomain name: String) throws(ServiceError) -> String {
        let index = try indexOfPinnedDomain(named: name)
        let domain = apiDomains[index]
        guard let pin = PublicKeyPin.pin(in: text) else { throw .invalidPin(text, domain: domain.name) }
        guard !domain.pins.contains(pin) else { throw .duplicatePin(pin, domain: domain.name) }
        guard domain.pins.count < AccountLimits.pinsPerDomain else {
            throw .pinLimitReached(domain.pins.count + 1, domain: domain.name)
        }
        apiDomains[index].pins.append(pin)
        return pin
    }

    /// Removes a pin from an API domain; without pins any certificate is accepted that the platform trusts.
    ///
    /// - Parameters:
    ///   - text: The pin, or `key:NAME`.
    ///   - name: The domain, or `*`.
    /// - Returns: The pin.
    /// - Throws: ``ServiceError/unknownDomain(_:known:)``, ``ServiceError/managedPins(domain:)``,
    ///   ``ServiceError/invalidPin(_:domain:)``, ``ServiceError/unknownPin(_:domain:known:)``.
    package mutating func removePin(_ text: String, fromDomain name: String) throws(ServiceError) -> String {
        let index = try indexOfPinnedDomain(named: name)
        let domain = apiDomains[index]
        guard let pin = PublicKeyPin.pin(in: text) else { throw .invalidPin(text, domain: domain.name) }
        guard let position = domain.pins.firstIndex(of: pin) else {
            throw .unknownPin(pin, domain: domain.name, known: domain.pins)
        }
        apiDomains[index].pins.remove(at: position)
        return pin
    }

    /// The pins of an API domain.
    ///
    /// - Throws: ``ServiceError/unknownDomain(_:known:)``.
    package func pins(ofDomain name: String) throws(ServiceError) -> [String] {
        apiDomains[try indexOfDomain(named: name)].pins
    }

    private func indexOfDomain(named name: String) throws(ServiceError) -> Int {
        if let index = apiDomains.firstIndex(where: { $0.isNamed(name) }) { return index }
        throw .unknownDomain(name, known: apiDomains.map(\.name))
    }

    private func indexOfPinnedDomain(named name: String) throws(ServiceError) -> Int {
        let index = try indexOfDomain(named: name)
        guard apiDomains[index].type != .restricted else { throw .managedPins(domain: apiDomains[index].name) }
        return index
    }
}
