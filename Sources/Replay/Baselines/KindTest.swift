internal import PolicyEngine

/// All that decisions on a record depend on, its device and its time aside. Records of one kind are decided alike.
struct RecordKind: Mixed {
    /// The flags that were observed.
    let flags: FlagSet
    /// The matches of the filters of the account that the records were kept for.
    let matches: AttributeMatches

    var mixedBits: UInt64 {
        UInt64(truncatingIfNeeded: flags.bits) ^ UInt64(truncatingIfNeeded: flags.bits >> 64) << 7 ^ matches.mixedBits
    }
}

/// Finds the kinds of records that two accounts may decide otherwise, by having both decide on them.
///
/// That is exact for devices which attested before or did not, and of which accounts remember nothing else.
struct KindTest {
    private var before: Engine
    // The other account; if no record says which devices were new, also without what depends on that.
    private var afters: [Engine]
    private let translation: FilterTranslation
    private let symbols: SymbolTable
    // One that no account has an entry for.
    private let device: DeviceIndex

    /// - Parameters:
    ///   - baseline: The records, and the account that they were kept for.
    ///   - after: The other one, which declares the same flags.
    ///   - translation: Turns the matches of the former into those of the latter.
    init(_ baseline: Baseline, _ after: Account, _ translation: FilterTranslation) {
        var symbols = SymbolTable(catalogue: baseline.catalogue)
        before = Engine(account: baseline.account, symbols: &symbols)
        let doubted = baseline.namesNewDevices ? nil : after.withoutNewDevices
        afters = [after, doubted].compactMap(\.self).map { Engine(account: $0, symbols: &symbols) }
        (self.translation, self.symbols) = (translation, symbols)
        device = DeviceIndex(offset: symbols.devices.count)
    }

    /// True if the accounts may decide otherwise on records of a kind, new tests of filters aside, or a decision on one may
    /// rest on a decided rule.
    ///
    /// - Parameters:
    ///   - kind: The kind.
    ///   - translated: The matches of the other account.
    mutating func mayDiffer(_ kind: RecordKind, _ translated: AttributeMatches) -> Bool {
        let attestation = Attestation(time: Instant(secondsSinceEpoch: 0), device: device, flags: kind.flags)
        return [false, true].contains { isKnown in
            let start = DeviceSituation(isKnown: isKnown, isBanned: false, isUnbanned: false, isSampled: false)
            var end = start
            let old = before.attest(attestation, matches: kind.matches, in: &end, symbols: symbols)
            return before.restsOnRule(old, symbols)
                || afters.indices.contains { index in
                    var other = start
                    let new = afters[index].attest(attestation, matches: translated, in: &other, symbols: symbols)
                    return end != other || !areAlike(old, new) || afters[index].restsOnRule(new, symbols)
                }
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

extension Engine {
    fileprivate mutating func restsOnRule(_ decision: Decision, _ symbols: borrowing SymbolTable) -> Bool {
        let open = possibleRules.subtracting([.reasonOfChange])
        return !open.isEmpty && !decidedRules(of: decision, among: open, symbols: symbols).isEmpty
    }
}
