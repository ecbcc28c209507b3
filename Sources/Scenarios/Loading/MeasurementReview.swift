internal import Accounts
internal import Documents
internal import PolicyEngine

/// The steps of a scenario that ask for measurements. Each must find encrypted tokens in its accounts at its time, so that
/// nobody on the way can read the measurement, and the feature (R22.1).
struct MeasurementReview {
    /// A step that asks for a measurement.
    struct Asking {
        let domain: String
        let groups: [Int]
        /// The position at which it names the domain.
        let position: SourcePosition
        /// Seconds from the scenario's start to its first time, and to its last.
        let first: Int
        let last: Int

        /// - Returns: `nil` for a step that asks for none.
        init?(_ step: Step) {
            let text: String
            switch step.action {
            case .fetch(let groups, let domain?): (self.groups, text) = (groups, domain)
            case .request(let groups, let target): (self.groups, text) = (groups, target.text)
            default: return nil
            }
            guard RequestedDomain.asksForMeasurement(text), let domain = RequestedDomain.domain(of: text) else {
                return nil
            }
            self.domain = domain
            (position, first, last) = (step.position, step.at, step.lastTime)
        }
    }

    // In file order, and so in the order of their first times.
    private var steps: [Asking] = []
    // The number of those whose first time was reached, and those that are wrong.
    private var reached = 0
    private var refused: Set<Int> = []

    /// Adds a step.
    mutating func add(_ step: Asking) { steps.append(step) }

    /// Checks the steps that happen for the first time before a command, with the accounts as they are then.
    ///
    /// - Parameters:
    ///   - position: The position of the command; `nil` for the end.
    ///   - time: When it is given, in seconds from the scenario's start.
    mutating func check(
        before position: SourcePosition?, at time: Int, _ accounts: [Account], of scenario: Scenario,
        _ reader: inout DocumentReader
    ) {
        while reached < steps.count {
            let step = steps[reached]
            if let position, (step.first, step.position) > (time, position) { return }
            check(reached, accounts, of: scenario, &reader)
            reached += 1
        }
    }

    /// Checks the steps that go on after a command has changed an account.
    mutating func recheck(
        after time: Int, _ accounts: [Account], of scenario: Scenario, _ reader: inout DocumentReader
    ) {
        for index in 0..<reached where steps[index].last > time { check(index, accounts, of: scenario, &reader) }
    }

    private mutating func check(
        _ index: Int, _ accounts: [Account], of scenario: Scenario, _ reader: inout DocumentReader
    ) {
        guard !refused.contains(index) else { return }
        let step = steps[index]
        for number in Set(step.groups.map { scenario.groups[$0].account }).sorted() {
            if !accounts[number].has(.measurement) {
                reader.error(
                    "a measurement of \(step.domain.quoted) needs the feature `measurement`", at: step.position,
                    hint: "`features: [measurement]` in the account")
                refused.insert(index)
            }
            if !accounts[number].encryptsTokens(for: step.domain) {
                reader.error(
                    "a measurement needs encrypted tokens, and those of \(step.domain.quoted) are not",
                    at: step.position,
                    hint: "`alg: \(APIDomain.encryptionAlgorithm)` of the domain, or `api -add \(step.domain) -jwe`")
                refused.insert(index)
            }
        }
    }
}

extension Account {
    /// True if tokens for a domain are encrypted: by its type, or by a key of the key set that is for that.
    fileprivate func encryptsTokens(for name: String) -> Bool {
        guard let domain = tokenDomain(named: name) else { return false }
        let key = try? tokenKey(for: domain)
        return (key?.algorithm.rawValue ?? domain.tokenAlgorithm) == APIDomain.encryptionAlgorithm
    }
}
