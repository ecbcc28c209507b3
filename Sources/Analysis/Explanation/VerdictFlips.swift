internal import Accounts
internal import PolicyEngine
internal import Replay

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
    func find() -> FlipLists {
        let turned = edits.map { turnedVerdicts(by: [$0.command]) }
        let unturned = attestations.indices.filter { index in !turned.contains { $0?[index] == true } }
        let pairs = pairs(for: unturned, applicable: edits.indices.filter { turned[$0] != nil })
        let removals = removals
        var (lists, numbers): (FlipLists, [Ways: UInt32]) = (FlipLists(), [:])
        for index in attestations.indices {
            let ways = Ways(
                singles: edits.indices.filter { turned[$0]?[index] == true }, pairs: pairs[index] ?? [],
                removal: removals[RejectionCauses(decisions[index])]?.commands(turning: index) ?? [])
            let number = numbers[ways] ?? lists.add(flips(ways))
            numbers[ways] = number
            lists.append(number)
        }
        return lists
    }

    // All that turns the verdict on an attestation; many attestations have the same.
    private struct Ways: Hashable {
        /// The numbers of the edits that do it alone.
        let singles: [Int]
        let pairs: [[ManagementCommand]]
        /// The commands that take away everything that rejects; none where a single one does, or where they do not turn it.
        let removal: [ManagementCommand]
    }

    private func flips(_ ways: Ways) -> [Explanation.Flip] {
        var found = Self.named(ways.singles.map { edits[$0] }).map { [$0.command] } + ways.pairs
        if !ways.removal.isEmpty, !found.contains(ways.removal) { found.append(ways.removal) }
        return found.map { Explanation.Flip(commands: $0.map(\.text)) }
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

    // The trial of taking away everything that rejects.
    private struct Removal {
        let commands: [ManagementCommand]
        // By attestation.
        let turned: [Bool]

        func commands(turning index: Int) -> [ManagementCommand] { turned[index] ? commands : [] }
    }

    // Many attestations have the same reasons, which are taken away in one trial for all of them.
    private var removals: [RejectionCauses: Removal] {
        var removals: [RejectionCauses: Removal] = [:]
        var seen: Set<RejectionCauses> = []
        for decision in decisions where seen.insert(RejectionCauses(decision)).inserted {
            let commands = removal(decision)
            guard commands.count > 1, let turned = turnedVerdicts(by: commands) else { continue }
            removals[RejectionCauses(decision)] = Removal(commands: commands, turned: turned)
        }
        return removals
    }

    // Everything that rejects, flag by flag and filter by filter.
    private func removal(_ decision: Decision) -> [ManagementCommand] {
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
            let commands = pair.edits.map(\.command)
            guard let turned = turnedVerdicts(by: commands) else { continue }
            for index in open
            where turned[index] && (found[index].map { $0.commands.count < Self.pairLimit } ?? true) {
                found[index, default: (pair.weight, [])].commands.append(commands)
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
    // By attestation, true if some commands together turn the verdict; `nil` where the account refuses them.
    private func turnedVerdicts(by commands: [ManagementCommand]) -> [Bool]? {
        var changed = account
        for command in commands {
            guard (try? command.apply(to: &changed, in: CommandContext())) != nil else { return nil }
        }
        var numbering = symbols
        var trial = Engine(account: changed, symbols: &numbering, matcher: patterns)
        return attestations.indices.map {
            trial.attest(attestations[$0], symbols: numbering).passed != decisions[$0].passed
        }
    }
}
