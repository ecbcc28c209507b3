internal import Accounts
internal import PolicyEngine
internal import Replay

/// Finds the changes of an account that would turn verdicts on one device. Each change is made before the first attestation of the
/// device, as `--change` makes it, and all attestations of the device are evaluated again.
struct VerdictFlips {
    let account: Account
    /// The attestations of the device, in the order of time.
    let attestations: [Attestation]
    /// The decision on each attestation, under the account as it is.
    let decisions: [Decision]
    /// The engine that made these decisions.
    let engine: Engine
    let symbols: SymbolTable
    /// The edits that are tried.
    let edits: [AccountEdit]
    /// Runs the patterns of every changed account.
    let patterns: PatternMatcher

    /// The changes that turn each verdict, in this order: single commands, the narrowest kind first; if none turns the verdict
    /// alone, the smallest pairs of commands; then the commands that together take away everything that rejects.
    ///
    /// - Complexity: O(edits × attestations), and with the edits squared where no single one turns a verdict.
    func find() -> FlipLists {
        let turned = edits.map { turnedVerdicts(by: [$0.command]) }
        let unturned = attestations.indices.filter { index in !turned.contains { $0?[index] == true } }
        let pairs = pairs(for: unturned, applicable: edits.indices.filter { turned[$0] != nil })
        let removals = removals
        // Attestations that the same changes turn share a list.
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

    // All changes that turn the verdict on an attestation.
    private struct Ways: Hashable {
        /// The indices of the edits that turn the verdict alone.
        let singles: [Int]
        let pairs: [[ManagementCommand]]
        /// The commands that take away everything that rejects; none if that is a single command, or does not turn the verdict.
        let removal: [ManagementCommand]
    }

    private func flips(_ ways: Ways) -> [Explanation.Flip] {
        var found = Self.reported(ways.singles.map { edits[$0] }).map { [$0.command] } + ways.pairs
        if !ways.removal.isEmpty, !found.contains(ways.removal) { found.append(ways.removal) }
        return found.map { Explanation.Flip(commands: $0.map(\.text)) }
    }

    // Leaves out edits of a kind beyond its limit, and an edit of the last resort if there are others.
    private static func reported(_ edits: [AccountEdit]) -> [AccountEdit] {
        var counts: [AccountEdit.Kind: Int] = [:]
        return edits.filter { edit in
            if edit.kind == .lastResort, counts.keys.contains(where: { $0 != .lastResort }) { return false }
            counts[edit.kind, default: 0] += 1
            return counts[edit.kind, default: 0] <= edit.kind.limit
        }
    }

    // The commands that take away everything that rejects, and their effect.
    private struct Removal {
        let commands: [ManagementCommand]
        // By attestation, true if the commands turn its verdict.
        let turned: [Bool]

        func commands(turning index: Int) -> [ManagementCommand] { turned[index] ? commands : [] }
    }

    // The removals by what rejects. Many attestations are rejected by the same, so that one trial is enough for all of them.
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

    // The commands that take away everything that rejects, flag by flag and filter by filter; none if something cannot be taken away.
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
        /// The edits in the order in which they are made.
        let edits: [AccountEdit]
        /// The sum of their weights; smaller pairs have a smaller one.
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

    /// The greatest number of pairs that are reported for an attestation.
    static var pairLimit: Int { 3 }

    // All pairs of some edits, the smallest first.
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
    // By attestation, true if some commands together turn its verdict; `nil` if the account refuses one of them.
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
