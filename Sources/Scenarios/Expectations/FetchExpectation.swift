internal import Documents
internal import PolicyEngine
internal import Replay

/// An expectation about the fetches of a step.
package struct FetchExpectation: Sendable {
    /// Which of the fetches it is about.
    let target: Target
    let position: SourcePosition
    let checks: [Check]
    /// True if it may hold because nothing happened.
    var allowsVacuous = false
    /// True if the step makes calls beside those for tokens.
    var isOfCalls = false

    enum Target: Hashable, Sendable {
        /// Every fetch of the step.
        case all
        /// The fetches of a group, by its index.
        case group(Int)
        /// The fetches of one device.
        case device(DeviceID)
    }

    /// One key of the expectation and its value.
    struct Check: Sendable {
        /// The key, for messages.
        let name: String
        let position: SourcePosition
        let condition: Condition
    }

    enum Condition: Sendable {
        /// Of each fetch: the token's verdict.
        case verdict(passed: Bool)
        /// Of each fetch or call: the client's status, or the result of a proof.
        case result(String)
        /// Of all fetches or calls: how many ended in each way.
        case results([(name: String, count: CountRange)])
        /// Of each call: the secure string.
        case value(String)
        /// Of each fetch: the policy that was applied.
        case policy(String)
        /// Of each fetch: the token's lifetime in seconds.
        case lifetime(Int)
        /// Of each fetch: exactly these names, in any order.
        case exactly(Aspect, Set<String>)
        /// Of each fetch: no annotation at all (R5.3).
        case noAnnotations
        /// Of each fetch: what the response code means (R12).
        case responseCode(ResponseCodeCondition)
        /// Of each fetch: the token itself.
        case token(TokenExpectation)
        /// Of each fetch: the form of the token that apps may log (R14.6).
        case loggable(LoggableExpectation)
        /// Of all fetches: how many there are of a kind.
        case count(CountKind, CountRange)
        /// Of all requests: how many ended in a way (R19.5).
        case outcome(RequestOutcome, CountRange)
        /// Of all fetches: how many said something of the configuration (R17.4).
        case notice(NoticeKind, CountRange)
        /// Of all fetches: how many devices have each name.
        case devices(Aspect, [(name: String, count: CountRange)])
    }

    /// A condition on a response code.
    enum ResponseCodeCondition: Hashable, Sendable {
        /// There is none (R12.4).
        case none
        /// This one, letter by letter.
        case text(String)
        /// One that means this; `nil` takes any flags.
        case meaning(passed: Bool, flags: Set<String>?)
    }

    /// The names that an attestation carries.
    enum Aspect: String, Hashable, Sendable, CaseIterable {
        case rejections, flags, annotations, filters
    }

    /// The notices of a fetch about the configuration.
    enum NoticeKind: String, Hashable, Sendable, CaseIterable {
        case changed = "config-changed"
        case forced = "force-apply"
    }

    /// The kinds of fetch that are counted.
    enum CountKind: String, Hashable, Sendable, CaseIterable {
        case pass, fail, attested, cached
    }
}

/// An expectation about one account at the end of a scenario.
struct FinalExpectation: Sendable {
    /// The account by its index.
    let account: Int
    var metrics: [Metric] = []
    var states: [State] = []
    var requests: [RequestCheck] = []
    /// The expected number of notifications about problems (R25.2); `nil` if there is no such expectation.
    var notifications: Notifications?
    /// True if it may hold because nothing happened.
    var allowsVacuous = false

    struct Notifications: Sendable {
        let position: SourcePosition
        let count: CountRange
    }

    struct Metric: Sendable {
        let metric: Replay.Metric
        let position: SourcePosition
        let count: CountRange

        /// As R13 has it.
        var name: String { metric.name }
    }

    struct State: Sendable {
        let target: FetchExpectation.Target
        /// As it was named.
        let name: String
        let position: SourcePosition
        /// The persisted flags; `nil` when the state must not be set (R6.5).
        let flags: FlagSet?
    }
}

/// The range of a count: a number, or bounds (formats: Scenario, expectations).
struct CountRange: Hashable, Sendable, CustomStringConvertible {
    let atLeast: Int
    let atMost: Int

    /// Exactly one number.
    init(_ count: Int) {
        (atLeast, atMost) = (count, count)
    }

    /// Bounds, both included.
    init(atLeast: Int, atMost: Int) {
        (self.atLeast, self.atMost) = (atLeast, atMost)
    }

    /// True if 0 is in the range beside greater counts.
    var isVacuousAtZero: Bool { atLeast == 0 && atMost > 0 }

    /// True if every count is in the range, so that nothing is asked for.
    var isUnbounded: Bool { atLeast == 0 && atMost == .max }

    func contains(_ count: Int) -> Bool { atLeast <= count && count <= atMost }

    /// `18`, `at least 10`, `at most 30`, `10 to 30`.
    var description: String {
        if atLeast == atMost { return "\(atLeast)" }
        if atMost == .max { return "at least \(atLeast)" }
        return atLeast == 0 ? "at most \(atMost)" : "\(atLeast) to \(atMost)"
    }
}
