internal import PolicyEngine

/// A part of an attestation, with what else the decision on it depends on: all of its flags without any match, or all of its
/// matches with the few flags that affect what matches do, or the whole.
///
/// The decision on an attestation follows from those on its parts (``LaneTable``).
struct AttestationPart: Mixed {
    /// The flags that were observed.
    var flags: FlagSet
    /// The matches of the account's filters for its attributes.
    var matches: AttributeMatches
    /// The device, if accounts may have an entry for it, else one that stands for all others.
    var device: DeviceIndex
    /// True if the device attested before.
    var isKnown: Bool
    /// True if it was banned before.
    var isBanned = false
    /// True if it is sampled on that day (R7.6).
    var isSampled: Bool

    var mixedBits: UInt64 {
        let marks: UInt64 = (isKnown ? 1 : 0) | (isBanned ? 2 : 0) | (isSampled ? 4 : 0)
        return UInt64(truncatingIfNeeded: flags.bits) ^ UInt64(truncatingIfNeeded: flags.bits >> 64) << 7
            ^ matches.mixedBits ^ UInt64(device.offset) << 17 ^ marks << 59
    }
}

/// The parts of a decision that are kept: a row of bits for each of these, with a bit for each account.
enum LaneEffect: Int, CaseIterable {
    /// The attestation fails.
    case fails
    /// It has `risky-device`.
    case risky
    /// Its token has the short lifetime (R11.1).
    case short
    /// A search was given up that the decision depends on (R7.2).
    case unsearched
    /// The device is banned afterwards.
    case banned
    /// It is decided by another policy than the account's own.
    case otherPolicy

    static var count: Int { allCases.count }

    /// The number of those that say what becomes of the attestation itself; they come first.
    static var ofVerdict: Int { banned.rawValue }
}

/// An account and edits of it, side by side: a *lane* each, the account first. They hold no memory of devices: whoever
/// asks says what an account remembers.
///
/// An edit is evaluated where it may decide otherwise than the account (``AccountChange``); elsewhere it decides as the
/// account does.
struct EditedAccounts {
    private var engines: [Engine] = []
    private var renumberings: [FilterRenumbering] = []
    // The lanes under which any attestation, or one with a flag, a filter's match or a device, may be decided otherwise.
    private var general: BitRow
    private var byFlag: [BitRow]
    private var byFilter: [BitRow]
    private var byDevice: [BitRow]
    /// The number of lanes.
    let count: Int

    /// - Parameters:
    ///   - accounts: The account, then the edited ones, which test nothing besides.
    ///   - filters: The filters that are matched: those of the account.
    ///   - symbols: The numbering in which all devices with an entry come first.
    init(_ accounts: [Account], filters: [Filter], symbols: inout SymbolTable) {
        count = accounts.count
        general = BitRow(count: count)
        byFlag = Array(repeating: general, count: Flag.limit)
        byFilter = Array(repeating: general, count: FilterSet.limit)
        byDevice = Array(repeating: general, count: symbols.devices.count + 1)
        // Lists of flags are searched by every lane, and alike.
        let patterns = PatternMatcher(keepsAll: true)
        for (lane, account) in accounts.enumerated() {
            guard let renumbering = FilterRenumbering(from: filters, to: account.filters) else {
                preconditionFailure("an edit brings no filter that the account lacks")
            }
            renumberings.append(renumbering)
            var sampling = account
            // So that whoever says that a device is sampled gets the decision of the filtered policy.
            sampling.samplingPercentage = .hundred
            engines.append(Engine(account: sampling, symbols: &symbols, matcher: patterns))
            note(AccountChange(from: accounts[0], to: account), of: lane, symbols.devices)
        }
    }

    private mutating func note(_ change: AccountChange, of lane: Int, _ devices: DeviceTable) {
        if change.bearsOnEveryDecision { general[lane] = true }
        for flag in change.rejectFlags ?? .empty { byFlag[Int(flag.index)][lane] = true }
        for filter in change.changedFilters { byFilter[filter][lane] = true }
        for entry in change.entries {
            if let device = devices.index(of: entry.id) { byDevice[device.offset][lane] = true }
        }
    }

    /// Decides on a part of an attestation under every account.
    ///
    /// - Parameter rows: Takes what they decide, a row for each ``LaneEffect``.
    /// - Returns: The flags of the decision of the account itself.
    mutating func decide(
        _ part: AttestationPart, symbols: borrowing SymbolTable, rows: inout [BitRow]
    ) -> FlagSet {
        let own = decide(part, lane: 0, symbols: symbols, rows: &rows)
        for row in rows.indices { rows[row].fill(rows[row][0]) }
        var touched = general
        // For any two edits, it may differ whether a search that was given up matters.
        if !own.limitHits.isEmpty { touched.fill(true) }
        touched.formUnion(byDevice[part.device.offset])
        own.flags.forEachIndex { touched.formUnion(byFlag[$0]) }
        for filter in own.filters { touched.formUnion(byFilter[filter]) }
        touched.forEachIndex(below: count) { _ = decide(part, lane: $0, symbols: symbols, rows: &rows) }
        return own.flags
    }

    // Sets the bits of an account.
    private mutating func decide(
        _ part: AttestationPart, lane: Int, symbols: borrowing SymbolTable, rows: inout [BitRow]
    ) -> Decision {
        // No account changes on the way, so that the time does nothing.
        let attestation = Attestation(time: Instant(secondsSinceEpoch: 0), device: part.device, flags: part.flags)
        var situation = DeviceSituation(
            isKnown: part.isKnown, isBanned: part.isBanned, isUnbanned: false, isSampled: part.isSampled)
        let matches = renumberings[lane].renumbered(part.matches)
        let decision = engines[lane].attest(attestation, matches: matches, in: &situation, symbols: symbols)
        for row in LaneEffect.allCases {
            rows[row.rawValue][lane] =
                switch row {
                case .fails: !decision.passed
                case .risky: decision.flags.contains(.riskyDevice)
                case .short: decision.lifetime == TokenLifetime.short.seconds
                case .banned: situation.isBanned
                case .otherPolicy: decision.policy.offset != 0
                case .unsearched: !decision.limitHits.isEmpty && !engines[lane].unsearchedFilters(of: decision).isEmpty
                }
        }
        return decision
    }
}
