/// An account made ready for evaluations: names turned into masks and numbers, once for each revision.
struct CompiledAccount: Sendable {
    /// A device entry, with its names turned into numbers.
    struct Entry: Sendable {
        let device: DeviceIndex
        let policy: PolicyNumber?
        let banMode: BanMode?
        let pinMode: PinMode?
        let probeURL: String?
    }

    /// The policies that can be applied; the first is the account's.
    private(set) var policies: [SecurityPolicy]
    /// The entries of devices; a ``DeviceState`` names its own by number.
    private(set) var entries: [Entry] = []
    /// The filtered policy, where it has an effect (R7.3).
    private(set) var filteredPolicy: PolicyNumber?
    /// The URL that devices probe under the filtered policy's entry, whether its policy has an effect or not (R18.8).
    let filteredProbeURL: String?
    /// Matches attributes.
    var attributeMatcher: AttributeMatcher
    /// The filters.
    let filters: FilterProgram
    let grace: Int
    let riskFlags: FlagSet
    /// DeviceCheck, while there is a key (R8).
    let deviceCheck: DeviceCheckIntegration?
    /// SafetyNet, while there is a key (R9).
    let safetyNet: (key: String, dailyQuota: Int)?
    /// The fingerprints of the app signing certificates (R9.2, R15.1).
    let certificates: Set<String>
    /// The decided rules on which a decision can rest.
    let possibleRules: DecidedRules
    /// The registrations, where the account lists some and devices are simulated (R15.1).
    private(set) var registrations: RegistrationProgram?

    init(_ account: Account, for source: AttestationSource, symbols: inout SymbolTable) {
        grace = account.grace
        riskFlags = account.catalogue.riskFlags
        possibleRules = account.possibleRules
        policies = [account.policy]
        deviceCheck = DeviceCheckIntegration(account)
        safetyNet = account.safetyNet.flatMap { settings in settings.apiKey.map { ($0, settings.dailyQuota) } }
        certificates = Set(account.appSigningCertificates)
        attributeMatcher = AttributeMatcher(account, source: source, attributes: &symbols.attributes)
        filters = FilterProgram(account.filters, knowsNewDevices: account.knowsNewDevices)
        filteredProbeURL = account.filteredPolicyEntry?.probeURL
        filteredPolicy = account.effectiveFilteredPolicy.map { add($0) }
        if source == .simulation {
            registrations = account.registrations.map { RegistrationProgram($0, attributes: &symbols.attributes) }
        }
        for entry in account.devices where !entry.id.isFilteredPolicy {
            let policy = entry.policy.map { add($0) }
            let device = symbols.devices.intern(entry.id)
            entries.append(
                Entry(
                    device: device, policy: policy, banMode: entry.banMode, pinMode: entry.pinMode,
                    probeURL: entry.probeURL))
        }
    }

    private mutating func add(_ policy: SecurityPolicy) -> PolicyNumber {
        policies.append(policy)
        return PolicyNumber(number: UInt8(policies.count - 1))
    }

    subscript(policy: PolicyNumber) -> SecurityPolicy { policies[Int(policy.number)] }

    /// The entry of a device that has one.
    @inline(__always)
    func entry(of state: DeviceState) -> Entry { entries[Int(state.entryNumber) - 1] }
}

/// The parts of an account that nearly every evaluation needs, in one flat value.
struct AccountInForce: Sendable {
    /// When another account takes its place; `nil` while none does.
    var until: Instant?
    /// Its filters; they remember what they found in lists of flags.
    var filters: FilterProgram
    let riskFlags: FlagSet
    let grace: Int
    /// Filters by what a match brings about.
    let banning, risky, rejecting, executingFilteredPolicy: FilterSet
    let filteredPolicy: PolicyNumber?
    /// The account's own policy, which is applied mostly.
    let policy: PolicyRules

    init(_ account: CompiledAccount, until: Instant?) {
        self.until = until
        filters = account.filters
        riskFlags = account.riskFlags
        grace = account.grace
        banning = account.filters.banning
        risky = account.filters.risky
        rejecting = account.filters.rejecting
        executingFilteredPolicy = account.filters.executingFilteredPolicy
        filteredPolicy = account.filteredPolicy
        policy = PolicyRules(account[.account])
    }
}

/// The effects of a policy, without its names.
struct PolicyRules: Sendable {
    let rejection: RejectionPolicy
    // `nil` where the policy annotates no token (R5.3).
    private let annotated: FlagSet?

    init(_ policy: SecurityPolicy) {
        rejection = policy.rejection
        annotated = policy.annotation.canAnnotate ? policy.annotation.flags : nil
    }

    /// Step 10 of R10, for filters (R4.8); under whitelist they do not count (R4.6), blacklist has one rejection only (R4.5).
    ///
    /// - Parameter rejecting: Those of the account that reject.
    @inline(__always)
    func rejections(among matched: FilterSet, rejecting: FilterSet) -> FilterSet {
        rejection.ignoresFilters || rejection.rejectsEverything ? .empty : matched.intersection(rejecting)
    }

    /// Step 11 (R11).
    @inline(__always)
    func lifetime(_ flags: FlagSet, grace: Int) -> (seconds: Int, grace: Int) {
        if let fixed = rejection.fixedLifetime { return (fixed, TokenLifetime.shortGrace) }
        let usual: TokenLifetime = flags.contains(.riskyDevice) ? .risky : .usual
        return (usual.seconds, grace)
    }

    /// Step 12 (R5.3).
    @inline(__always)
    func annotations(_ flags: FlagSet) -> FlagSet? { annotated.map { flags.intersection($0) } }
}

/// A policy of an account by its index in a ``CompiledAccount``: the account's own, the filtered one, then those of
/// device entries.
package struct PolicyNumber: Hashable, Sendable {
    @usableFromInline let number: UInt8

    /// The account's own policy.
    package static let account = PolicyNumber(number: 0)

    /// The filtered policy, in an account where it has an effect (R7.3).
    package static let filtered = PolicyNumber(number: 1)

    /// The number as an array index.
    @inlinable package var offset: Int { Int(number) }

    init(number: UInt8) {
        self.number = number
    }
}
