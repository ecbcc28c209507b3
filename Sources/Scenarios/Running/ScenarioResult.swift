package import Documents
internal import PolicyEngine
package import Replay

/// How one scenario went.
package struct ScenarioResult: Sendable {
    package var name: String
    package var file: String
    /// The expectations, in the order in which they were checked.
    package var expectations: [ExpectationResult] = []
    /// What happened, a line for each step; filled when asked for.
    package var log: [String] = []
    /// What its commands printed.
    package var printed: [String] = []
    /// The mail that would have been sent, in the order of time.
    package var mail: [MailMessage] = []
    /// What summaries would say of its accounts at the end.
    package var summaries: [AccountSummary] = []
    /// What was counted.
    package var figures = Figures()
    /// What of the rules and its accounts it exercised, where that was asked for.
    package var coverage: Coverage?
    /// What became of its requests, by group; only groups that made some.
    package var requests: [RequestFigures] = []
    /// How long it took, where that was asked for.
    package var duration: Duration?
    /// How often fetches were served, and how.
    package var fetches = FetchCounts()

    package init(name: String, file: String) {
        self.name = name
        self.file = file
    }

    /// Whether every expectation held.
    package var passed: Bool { expectations.allSatisfy(\.passed) }

    /// Client fetches by what became of them.
    package struct FetchCounts: Hashable, Sendable {
        package var attested = 0
        package var cached = 0
        package var failed = 0

        package var total: Int { attested + cached + failed }
    }
}

/// How one expectation went.
package struct ExpectationResult: Hashable, Sendable {
    package var file: String
    package var position: SourcePosition
    package var passed: Bool
    /// What was expected and what was found, for people.
    package var expected: String
    package var actual: String
    /// What was compared, and for whom.
    package var message: String
    /// What must have been reached, so that passing means something.
    package var reaches: [Reach] = []
    /// What the expectation would have to say to hold; `nil` where no single value does.
    package var correction: DocumentValue?

    /// The same, failed because it would hold whatever the policy did.
    ///
    /// - Parameter reason: Why, in words; `nil` leaves it as it is, as does its having failed.
    func failing(asVacuous reason: String?) -> ExpectationResult {
        guard passed, let reason else { return self }
        var result = self
        result.passed = false
        result.correction = nil
        result.actual += " (vacuous: \(reason))"
        return result
    }
}

/// What an expectation names and must have been reached for it to mean anything.
///
/// One that allows 0 and more passes also where the filter never matched: then it is vacuous. One that asks for absence,
/// 0 and nothing else, is not.
package enum Reach: Hashable, Sendable {
    /// A filter, matched by some attestation of one of these accounts.
    case filter(String, accounts: [Int])
    /// A rejection policy, applied to some attestation of an account.
    case policy(String, account: Int)
}

extension [ExpectationResult] {
    /// Fails what passed though what it names was never reached: it is vacuous.
    ///
    /// - Parameter services: By account, as they are at the end.
    mutating func failUnreached(_ services: [SimulatedService]) {
        guard contains(where: { !$0.reaches.isEmpty }) else { return }
        let metrics = services.map(\.figures.metrics)
        self = map { expectation in
            let missing = expectation.reaches.first { !Self.isReached($0, metrics) }
            return expectation.failing(asVacuous: missing.map(Self.words))
        }
    }

    private static func isReached(_ reach: Reach, _ metrics: [[Metric: Int]]) -> Bool {
        switch reach {
        case .filter(let name, let accounts): accounts.contains { metrics[$0][.filter(ExactText(name))] != nil }
        case .policy(let name, let account): metrics[account][.policy(ExactText(name))] != nil
        }
    }

    private static func words(for reach: Reach) -> String {
        switch reach {
        case .filter(let name, _): "filter `\(name)` never matched"
        case .policy(let name, _): "policy `\(name)` was never applied"
        }
    }
}
