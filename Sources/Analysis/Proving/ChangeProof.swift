package import Figures
package import PolicyEngine
package import Proofs

/// The answers for all devices that there could be whether a change of an account turns their verdicts.
package struct ChangeProof: Sendable {
    /// The questions with their answers, in the order of the report.
    package let answers: [(direction: Prover.Direction, answer: Prover.Answer)]
    /// The effects of the change that no record shows, in words: which flags the service observes may be others then.
    package let beyondCaptures: [String]
    /// The seconds that each answer could take.
    package let limit: Int
    /// The decided rules on which the answers rest.
    package let decidedRules: DecidedRules
    /// The accounts before and after.
    package let accounts: ComparedAccounts

    /// The seconds that an answer may take by default.
    package static let usualLimit = 10

    package init(
        _ answers: [(direction: Prover.Direction, answer: Prover.Answer)], beyondCaptures: [String], limit: Int,
        decidedRules: DecidedRules = [], accounts: ComparedAccounts = ComparedAccounts()
    ) {
        (self.answers, self.beyondCaptures, self.limit) = (answers, beyondCaptures, limit)
        (self.decidedRules, self.accounts) = (decidedRules, accounts)
    }

    /// Asks about a change.
    ///
    /// - Parameters:
    ///   - before: The account before the change.
    ///   - after: The account after it.
    ///   - direction: The one question to ask; `nil` asks both.
    ///   - limit: The seconds that each answer may take.
    ///   - decidedRules: The decided rules on which the change itself rests.
    package init(
        before: Account, after: Account, _ direction: Prover.Direction?, limit: Int, decidedRules: DecidedRules = []
    ) {
        let prover = Prover(before: before, after: after, limit: .seconds(limit))
        let questions = direction.map { [$0] } ?? Prover.Direction.allCases
        let answers = questions.map { (direction: $0, answer: prover.answer($0)) }
        let accounts = ComparedAccounts(before: before, after: after)
        self.init(
            answers, beyondCaptures: accounts.beyondCaptures, limit: limit,
            decidedRules: answers.reduce(decidedRules) { $0.union(prover.decidedRules(of: $1.answer)) },
            accounts: accounts)
    }

    /// The answer to a question, in a word.
    package enum Verdict: String, Sendable {
        case proved, found
        case notExcluded = "not-excluded"
        case notDecided = "not-decided"
    }

    /// The answer to a question, in a word.
    package func verdict(_ answer: Prover.Answer) -> Verdict {
        switch answer {
        case .proved: beyondCaptures.isEmpty ? .proved : .notExcluded
        case .found: .found
        case .notExcluded: .notExcluded
        case .notDecided: .notDecided
        }
    }

    /// The answers in words, question by question.
    package var verdicts: [Verdict] { answers.map { verdict($0.answer) } }

    /// True if a device was found, which says more than a question without answer.
    package var isRefuted: Bool { verdicts.contains(.found) }

    /// True if no verdict turns.
    package var isProved: Bool { verdicts.allSatisfy { $0 == .proved } }

    /// True if a device was found whose verdict turns only where the failover answers, so that no capture shows it.
    package var hasOutage: Bool { answers.contains { $0.answer.hasOutage } }
}

extension Prover.Answer {
    /// True if the device that was found turns only where the failover answers.
    package var hasOutage: Bool { if case .found(let witness) = self { witness.hasOutage } else { false } }
}
