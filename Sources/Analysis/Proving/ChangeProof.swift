package import Figures
package import PolicyEngine
package import Proofs

/// The answers to the questions whether a change of an account turns the verdict on any possible device.
package struct ChangeProof: Sendable {
    /// The questions with their answers, in the order of the report.
    package let answers: [(direction: Prover.Direction, answer: Prover.Answer)]
    /// The effects of the change that no capture shows, in words, such as other flags that the service would observe. With any of
    /// them, nothing counts as proved.
    package let beyondCaptures: [String]
    /// The time limit of each answer, in seconds.
    package let limit: Int
    /// The decided rules on which the answers rest.
    package let decidedRules: DecidedRules
    /// The accounts before and after.
    package let accounts: ComparedAccounts

    /// The usual time limit of each answer, in seconds.
    package static let usualLimit = 10

    /// Makes a proof of answers that are known.
    package init(
        _ answers: [(direction: Prover.Direction, answer: Prover.Answer)], beyondCaptures: [String], limit: Int,
        decidedRules: DecidedRules = [], accounts: ComparedAccounts = ComparedAccounts()
    ) {
        (self.answers, self.beyondCaptures, self.limit) = (answers, beyondCaptures, limit)
        (self.decidedRules, self.accounts) = (decidedRules, accounts)
    }

    /// Answers the questions about a change.
    ///
    /// - Parameters:
    ///   - before: The account before the change.
    ///   - after: The account after it.
    ///   - direction: The one question to ask; `nil` asks both.
    ///   - limit: The time limit of each answer, in seconds.
    ///   - decidedRules: The decided rules on which the change itself rests.
    /// - Complexity: At most `limit` seconds for each question.
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

    /// The kinds of answers, by their words in reports.
    package enum Verdict: String, Sendable {
        case proved, found
        case notExcluded = "not-excluded"
        case notDecided = "not-decided"
    }

    /// The kind of an answer. An effect that no capture shows makes a proof one of ``Verdict/notExcluded``.
    package func verdict(_ answer: Prover.Answer) -> Verdict {
        switch answer {
        case .proved: beyondCaptures.isEmpty ? .proved : .notExcluded
        case .found: .found
        case .notExcluded: .notExcluded
        case .notDecided: .notDecided
        }
    }

    /// The kind of each answer, in the order of the questions.
    package var verdicts: [Verdict] { answers.map { verdict($0.answer) } }

    /// True if a device was found for some question, even if another question has no answer.
    package var isRefuted: Bool { verdicts.contains(.found) }

    /// True if each answer proves that no verdict turns.
    package var isProved: Bool { verdicts.allSatisfy { $0 == .proved } }

    /// True if the verdict on a device that was found turns only where the failover answers, so that no capture shows it.
    package var hasOutage: Bool { answers.contains { $0.answer.hasOutage } }
}

extension Prover.Answer {
    /// True if the verdict on the device that was found turns only where the failover answers.
    package var hasOutage: Bool { if case .found(let witness) = self { witness.hasOutage } else { false } }
}
