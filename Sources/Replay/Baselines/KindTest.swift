internal import PolicyEngine

/// Finds the kinds of records that two accounts may decide otherwise, by having both decide on them.
///
/// That is exact for devices which attested before or did not, and of which accounts remember nothing else.
struct KindTest {
    private var before: Engine
    private var after: Engine
    private let translation: FilterTranslation
    private let symbols: SymbolTable
    // One that no account has an entry for.
    private let device: DeviceIndex

    /// - Parameters:
    ///   - before: The account that the records were kept for.
    ///   - after: The other one, which declares the same flags.
    ///   - translation: Turns the matches of the former into those of the latter.
    ///   - catalogue: The flags.
    init(_ before: Account, _ after: Account, _ translation: FilterTranslation, _ catalogue: FlagCatalogue) {
        var symbols = SymbolTable(catalogue: catalogue)
        self.before = Engine(account: before, symbols: &symbols)
        self.after = Engine(account: after, symbols: &symbols)
        (self.translation, self.symbols) = (translation, symbols)
        device = DeviceIndex(offset: symbols.devices.count)
    }

    /// True if the accounts may decide otherwise on records of a kind, new tests of filters aside.
    ///
    /// - Parameters:
    ///   - kind: The kind.
    ///   - translated: The matches of the other account.
    mutating func mayDiffer(_ kind: RecordKind, _ translated: AttributeMatches) -> Bool {
        let attestation = Attestation(time: Instant(secondsSinceEpoch: 0), device: device, flags: kind.flags)
        return [false, true].contains { isKnown in
            let start = DeviceSituation(isKnown: isKnown, isBanned: false, isUnbanned: false, isSampled: false)
            var situations = (start, start)
            let old = before.attest(attestation, matches: kind.matches, in: &situations.0, symbols: symbols)
            let new = after.attest(attestation, matches: translated, in: &situations.1, symbols: symbols)
            return situations.0 != situations.1 || !areAlike(old, new)
        }
    }

    // Everything that is counted of a decision.
    private func areAlike(_ old: Decision, _ new: Decision) -> Bool {
        old.flags == new.flags && old.rejectingFlags == new.rejectingFlags && old.passed == new.passed
            && old.isBlacklisted == new.isBlacklisted && old.annotations == new.annotations
            && new.limitHits.isEmpty && old.lifetime == new.lifetime && old.grace == new.grace
            && old.policy == new.policy
            && translation.namesakes(of: old.filters) == new.filters
            && translation.namesakes(of: old.rejectingFilters) == new.rejectingFilters
    }
}
