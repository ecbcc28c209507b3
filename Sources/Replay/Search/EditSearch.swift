package import PolicyEngine

/// Looks for the fewest edits of an account that reject and keep what they have to.
package struct EditSearch {
    /// The conditions that the edits have to meet.
    package struct Question: Sendable {
        /// The records that must fail, and those that must pass; `nil` asks for nothing.
        package var reject, keep: RecordExpression?
        /// The maximum number of edits.
        package var maximumEdits: Int
        /// Returns true if a number of devices, of all devices, may newly be rejected besides.
        package var allowsRejected: @Sendable (_ devices: Int, _ all: Int) -> Bool
        /// True if the answer is best that rejects least in all, rather than that with the fewest edits.
        package var isLoosest: Bool

        package init(
            reject: RecordExpression?, keep: RecordExpression?, maximumEdits: Int, isLoosest: Bool = false,
            allowsRejected: @escaping @Sendable (Int, Int) -> Bool = { _, _ in true }
        ) {
            (self.reject, self.keep, self.maximumEdits) = (reject, keep, maximumEdits)
            (self.isLoosest, self.allowsRejected) = (isLoosest, allowsRejected)
        }
    }

    /// Edits that do what is asked for.
    package struct Answer: Sendable {
        /// The edits, by their numbers.
        package let edits: [Int]
        /// The account after them.
        package let account: Account
        /// Devices that newly fail though nobody asked for it, and those that fail in all though nobody asked for it.
        package let rejected, failing: Int
    }

    /// The outcome of a search: answers, or why there are none.
    package enum Result: Sendable {
        /// The best answers; none where the maximum number of edits does not suffice.
        case answers([Answer])
        /// No record has to be rejected or kept.
        case nothingAsked
        /// A number of records have to be both.
        case contradiction(records: Int)
        /// It takes too long.
        case late
    }

    private let question: Question
    private let records: [KeptRecord]
    private let selection: RecordSelection
    private let patterns: PatternMatcher
    private let account: Account
    private let matched: Account
    private let apply: (Account, Int) -> Account?
    private let edits: Int
    private let deadline: ContinuousClock.Instant

    /// The maximum number of answers.
    package static let answers = 5

    /// - Parameters:
    ///   - question: The request.
    ///   - records: The records, in the order of time, with the attributes that account and question look at.
    ///   - selection: The question's answer on each of them.
    ///   - account: The account as it is.
    ///   - edits: The number of single edits to choose from.
    ///   - patterns: Runs the patterns of the account.
    ///   - deadline: When it takes too long.
    ///   - matched: The account with all filters that edits add, which do nothing there; `nil` where none adds one.
    ///   - apply: Makes an edit on an account; `nil` where that is refused or changes nothing.
    package init(
        _ question: Question, records: [KeptRecord], selection: RecordSelection, account: Account, edits: Int,
        patterns: PatternMatcher, deadline: ContinuousClock.Instant, matched: Account? = nil,
        apply: @escaping (Account, Int) -> Account?
    ) {
        (self.question, self.records, self.selection, self.account) = (question, records, selection, account)
        (self.edits, self.apply, self.matched) = (edits, apply, matched ?? account)
        (self.patterns, self.deadline) = (patterns, deadline)
    }

    /// Tries all edits one by one, then all pairs of them, and so on.
    ///
    /// - Complexity: O(edits to the power of the most edits); most sets fail at the first records that are tried.
    package func run() -> Result {
        let counts = selection.counts
        guard counts.both == 0 else { return .contradiction(records: counts.both) }
        guard counts.rejecting + counts.keeping > 0 else { return .nothingAsked }
        guard let trial = EditTrial(matched, records, selection, patterns: patterns, deadline: deadline) else {
            return .late
        }
        var found: [Answer] = []
        var level: [(edits: [Int], account: Account)] = [([], account)]
        for size in 0...question.maximumEdits {
            for (edits, account) in level {
                if ContinuousClock.now >= deadline { return .late }
                guard let result = trial.result(of: account), question.allowsRejected(result.rejected, trial.devices)
                else { continue }
                found.append(
                    Answer(edits: edits, account: account, rejected: result.rejected, failing: result.failing))
            }
            if !found.isEmpty, !question.isLoosest { break }
            guard size < question.maximumEdits else { continue }
            guard let next = extended(level) else { return .late }
            level = next
        }
        if ContinuousClock.now >= deadline { return .late }
        return .answers(best(of: found))
    }

    // Edits are made in the order of their numbers: presets before flags, which belong to them.
    private func extended(_ level: [(edits: [Int], account: Account)]) -> [(edits: [Int], account: Account)]? {
        var next: [(edits: [Int], account: Account)] = []
        for (edits, account) in level {
            if ContinuousClock.now >= deadline { return nil }
            for edit in ((edits.last ?? -1) + 1)..<max(self.edits, (edits.last ?? -1) + 1) {
                if edit % 64 == 0, ContinuousClock.now >= deadline { return nil }
                if let edited = apply(account, edit) { next.append((edits + [edit], edited)) }
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
        question.isLoosest
            ? [answer.failing, answer.edits.count, offset]
            : [answer.edits.count, answer.rejected, answer.failing, offset]
    }
}
