/// Evaluates attestations by the rules, in the order of R10, for one account and with one memory of devices.
///
/// A value: copies remember devices apart from each other. For one thread at a time.
public struct Engine {
    /// The account over time.
    package private(set) var history: AccountHistory
    private(set) var compiled: [CompiledAccount]
    private(set) var current = 0
    private(set) var inForce: AccountInForce
    private(set) var states = DeviceStates()
    // The sampling of the account in force; `nil` if it does not sample (R7.6).
    var sampling: DeviceSampling?
    /// The decided rules on which the decision on the latest simulated attestation rests.
    package internal(set) var latestRules: DecidedRules = []
    private let source: AttestationSource
    private let matcher: PatternMatcher

    /// Makes an engine that has seen no device and evaluates captures.
    ///
    /// - Parameters:
    ///   - account: The account, in force from the beginning of time.
    ///   - symbols: The numbering of the attestations to come; takes the keys and devices that the account names.
    public init(account: Account, symbols: inout SymbolTable) {
        self.init(account: account, source: .capture, symbols: &symbols)
    }

    /// Makes an engine that has seen no device.
    ///
    /// - Parameters:
    ///   - account: The account, in force from the beginning of time.
    ///   - source: The origin of the attestations.
    ///   - symbols: The numbering of the attestations to come; takes the keys and devices that the account names.
    ///   - matcher: Runs the patterns of the filters. Engines that take turns can share one, with what their searches
    ///     found.
    ///   - earlier: The account in whose place it is, if it is a change from the start (R19.4).
    package init(
        account: Account, source: AttestationSource = .capture, symbols: inout SymbolTable, matcher: PatternMatcher,
        inPlaceOf earlier: Account? = nil
    ) {
        (self.source, self.matcher) = (source, matcher)
        history = AccountHistory(account, inPlaceOf: earlier)
        let first = CompiledAccount(account, for: source, symbols: &symbols)
        (compiled, inForce) = ([first], AccountInForce(first, until: nil))
        linkDevices()
    }

    /// Makes an engine that has seen no device.
    ///
    /// - Parameters:
    ///   - account: The account, in force from the beginning of time.
    ///   - source: The origin of the attestations.
    ///   - symbols: The numbering of the attestations to come; takes the keys and devices that the account names.
    package init(account: Account, source: AttestationSource, symbols: inout SymbolTable) {
        self.init(account: account, source: source, symbols: &symbols, matcher: PatternMatcher())
    }

    /// Changes the account; in force after its propagation (R1.5).
    ///
    /// - Parameters:
    ///   - account: The account after the change; it declares the same flags as before.
    ///   - time: When the change is made, not before earlier changes.
    ///   - symbols: The numbering of the attestations.
    public mutating func change(to account: Account, at time: Instant, symbols: inout SymbolTable) {
        history.change(to: account, at: time)
        compiled.append(CompiledAccount(account, for: source, symbols: &symbols))
        inForce.until = history.end(ofRevision: current)
    }

    /// Forgets every device, at once (R6.5).
    public mutating func clearDeviceState() {
        states.clear()
    }

    /// The persisted flags of a device, or `nil` when its state has not been set (R6.5).
    package func deviceState(of device: DeviceIndex) -> FlagSet? {
        let state = states[device]
        return state.isKnown ? state.persisted : nil
    }

    /// The account that is in force at a time, which must not lie before the latest attestation.
    public func account(inForceAt time: Instant) -> Account {
        history.revisions[history.revision(inForceAt: time, from: current)].account
    }

    /// The pin mode of a device at a time (R6.6).
    ///
    /// - Parameter time: Now; not before the latest attestation.
    package mutating func pinMode(of device: DeviceIndex, at time: Instant) -> PinMode {
        updateAccountInForce(at: time)
        return hasEntry(device) ? compiled[current].entry(of: states[device]).pinMode ?? .pin : .pin
    }

    /// The URL that a device probes for pins at a time (R18.8); `nil` if it has no entry, or its entry names none.
    ///
    /// - Parameter time: Now; not before the latest attestation.
    package mutating func probeURL(of device: DeviceIndex, at time: Instant) -> String? {
        updateAccountInForce(at: time)
        return hasEntry(device) ? compiled[current].entry(of: states[device]).probeURL : nil
    }

    /// The URL that a device probes because a filter wants the filtered policy for it, or because it is sampled (R7.3,
    /// R18.8).
    ///
    /// - Parameters:
    ///   - decision: The latest one, of the primary service.
    ///   - symbols: The numbering of the attestation.
    /// - Returns: `nil` where the filtered policy's entry has no probe URL, or the device has a policy of its own.
    package mutating func filteredProbeURL(
        after decision: Decision, symbols: borrowing SymbolTable
    ) -> String? {
        guard let url = compiled[current].filteredProbeURL else { return nil }
        if hasEntry(decision.device), compiled[current].entry(of: states[decision.device]).policy != nil { return nil }
        if !decision.filters.intersection(inForce.executingFilteredPolicy).isEmpty { return url }
        let isSampled = sampling?.isSampled(decision.device, at: decision.time, devices: symbols.devices)
        return isSampled == true ? url : nil
    }

    /// Takes the devices that will attest next, so that what is known of them can be fetched from memory.
    package func prefetch(_ devices: [DeviceIndex]) {
        for device in devices { states.prefetch(device) }
    }

    /// True if the account in force has an entry for a device, so that information on it is collected.
    ///
    /// - Parameter device: A device that attested at the latest attestation, or before it.
    package func hasEntry(_ device: DeviceIndex) -> Bool { states[device].entryNumber > 0 }

    /// Takes note that a device attested, where its attestations so far were decided elsewhere and changed nothing else.
    package mutating func noteAttested(_ device: DeviceIndex) {
        var state = states[device]
        state.isKnown = true
        states[device] = state
    }

    /// True if filters of the account in force look at flags (R7.7), so that which of them match does not follow from attributes
    /// alone.
    package var hasFiltersOnFlags: Bool { inForce.filters.looksAtFlags }

    /// The number of devices with a ban that was persisted and still counts (R6.3, R6.4).
    ///
    /// - Complexity: O(devices of which more is remembered than that they attested).
    package var bannedDeviceCount: Int { states.bannedCount }
}

// Functions that only look at the engine are inlined, since a call would copy all of it.
//
// The steps of R10, in the order of R10; step 4 is in `Engine+Services.swift`, and what counts and keeps attestations
// (step 14) is the caller.
extension Engine {
    /// Evaluates an attestation of a capture, whose flags are what the service saw (R10).
    ///
    /// - Parameters:
    ///   - attestation: The observations; not before the attestation evaluated last.
    ///   - symbols: The numbering that the attestation uses.
    /// - Returns: The verdict and all that led to it.
    /// - Complexity: O(attributes with filters) once their values were seen; allocates nothing then.
    public mutating func attest(_ attestation: borrowing Attestation, symbols: borrowing SymbolTable) -> Decision {
        var recorder = SilentRecorder()
        return attest(attestation, symbols: symbols, recorder: &recorder)
    }

    /// Evaluates an attestation of a capture, and hands the result of each step to a recorder.
    ///
    /// - Parameter recorder: Receives every step.
    package mutating func attest(
        _ attestation: borrowing Attestation, symbols: borrowing SymbolTable,
        recorder: inout some AttestationRecorder
    ) -> Decision {
        let matches = matches(of: attestation, by: .primary, symbols: symbols)
        return attest(attestation, matches: matches, symbols: symbols, recorder: &recorder)
    }

    /// Evaluates an attestation of a capture by the service that answers it (R14.3).
    ///
    /// - Parameter service: The service that answers; the failover has no filters.
    package mutating func attest(
        _ attestation: borrowing Attestation, by service: TokenService, symbols: borrowing SymbolTable
    ) -> Decision {
        let matches = matches(of: attestation, by: service, symbols: symbols)
        var evaluation = begin(attestation)
        var recorder = SilentRecorder()
        let decision = attest(
            attestation, evaluation: &evaluation, matches: matches, by: service, symbols: symbols, recorder: &recorder)
        remember(evaluation, of: attestation.device)
        return decision
    }

    /// Evaluates an attestation of a capture whose attributes were matched elsewhere, by the account that is in force.
    ///
    /// - Parameters:
    ///   - attestation: The observations, attributes aside; not before the attestation evaluated last.
    ///   - matches: The result of matching its attributes.
    ///   - symbols: The numbering of its device and flags.
    package mutating func attest(
        _ attestation: borrowing Attestation, matches: AttributeMatches, symbols: borrowing SymbolTable
    ) -> Decision {
        var recorder = SilentRecorder()
        return attest(attestation, matches: matches, symbols: symbols, recorder: &recorder)
    }

    @inline(__always)
    private mutating func attest(
        _ attestation: borrowing Attestation, matches: AttributeMatches, symbols: borrowing SymbolTable,
        recorder: inout some AttestationRecorder
    ) -> Decision {
        var evaluation = begin(attestation)
        let decision = attest(
            attestation, evaluation: &evaluation, matches: matches, symbols: symbols, recorder: &recorder)
        remember(evaluation, of: attestation.device)
        return decision
    }

    /// Evaluates an attestation of a capture that has begun.
    @inline(__always)
    mutating func attest(
        _ attestation: borrowing Attestation, evaluation: inout Evaluation, matches: AttributeMatches,
        by service: TokenService = .primary, symbols: borrowing SymbolTable, recorder: inout some AttestationRecorder
    ) -> Decision {
        recorder.record(.account(revision: current))
        recorder.record(.observed(evaluation.flags, isFirst: evaluation.isFirst))
        recorder.record(.pendingBan(applyPendingBan(to: &evaluation)))
        if matches.isRemoved {
            evaluation.flags.insert(.appNotRegistered)
            recorder.record(.removedRegistration)
        }
        return finish(
            attestation, evaluation: &evaluation, matches: matches, by: service, symbols: symbols, recorder: &recorder)
    }

    /// Matches the attributes of an attestation under the account in force; the failover has no filters (R14.3).
    mutating func matches(
        of attestation: borrowing Attestation, by service: TokenService, symbols: borrowing SymbolTable
    ) -> AttributeMatches {
        updateAccountInForce(at: attestation.time)
        guard service == .primary else {
            return compiled[current].attributeMatcher.matchOfRegistrations(attestation)
        }
        return compiled[current].attributeMatcher.match(attestation, in: symbols.attributes, matcher: matcher)
    }

    /// An attestation on its way through the steps.
    struct Evaluation {
        /// The state of the device, as the steps change it; ``remember(_:of:)`` keeps it.
        var state: DeviceState
        /// The flags so far.
        var flags: FlagSet
        /// True if the device was not known before.
        let isFirst: Bool
        /// True if the device is sampled (R7.6); `nil` if that is not given and has to be worked out.
        let isSampled: Bool?
        // As it was before the first step.
        fileprivate let former: DeviceState

        // Step 2: what was observed, and `new-did`; an observed `risky-device` is derived anew (R2.4).
        @inline(__always)
        init(of flags: FlagSet, in state: DeviceState, isSampled: Bool? = nil) {
            (self.state, self.flags, self.isSampled, former) = (state, flags, isSampled, state)
            isFirst = !state.isKnown
            self.state.isKnown = true
            self.flags.remove(.riskyDevice)
            if isFirst { self.flags.insert(.newDevice) }
        }

        @inline(__always) fileprivate var isUnbanned: Bool {
            flags.contains(.deviceUnban) || state.persisted.contains(.deviceUnban)
        }
    }

    /// Steps 1 and 2: the account in force, the record of the device, what was observed.
    @inline(__always)
    mutating func begin(_ attestation: borrowing Attestation) -> Evaluation {
        updateAccountInForce(at: attestation.time)
        return Evaluation(of: attestation.flags, in: states[attestation.device])
    }

    /// Keeps what an attestation changed of what is remembered of its device.
    @inline(__always)
    mutating func remember(_ evaluation: Evaluation, of device: DeviceIndex) {
        if evaluation.state != evaluation.former { states[device] = evaluation.state }
    }

    /// Steps 5 to 12; the response code of step 13 follows from the decision (``ResponseCodec``).
    @inline(__always)
    mutating func finish(
        _ attestation: borrowing Attestation, evaluation: inout Evaluation, matches: AttributeMatches,
        by service: TokenService,
        symbols: borrowing SymbolTable, recorder: inout some AttestationRecorder
    ) -> Decision {
        let former = evaluation.flags
        addPersistedFlags(to: &evaluation)
        recorder.record(
            .persisted(added: evaluation.flags.subtracting(former), removed: former.subtracting(evaluation.flags)))
        if service == .failover { evaluation.flags = evaluation.flags.subtracting(Self.unseenByFailover) }
        recorder.record(.risk(deriveRisk(&evaluation.flags)))
        let match = match(matches, flags: evaluation.flags, by: service, catalogue: symbols.catalogue)
        recorder.record(.filters(matched: match.matched, limitHits: match.limitHits))
        recorder.record(act(on: match.matched, evaluation: &evaluation))
        let (policyNumber, reason) = choosePolicy(
            for: attestation, evaluation: evaluation, matched: match.matched, by: service, symbols: symbols)
        recorder.record(.policy(policyNumber, reason))
        return decide(
            attestation, policyNumber, flags: evaluation.flags, match: match, by: service, isFirst: evaluation.isFirst)
    }

    // Steps 10 to 12.
    @inline(__always)
    private func decide(
        _ attestation: borrowing Attestation, _ number: PolicyNumber, flags: FlagSet, match: FilterMatch,
        by service: TokenService, isFirst: Bool
    ) -> Decision {
        let policy = number == .account ? inForce.policy : PolicyRules(compiled[current][number])
        return Decision(
            of: attestation, revision: current, policy: number, flags: flags,
            rejections: (
                policy.rejection.rejections(among: flags),
                policy.rejections(among: match.matched, rejecting: inForce.rejecting),
                policy.rejection.rejectsEverything
            ),
            match: match, annotations: service == .primary ? policy.annotations(flags) : nil,
            lifetime: policy.lifetime(flags, grace: inForce.grace), service: service, isFirstAttestation: isFirst)
    }

    // Step 1.
    @inline(__always)
    private mutating func updateAccountInForce(at time: Instant) {
        if let until = inForce.until, until <= time { changeAccountInForce(at: time) }
    }

    @inline(never)
    private mutating func changeAccountInForce(at time: Instant) {
        current = history.revision(inForceAt: time, from: current)
        inForce = AccountInForce(compiled[current], until: history.end(ofRevision: current))
        linkDevices()
    }

    /// Step 3: a ban or unban by the device's entry (R6.3); an unbanned device cannot be banned again (R6.4).
    ///
    /// - Returns: The settings that were applied, if any were.
    @discardableResult
    @inline(__always)
    func applyPendingBan(to evaluation: inout Evaluation) -> BanMode? {
        guard evaluation.state.entryNumber > 0, let mode = compiled[current].entry(of: evaluation.state).banMode
        else { return nil }
        switch mode {
        case .unban: evaluation.state.persist([.deviceUnban], insteadOf: [.deviceCheckBan])
        case .ban:
            if evaluation.isUnbanned { return nil }
            evaluation.state.persist(.deviceBan)
        }
        return mode
    }

    // Step 5: an unban, persisted or observed, removes every ban (R6.4). `pinning-tampered` persists by install, which
    // only a client knows: it comes with what is observed.
    @inline(__always)
    private func addPersistedFlags(to evaluation: inout Evaluation) {
        if evaluation.isUnbanned {
            evaluation.flags.insert(.deviceUnban)
            evaluation.flags.remove(.deviceBan)
        } else if evaluation.state.persisted.contains(.deviceBan) {
            evaluation.flags.insert(.deviceBan)
        }
    }

    // Step 6.
    @inline(__always)
    private func deriveRisk(_ flags: inout FlagSet) -> FlagSet {
        let risks = flags.intersection(inForce.riskFlags)
        if !risks.isEmpty { flags.insert(.riskyDevice) }
        return risks
    }

    // Step 7; the failover has no filters (R14.3).
    @inline(__always)
    private mutating func match(
        _ matches: AttributeMatches, flags: FlagSet, by service: TokenService, catalogue: FlagCatalogue
    ) -> FilterMatch {
        guard service == .primary else { return .none }
        return inForce.filters.match(matches.match, flags: flags, catalogue: catalogue, matcher: matcher)
    }

    /// The flags that the failover does not evaluate (R14.3).
    package static let unseenByFailover: FlagSet = [
        .cloned, .safetyNetCompleted, .safetyNetFailToken, .safetyNetFailIntegrity, .safetyNetFailProfile,
        .safetyNetFailCertificate, .safetyNetUnavailable, .safetyNetMissing,
    ]

    // Step 8: what matching filters bring about (R7.5); rejections are part of the verdict.
    @inline(__always)
    private func act(on matched: FilterSet, evaluation: inout Evaluation) -> AttestationStep {
        let risky = matched.intersection(inForce.risky)
        if !risky.isEmpty { evaluation.flags.insert(.riskyDevice) }
        let banning = matched.intersection(inForce.banning)
        guard !banning.isEmpty, !evaluation.isUnbanned else { return .actions(risky: risky, banning: .empty) }
        evaluation.state.persist(.deviceBan)
        evaluation.flags.insert(.deviceBan)
        return .actions(risky: risky, banning: banning)
    }

    // Step 9: the device's own policy, else the filtered one, else the account's.
    @inline(__always)
    private mutating func choosePolicy(
        for attestation: borrowing Attestation, evaluation: Evaluation, matched: FilterSet, by service: TokenService,
        symbols: borrowing SymbolTable
    ) -> (PolicyNumber, PolicyReason) {
        if evaluation.state.entryNumber > 0, let own = compiled[current].entry(of: evaluation.state).policy {
            return (own, .ownEntry)
        }
        guard service == .primary, let filtered = inForce.filteredPolicy else { return (.account, .account) }
        let executing = matched.intersection(inForce.executingFilteredPolicy)
        if !executing.isEmpty { return (filtered, .filters(executing)) }
        guard sampling != nil else { return (.account, .account) }
        let isSampled =
            evaluation.isSampled
            ?? sampling?.isSampled(attestation.device, at: attestation.time, devices: symbols.devices)
        return isSampled == true ? (filtered, .sampled) : (.account, .account)
    }

    // Takes what the account in force says of devices: their entries, and how many are sampled.
    private mutating func linkDevices() {
        states.link(compiled[current].entries.map(\.device))
        sampling = DeviceSampling(history.revisions[current].account)
    }
}
