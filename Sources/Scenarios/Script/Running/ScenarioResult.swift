package import Documents
package import Figures
internal import PolicyEngine

/// The result of one scenario.
package struct ScenarioResult: Sendable {
    package var name: String
    package var file: String
    /// The expectations, in the order in which they were checked.
    package var expectations: [ExpectationResult] = []
    /// The events, a line for each step; filled when asked for.
    package var log: [String] = []
    /// The lines that its commands printed.
    package var printed: [String] = []
    /// The mail that would have been sent, in the order of time.
    package var mail: [MailMessage] = []
    /// The summaries of its accounts at the end.
    package var summaries: [AccountSummary] = []
    /// The figures that were counted.
    package var figures = Figures()
    /// The coverage of the rules and of its accounts, if asked for.
    package var coverage: Coverage?
    /// The figures about its requests, by group; only groups that made some.
    package var requests: [RequestFigures] = []
    /// The time that it took, if asked for.
    package var duration: Duration?
    /// The number of fetches by the way in which they were served.
    package var fetches = FetchCounts()

    package init(name: String, file: String) {
        self.name = name
        self.file = file
    }

    /// A scenario that is invalid, so that it fails at each error.
    package init(invalid file: String, _ errors: [Diagnostic]) {
        self.init(name: file, file: file)
        expectations = errors.map { error in
            ExpectationResult(
                file: error.file, position: error.position ?? SourcePosition(line: error.line ?? 1, column: 1),
                passed: false, expected: "a valid scenario",
                actual: error.message + (error.hint.map { "; \($0)" } ?? ""), message: "validity")
        }
    }

    /// Files with errors, each of which fails.
    package static func invalid(_ errors: [Diagnostic]) -> [ScenarioResult] {
        var files: [String] = []
        for error in errors where !files.contains(error.file) { files.append(error.file) }
        return files.map { file in ScenarioResult(invalid: file, errors.filter { $0.file == file }) }
    }

    /// True if every expectation held.
    package var passed: Bool { expectations.allSatisfy(\.passed) }

    /// Client fetches by what became of them.
    package struct FetchCounts: Hashable, Sendable {
        package var attested = 0
        package var cached = 0
        package var failed = 0

        package var total: Int { attested + cached + failed }
    }
}

/// The result of one expectation.
package struct ExpectationResult: Hashable, Sendable {
    package var file = ""
    package var position = SourcePosition(line: 1, column: 1)
    package var passed: Bool
    /// The expected and the actual value, for people.
    package var expected: String
    package var actual: String
    /// The check and its subject: `verdict of bob`.
    package var message = ""
    /// The filters and policies that must have been reached, so that passing means something.
    package var reaches: [Reach] = []
    /// The value with which the expectation would hold; `nil` if no single value does.
    package var correction: ActualValue?
    /// The causes that reject the fetches of an expectation that failed; `nil` where none does.
    package var rejections: String?
    /// The device or the group of the fetches that it is about, as `explain` takes it; `nil` for all of the scenario.
    package var explainedDevice: String?
    /// The reason for which a check holds whatever the account decides, if there is one.
    var vacuity: String?
    /// The devices of the fetches that it is about: a group, a device, or `all`; `nil` for what is expected at the end.
    package var subject: String?
    /// When the fetches begin, in seconds from the start of the scenario: the first and the last of a repeated step; `nil` for
    /// what is expected at the end.
    package var times: ClosedRange<Int>?

    /// The same, which is not to be rewritten.
    var uncorrected: ExpectationResult {
        var result = self
        result.correction = nil
        return result
    }

    /// The result of a check as it is reported.
    func reported(
        file: String, position: SourcePosition, message: String, allowsVacuous: Bool
    ) -> ExpectationResult {
        var result = self
        (result.file, result.position, result.message, result.vacuity) = (file, position, message, nil)
        if passed || correction?.value == nil { result.correction = nil }
        if allowsVacuous { result.reaches = [] }
        return allowsVacuous ? result : result.failing(asVacuous: vacuity)
    }

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

/// A filter or a policy that an expectation names, and that must have been reached for it to mean anything.
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
