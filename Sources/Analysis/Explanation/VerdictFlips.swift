internal import Accounts
internal import PolicyEngine

/// Finds the changes of an account that would turn verdicts of one device: each is made before its first attestation, as
/// `--change` makes it, and everything that the device attested is evaluated again.
struct VerdictFlips {
    let account: Account
    /// The attestations of the device, in the order of time.
    let attestations: [Attestation]
    /// The decision on each.
    let decisions: [Decision]
    /// The engine that decided.
    let engine: Engine
    let symbols: SymbolTable
    /// The edits that are tried.
    let edits: [AccountEdit]
    /// Runs the patterns of every changed account.
    let patterns: PatternMatcher

    /// The changes that turn each verdict: single commands, the narrowest kind first, then what takes away everything
    /// that rejects; where no command turns it alone, the smallest pairs before that.
    ///
    /// - Complexity: O(edits × attestations), and with the edits squared where no single one turns a verdict.
    func find() -> [[Explanation.Flip]] {
        let turned = edits.map { turnedVerdicts(by: [$0.command]) }
        let singles = attestations.indices.map { index in
            edits.indices.filter { turned[$0]?.contains(index) == true }.map { edits[$0] }
        }
        let pairs = pairs(
            for: singles.indices.filter { singles[$0].isEmpty }, applicable: edits.indices.filter { turned[$0] != nil })
        // Many attestations have the same reasons, which are taken away in one trial for all of them.
        let removals = decisions.map(removals)
        let turnedByRemoval = Dictionary(
            uniqueKeysWithValues: Set(removals).filter { $0.count > 1 }.map { ($0, turnedVerdicts(by: $0) ?? []) })
        return attestations.indices.map { index in
            var found = Self.named(singles[index]).map { [$0.command] } + (pairs[index] ?? [])
            let removal = removals[index]
            if !found.contains(removal), turnedByRemoval[removal]?.contains(index) == true { found.append(removal) }
            return found.map { Explanation.Flip(commands: $0.map(\.text)) }
        }
    }

    // Of each kind no more than its limit; a last resort only where there is nothing else.
    private static func named(_ edits: [AccountEdit]) -> [AccountEdit] {
        var counts: [AccountEdit.Kind: Int] = [:]
        return edits.filter { edit in
            if edit.kind == .lastResort, counts.keys.contains(where: { $0 != .lastResort }) { return false }
            counts[edit.kind, default: 0] += 1
            return counts[edit.kind, default: 0] <= edit.kind.limit
        }
    }

    // Everything that rejects, flag by flag and filter by filter.
    private func removals(_ decision: Decision) -> [ManagementCommand] {
        let flags = symbols.catalogue.names(of: decision.rejectingFlags)
        let filters = engine.filterNames(decision.rejectingFilters, of: decision)
        let removals: [ManagementCommand?] =
            flags.map { .rejectFlag($0, isAdded: false) } + filters.map { .removal(ofFilter: $0) }
        return removals.contains(nil) ? [] : removals.compactMap(\.self)
    }
}

// MARK: Pairs

extension VerdictFlips {
    private struct Pair {
        let edits: [AccountEdit]
        let weight: Int

        init(_ first: AccountEdit, _ second: AccountEdit) {
            edits = second.rank < first.rank ? [second, first] : [first, second]
            weight = first.weight + second.weight
        }
    }

    // The smallest pairs for each of some attestations, as commands.
    private func pairs(for indices: [Int], applicable: [Int]) -> [Int: [[ManagementCommand]]] {
        guard !indices.isEmpty else { return [:] }
        var found: [Int: (weight: Int, commands: [[ManagementCommand]])] = [:]
        var open = Set(indices)
        for pair in orderedPairs(applicable) {
            // An attestation that has smaller pairs already needs no more.
            open = open.filter { found[$0].map { $0.weight == pair.weight } ?? true }
            if open.isEmpty { break }
            let turned = turnedVerdicts(by: pair.edits.map(\.command))?.intersection(open) ?? []
            for index in turned where found[index].map({ $0.commands.count < Self.pairLimit }) ?? true {
                found[index, default: (pair.weight, [])].commands.append(pair.edits.map(\.command))
            }
        }
        return found.mapValues(\.commands)
    }

    /// The greatest number of pairs that are named.
    static var pairLimit: Int { 3 }

    private func orderedPairs(_ indices: [Int]) -> [Pair] {
        var pairs: [Pair] = []
        for (number, first) in indices.enumerated() {
            for second in indices.dropFirst(number + 1) { pairs.append(Pair(edits[first], edits[second])) }
        }
        return pairs.enumerated().sorted { ($0.element.weight, $0.offset) < ($1.element.weight, $1.offset) }
            .map(\.element)
    }
}

// MARK: Trials

extension VerdictFlips {
    // The attestations whose verdict some commands turn together; `nil` where the account refuses them.
    private func turnedVerdicts(by commands: [ManagementCommand]) -> Set<Int>? {
        var changed = account
        for command in commands {
            guard (try? command.apply(to: &changed, in: CommandContext())) != nil else { return nil }
        }
        var numbering = symbols
        var trial = Engine(account: changed, symbols: &numbering, matcher: patterns)
        return Set(
            attestations.indices.filter {
                trial.attest(attestations[$0], symbols: numbering).passed != decisions[$0].passed
            })
    }
}
