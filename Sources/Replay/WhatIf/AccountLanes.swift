internal import PolicyEngine

/// All that decisions on an attestation of a capture depend on, under an account or any edit of it, what devices did
/// before aside. Attestations of one kind are decided alike.
struct AttestationKind: Hashable {
    /// The flags that were observed.
    let flags: FlagSet
    /// The matches of the account's filters for the attributes.
    let matches: AttributeMatches
    /// The device, if accounts may have an entry for it, else one that stands for all others.
    let device: DeviceIndex
    /// True if the device is sampled on that day (R7.6).
    let isSampled: Bool
}

/// An account and edits of it, side by side: a lane each, the account first. They hold no memory of devices, but are
/// handed it.
///
/// An edit is evaluated where it may decide otherwise than the account (``AccountChange``), or remembers the device
/// otherwise; elsewhere it decides as the account does.
struct AccountLanes {
    private var engines: [Engine] = []
    private var renumberings: [FilterRenumbering?] = []
    private var symbols: SymbolTable
    // The edits that any attestation, or one with a flag, a filter's match or a device, may be decided otherwise by.
    private var general: BitRow
    private var byFlag: [BitRow]
    private var byFilter: [BitRow]
    private var byDevice: [BitRow]
    // The edits that the current attestation is evaluated under.
    private var touched: BitRow
    /// The number of edits.
    let edits: Int

    /// - Parameters:
    ///   - accounts: The account whose filters are matched, then edited ones, which test nothing besides.
    ///   - catalogue: The flags.
    init(_ accounts: [Account], catalogue: FlagCatalogue) {
        edits = accounts.count - 1
        symbols = SymbolTable(catalogue: catalogue)
        let named = Self.intern(accounts, in: &symbols.devices)
        // Lists of flags are searched by every lane, and alike.
        let patterns = PatternMatcher(keepsAll: true)
        general = BitRow(count: edits)
        touched = general
        byFlag = Array(repeating: general, count: Flag.limit)
        byFilter = Array(repeating: general, count: FilterSet.limit)
        byDevice = Array(repeating: general, count: named + 1)
        for (lane, account) in accounts.enumerated() {
            guard let renumbering = FilterRenumbering(from: accounts[0].filters, to: account.filters) else {
                preconditionFailure("an edit brings no filter that the account lacks")
            }
            renumberings.append(renumbering.isIdentity ? nil : renumbering)
            engines.append(Engine(account: account, symbols: &symbols, matcher: patterns))
            if lane > 0 { note(AccountChange(from: accounts[0], to: account), of: lane - 1) }
        }
    }

    private mutating func note(_ change: AccountChange, of edit: Int) {
        if change.bearsOnEveryDecision { general[edit] = true }
        for flag in change.rejectFlags ?? .empty { byFlag[Int(flag.index)][edit] = true }
        for filter in change.changedFilters { byFilter[filter][edit] = true }
        for entry in change.entries {
            if let device = symbols.devices.index(of: entry.id) { byDevice[device.offset][edit] = true }
        }
    }

    /// Gives numbers to the devices that accounts have entries for.
    ///
    /// - Returns: The number of devices that have numbers.
    static func intern(_ accounts: [Account], in devices: inout DeviceTable) -> Int {
        for entry in accounts.flatMap(\.devices) where !entry.id.isFilteredPolicy { _ = devices.intern(entry.id) }
        return devices.count
    }

    /// Takes flags that records brought.
    mutating func adopt(_ catalogue: FlagCatalogue) { symbols.catalogue = catalogue }

    /// The device that stands for another one: itself if accounts have an entry for it, else one for all others.
    func representative(of device: DeviceIndex) -> DeviceIndex {
        DeviceIndex(offset: min(device.offset, byDevice.count - 1))
    }

    /// Evaluates an attestation under every account.
    ///
    /// - Parameters:
    ///   - kind: The attestation.
    ///   - time: When it was made; no decision depends on it but by what its kind says.
    ///   - memory: The accounts' memory of the device; becomes that afterwards.
    ///   - verdicts: Takes what they decide.
    mutating func evaluate(
        _ kind: AttestationKind, at time: Instant, _ memory: inout DeviceMemory, _ verdicts: inout LaneVerdicts
    ) {
        let attestation = Attestation(time: time, device: kind.device, flags: kind.flags)
        let known = (isBanned: memory.isBanned, isUnbanned: memory.isUnbanned)
        let decision = attest(0, attestation, kind, isKnown: memory.isKnown, &memory.isBanned, &memory.isUnbanned)
        verdicts.begin(with: decision, isUnsearched: isUnsearched(decision, 0))
        touched.copy(general)
        // For any two edits, it may differ whether a search that was given up matters.
        if !decision.limitHits.isEmpty { touched.fill(true) }
        touched.formUnion(byDevice[kind.device.offset])
        decision.flags.forEachIndex { touched.formUnion(byFlag[$0]) }
        for filter in decision.filters { touched.formUnion(byFilter[filter]) }
        touched.formUnion(of: memory.banned, differingFrom: known.isBanned)
        touched.formUnion(of: memory.unbanned, differingFrom: known.isUnbanned)
        if known.isBanned != memory.isBanned { memory.banned.assign(memory.isBanned, outside: touched) }
        if known.isUnbanned != memory.isUnbanned { memory.unbanned.assign(memory.isUnbanned, outside: touched) }
        touched.forEachIndex(below: edits) { edit in
            var (isBanned, isUnbanned) = (memory.banned[edit], memory.unbanned[edit])
            let changed = attest(edit + 1, attestation, kind, isKnown: memory.isKnown, &isBanned, &isUnbanned)
            memory.banned[edit] = isBanned
            memory.unbanned[edit] = isUnbanned
            verdicts.note(changed, of: edit, isUnsearched: isUnsearched(changed, edit + 1))
        }
        memory.isKnown = true
    }

    // True if a search was given up that the decision depends on (R7.2).
    private func isUnsearched(_ decision: Decision, _ lane: Int) -> Bool {
        !decision.limitHits.isEmpty && !engines[lane].unsearchedFilters(of: decision).isEmpty
    }

    private mutating func attest(
        _ lane: Int, _ attestation: borrowing Attestation, _ kind: AttestationKind, isKnown: Bool,
        _ isBanned: inout Bool, _ isUnbanned: inout Bool
    ) -> Decision {
        var situation = DeviceSituation(
            isKnown: isKnown, isBanned: isBanned, isUnbanned: isUnbanned, isSampled: kind.isSampled)
        let matches = renumberings[lane]?.renumbered(kind.matches) ?? kind.matches
        let decision = engines[lane].attest(attestation, matches: matches, in: &situation, symbols: symbols)
        (isBanned, isUnbanned) = (situation.isBanned, situation.isUnbanned)
        return decision
    }
}

/// The memory that an account and its edits have of a device: a bit for each edit.
struct DeviceMemory {
    var isKnown = false
    /// True if the account has it as banned, or a ban of it as lifted.
    var isBanned = false
    var isUnbanned = false
    /// The edits that do.
    var banned, unbanned: BitRow

    init(edits: Int) {
        banned = BitRow(count: edits)
        unbanned = BitRow(count: edits)
    }

    /// The number of words that it takes.
    static func width(edits: Int) -> Int { 1 + 2 * BitRow.wordCount(edits) }

    /// The memory in words.
    var words: [UInt64] {
        let marks: UInt64 = (isKnown ? 1 : 0) | (isBanned ? 2 : 0) | (isUnbanned ? 4 : 0)
        return [marks] + banned.words + unbanned.words
    }
}

/// The verdicts of edits of an account on an attestation: a bit for each edit.
struct LaneVerdicts {
    /// Those under which it newly fails, and those under which it newly passes.
    private(set) var rejected, accepted: BitRow
    /// Those of which that is not known, because a search was given up that a decision depends on (R7.2).
    private(set) var unsearched: BitRow
    /// Those under which its token has the lifetime of a risky device, or the short one (R11.1).
    private(set) var risky, short: BitRow
    /// The decision of the account itself.
    private(set) var account: Account

    /// A decision of the account.
    struct Account {
        var passed = false
        var isUnsearched = false
        var lifetime = TokenLifetime.usual
        var flags = FlagSet.empty
    }

    init(edits: Int) {
        rejected = BitRow(count: edits)
        (accepted, unsearched, risky, short) = (rejected, rejected, rejected, rejected)
        account = Account()
    }

    /// Takes the decision of the account, which all edits share unless one is noted.
    fileprivate mutating func begin(with decision: Decision, isUnsearched: Bool) {
        account = Account(
            passed: decision.passed, isUnsearched: isUnsearched, lifetime: Self.lifetime(of: decision),
            flags: decision.flags)
        unsearched.fill(isUnsearched)
        rejected.fill(false)
        accepted.fill(false)
        risky.fill(account.lifetime == .risky)
        short.fill(account.lifetime == .short)
    }

    fileprivate mutating func note(_ decision: Decision, of edit: Int, isUnsearched: Bool) {
        if isUnsearched { unsearched[edit] = true }
        if account.passed, !decision.passed { rejected[edit] = true }
        if !account.passed, decision.passed { accepted[edit] = true }
        let lifetime = Self.lifetime(of: decision)
        risky[edit] = lifetime == .risky
        short[edit] = lifetime == .short
    }

    private static func lifetime(of decision: Decision) -> TokenLifetime {
        switch decision.lifetime {
        case TokenLifetime.short.seconds: .short
        case TokenLifetime.risky.seconds: .risky
        default: .usual
        }
    }
}
