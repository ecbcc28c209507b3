internal import PolicyEngine

/// The decisions of one policy of an account on attestations of devices of which nothing is remembered but whether they
/// attested: by flags, and by matches.
///
/// Each row is made by ``Engine`` from one attestation, so that the rules are there alone: a row of flags by an attestation
/// without matches, one of matches by an attestation without flags. Which decision follows from two rows is ``Effect``.
struct EffectTables {
    // Decides by the policy, as the account's own one.
    private var engine: Engine
    private let policy: SecurityPolicy
    /// By row of flags: twice the number of the set, plus one for a device that had not attested before.
    private(set) var flagEffects: [Effect] = []
    /// By row of flags: the flags that reject, but for a risk that a match brings.
    private(set) var rejectingFlags: [FlagSet] = []
    /// By row of flags: all flags, but for a risk that a match brings.
    private(set) var effectiveFlags: [FlagSet] = []
    /// By row of matches: twice the number of the set, plus one for an attestation with `new-did`.
    private(set) var matchEffects: [Effect] = []
    /// By row of matches: the filters that match.
    private(set) var filters: [FilterSet] = []
    /// By row of matches: the filters that reject.
    private(set) var rejectingFilters: [FilterSet] = []

    // No account has an entry for the device of this number.
    private static let nobody = DeviceIndex(offset: Int(UInt32.max) - 1)

    /// - Parameters:
    ///   - account: An account whose own policy is the one that is meant.
    ///   - symbols: The numbering of devices and flags.
    init(_ account: Account, symbols: inout SymbolTable) {
        engine = Engine(account: account, symbols: &symbols)
        policy = account.policy
    }

    /// Forgets all rows.
    mutating func clear() {
        (flagEffects, rejectingFlags, effectiveFlags) = ([], [], [])
        (matchEffects, filters, rejectingFilters) = ([], [], [])
    }

    /// Makes the rows of sets that have none yet.
    ///
    /// - Parameters:
    ///   - flagSets: The sets of flags by their numbers, as the account numbers the flags.
    ///   - matchSets: The sets of matches by their numbers.
    ///   - symbols: The numbering of the account's flags.
    mutating func extend(
        to flagSets: some Collection<FlagSet>, _ matchSets: [AttributeMatches], symbols: borrowing SymbolTable
    ) {
        for flags in flagSets {
            for isFirst in [false, true] { addRow(of: flags, isFirst: isFirst, symbols: symbols) }
        }
        for matches in matchSets.dropFirst(matchEffects.count / 2) {
            for isNew in [false, true] { addRow(of: matches, isNew: isNew, symbols: symbols) }
        }
    }

    private mutating func addRow(of flags: FlagSet, isFirst: Bool, symbols: borrowing SymbolTable) {
        let decision = decide(flags, .none, isFirst: isFirst, symbols: symbols)
        var effect: Effect = decision.passed ? [] : .fails
        if decision.flags.contains(.riskyDevice) { effect.insert(.isRisky) }
        if decision.isNewDevice { effect.insert(.isNew) }
        let risky = policy.rejection.rejections(among: decision.flags.union([.riskyDevice]))
        if risky.contains(.riskyDevice) { effect.insert(.rejectsRisk) }
        flagEffects.append(effect)
        rejectingFlags.append(decision.rejectingFlags)
        effectiveFlags.append(decision.flags)
    }

    private mutating func addRow(of matches: AttributeMatches, isNew: Bool, symbols: borrowing SymbolTable) {
        let decision = decide(.empty, matches, isFirst: isNew, symbols: symbols)
        var effect: Effect = decision.rejectingFilters.isEmpty ? [] : .fails
        if decision.flags.contains(.riskyDevice) { effect.insert(.isRisky) }
        if decision.flags.contains(.deviceBan) { effect.formUnion([.bans, .isByEngine]) }
        // A removed registration brings a flag, and a search that was given up is counted by itself.
        if matches.isRemoved || !decision.limitHits.isEmpty { effect.insert(.isByEngine) }
        if decision.policy.offset > 0 { effect.insert(.isFiltered) }
        matchEffects.append(effect)
        filters.append(decision.filters)
        rejectingFilters.append(decision.rejectingFilters)
    }

    private mutating func decide(
        _ flags: FlagSet, _ matches: AttributeMatches, isFirst: Bool, symbols: borrowing SymbolTable
    ) -> Decision {
        var situation = DeviceSituation(isKnown: !isFirst, isBanned: false, isUnbanned: false, isSampled: false)
        let attestation = Attestation(time: Instant(secondsSinceEpoch: 0), device: Self.nobody, flags: flags)
        return engine.attest(attestation, matches: matches, in: &situation, symbols: symbols)
    }

    /// The flags of an attestation that caused its rejection (R4.1).
    ///
    /// - Parameters:
    ///   - row: The row of its flags.
    ///   - verdict: Its verdict.
    @inline(__always)
    func rejectingFlags(_ row: Int, _ verdict: Effect) -> FlagSet {
        var flags = rejectingFlags[row]
        if verdict.contains(.isRisky), flagEffects[row].contains(.rejectsRisk) { flags.insert(.riskyDevice) }
        return flags
    }

    /// The verdict on an attestation and why.
    @inline(__always)
    func cause(of verdict: Effect, flagRow: Int, matchRow: Int, by number: PolicyNumber) -> VerdictCause {
        VerdictCause(
            passed: !verdict.contains(.fails), policy: number, rejectingFlags: rejectingFlags(flagRow, verdict),
            rejectingFilters: rejectingFilters[matchRow], isBlacklisted: rejectsEverything)
    }

    /// All flags of an attestation.
    @inline(__always)
    func effectiveFlags(_ row: Int, _ verdict: Effect) -> FlagSet {
        verdict.contains(.isRisky) ? effectiveFlags[row].union([.riskyDevice]) : effectiveFlags[row]
    }

    /// The flags that tokens name; `nil` where the policy annotates no token (R5.3).
    var annotated: FlagSet? { policy.annotation.canAnnotate ? policy.annotation.flags : nil }

    /// True if the policy rejects everything (R4.5).
    var rejectsEverything: Bool { policy.rejection.rejectsEverything }

    /// The lifetime of a token, in seconds (R11.1).
    func lifetime(isRisky: Bool) -> Int {
        policy.rejection.fixedLifetime ?? (isRisky ? TokenLifetime.risky : .usual).seconds
    }
}
