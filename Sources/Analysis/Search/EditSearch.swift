internal import Accounts
internal import Documents
internal import PolicyEngine
internal import Replay

/// Looks for the fewest edits of an account that reject and keep what they have to.
struct EditSearch {
    /// Edits that do what is asked for.
    struct Answer {
        /// The edits, by their numbers.
        let edits: [Int]
        /// The account after them.
        let account: Account
        /// Devices that newly fail though nobody asked for it, and those that fail in all though nobody asked for it.
        let rejected, failing: Int
        /// The verdicts on labelled devices.
        let labels: LabelOutcome
    }

    let question: SearchQuestion
    /// The records, in the order of time, with the attributes that account and question look at.
    let records: [KeptRecord]
    /// The question's answer on each of them.
    let selection: RecordSelection
    /// The labels of the devices; `nil` for none.
    var labelled: LabelledDevices?
    /// The edits to choose from.
    let choice: EditChoice
    /// Runs the patterns of the account.
    let patterns: PatternMatcher
    /// When it takes too long.
    let deadline: ContinuousClock.Instant

    /// The maximum number of answers.
    private static let answers = 5

    /// Tries all edits one by one, then all pairs of them, and so on.
    ///
    /// - Returns: The best answers, none where the maximum number of edits does not suffice; the number of sets of edits
    ///   that were tried; and the number of devices.
    /// - Complexity: O(edits to the power of the most edits); most sets fail at the first records that are tried.
    func run() throws(SearchFailure) -> (answers: [Answer], tried: Int, devices: Int) {
        let counts = selection.counts
        if let first = selection.contradiction {
            throw .contradiction(records: counts.both, first: records[first].device)
        }
        guard counts.rejecting + counts.keeping > 0 || question.goal != nil else { throw .nothingSelected }
        let trial = EditTrial(
            choice.matched, records, selection, labelled: labelled, patterns: patterns, deadline: deadline)
        guard let trial else { throw .late }
        var (found, tried): ([Answer], Int) = ([], 0)
        var level: [(edits: [Int], account: Account)] = [([], choice.account)]
        for size in 0...question.mode.maximumEdits {
            for (edits, account) in level {
                try checkTime()
                tried += 1
                guard let result = trial.result(of: account),
                    question.limit?(result.rejected, trial.devices) ?? true, question.goal?.isMet(result.labels) ?? true
                else { continue }
                found.append(
                    Answer(
                        edits: edits, account: account, rejected: result.rejected, failing: result.failing,
                        labels: result.labels))
            }
            if !found.isEmpty, !question.mode.isLoosest { break }
            if size < question.mode.maximumEdits { level = try extended(level) }
        }
        try checkTime()
        return (best(of: found), tried, trial.devices)
    }

    private func checkTime() throws(SearchFailure) {
        if Cancellation.isDue(by: deadline) { throw .late }
    }

    // Edits are made in the order of their numbers: presets before flags, which belong to them.
    private func extended(
        _ level: [(edits: [Int], account: Account)]
    ) throws(SearchFailure) -> [(edits: [Int], account: Account)] {
        var next: [(edits: [Int], account: Account)] = []
        for (edits, account) in level {
            try checkTime()
            for edit in choice.commands.indices.dropFirst((edits.last ?? -1) + 1) {
                if edit % 64 == 0 { try checkTime() }
                if let edited = choice.commands[edit].edited(account) { next.append((edits + [edit], edited)) }
            }
        }
        return next
    }

    private func best(of found: [Answer]) -> [Answer] {
        let ranked = found.enumerated().sorted { first, second in
            rank(first.element, first.offset).lexicographicallyPrecedes(rank(second.element, second.offset))
        }
        var best: [Answer] = []
        // A preset that another one replaces is no edit.
        for (_, answer) in ranked where !best.contains(where: { $0.account == answer.account }) {
            best.append(answer)
            if best.count == Self.answers { break }
        }
        return best
    }

    private func rank(_ answer: Answer, _ offset: Int) -> [Int] {
        question.mode.isLoosest
            ? [answer.failing, answer.edits.count, offset]
            : [
                answer.edits.count, answer.labels.blocked, -answer.labels.caught, answer.rejected, answer.failing,
                offset,
            ]
    }
}
