internal import PolicyEngine
internal import Replay

/// Takes down what the fetches, requests and calls of a run come to.
struct FetchRecord {
    private let scenario: Scenario
    private let services: [SimulatedService]
    // By group, the number of its first install over all groups.
    private let firstInstalls: [Int]
    // By step, what is gathered for its expectations.
    private var tallies: [Int: [ExpectationTally]] = [:]
    // `nil` where decisions are not written.
    private var decisionLines: DecisionLines?
    private let keepsFetches: Bool
    /// How often fetches were served, and how.
    private(set) var counts = ScenarioResult.FetchCounts()
    /// The accounts whose devices fetched.
    private(set) var fetching: Set<Int> = []
    /// The fetches of the latest step, where they are kept.
    private(set) var fetches: [KeptFetch] = []
    /// The outcomes of the requests of the latest step, where fetches are kept.
    private(set) var outcomes: [RequestOutcome] = []
    /// Follows installs step by step; `nil` where none is followed.
    var tracer: StepTracer?

    /// - Parameters:
    ///   - scenario: What is run.
    ///   - services: By account.
    ///   - firstInstalls: By group, the number of its first install over all groups.
    ///   - firstIndex: The number of the first decision, where decisions are to be written.
    ///   - keepsFetches: Whether the fetches of a step are kept up to the next one.
    ///   - tracer: Follows installs, if any are followed.
    ///   - redactor: What hides whose the decisions are; `nil` shows it.
    init(
        _ scenario: Scenario, services: [SimulatedService], firstInstalls: [Int], firstIndex: Int?,
        keepsFetches: Bool, tracer: StepTracer?, redactor: Redactor?
    ) {
        (self.scenario, self.services, self.firstInstalls) = (scenario, services, firstInstalls)
        (self.keepsFetches, self.tracer) = (keepsFetches, tracer)
        decisionLines = firstIndex.map {
            DecisionLines(accounts: scenario.accounts.count, firstIndex: $0, redactor: redactor)
        }
    }

    /// Writes the decisions that were not written yet.
    mutating func write(to file: inout LineFile) throws(ReplayFailure) { try decisionLines?.write(to: &file) }

    /// Forgets what is kept of the step before.
    mutating func startStep() {
        fetches.removeAll(keepingCapacity: true)
        outcomes.removeAll(keepingCapacity: true)
    }

    // MARK: Tallies

    /// Starts to gather for the expectations of a step, if it was not started.
    mutating func startTallies(of step: Step, number: Int) {
        if tallies[number] == nil { tallies[number] = step.expectations.map(ExpectationTally.init) }
    }

    /// What was gathered for the expectations of a step, which is over.
    mutating func finishTallies(number: Int) -> [ExpectationTally] { tallies.removeValue(forKey: number) ?? [] }

    /// Notes that the devices of a group fetch, and takes out what is gathered for the step.
    mutating func beginGroup(_ group: Int, step: Int, _ tally: inout [ExpectationTally]) {
        fetching.insert(scenario.groups[group].account)
        swap(&tally, &tallies[step, default: []])
    }

    /// Puts back what is gathered for the step.
    mutating func endGroup(step: Int, _ tally: inout [ExpectationTally]) {
        swap(&tally, &tallies[step, default: []])
    }

    // MARK: Notes

    /// Notes a fetch, with the request that it was made for.
    mutating func note(
        _ fetch: (result: FetchResult, isCached: Bool)?, by install: borrowing Install,
        tally: inout [ExpectationTally], notice: ConfigurationNotice, outcome: RequestOutcome? = nil
    ) {
        let isCached = fetch?.isCached ?? false
        let decision = fetch?.result == .success ? install.token?.decision : nil
        if let fetch { count(fetch.result, isCached: isCached, decision, of: install.group) }
        if keepsFetches { keep(fetch?.result, isCached: isCached, decision, by: install, outcome) }
        guard !tally.isEmpty else { return }
        var taken = ExpectationTally.Taken(result: fetch?.result.rawValue, isCached: isCached)
        (taken.hasToken, taken.outcome, taken.notice) = (decision != nil, outcome, notice)
        take(taken, by: install, tally: &tally)
    }

    /// Notes a request.
    mutating func note(
        _ made: RequestRound.Result, by install: borrowing Install, tally: inout [ExpectationTally]
    ) {
        // R18.4: both fetches of an app that was launched anew count, and one request.
        if let (fetch, token) = made.earlier {
            count(fetch.result, isCached: fetch.isCached, token?.decision, of: install.group)
            if !tally.isEmpty {
                var taken = ExpectationTally.Taken(result: fetch.result.rawValue, isCached: fetch.isCached)
                (taken.hasToken, taken.earlierToken, taken.notice) = (token != nil, token, fetch.notice)
                take(taken, by: install, tally: &tally)
            }
        }
        note(
            made.fetch.map { ($0.result, $0.isCached) }, by: install, tally: &tally,
            notice: made.fetch?.notice ?? ConfigurationNotice(), outcome: made.outcome)
    }

    /// Notes a call beside those for tokens, and the decision where the client attested.
    mutating func note(
        _ taken: ExpectationTally.Taken, by install: borrowing Install, tally: inout [ExpectationTally]
    ) {
        if let decision = taken.decision { write(decision, of: install.group) }
        take(taken, by: install, tally: &tally)
    }

    private func take(
        _ taken: ExpectationTally.Taken, by install: borrowing Install, tally: inout [ExpectationTally]
    ) {
        let service = services[scenario.groups[install.group].account]
        let number = firstInstalls[install.group] + install.number
        for index in tally.indices { tally[index].take(install, number: number, taken, in: service) }
    }

    private mutating func count(_ fetched: FetchResult, isCached: Bool, _ decision: Decision?, of group: Int) {
        counts.count(hasToken: fetched == .success, isCached: isCached)
        if !isCached, let decision { write(decision, of: group) }
    }

    private mutating func write(_ decision: Decision, of group: Int) {
        guard decisionLines != nil else { return }
        let account = scenario.groups[group].account
        decisionLines?.append(decision, ofAccount: account, by: services[account])
    }

    private mutating func keep(
        _ fetched: FetchResult?, isCached: Bool, _ decision: Decision?, by install: borrowing Install,
        _ outcome: RequestOutcome?
    ) {
        if let fetched {
            let engine = services[scenario.groups[install.group].account].engine
            let compared = ComparedDecision(
                fetched, decision, unsearched: decision.map(engine.unsearchedFilters) ?? [])
            fetches.append(
                KeptFetch(
                    group: install.group, number: install.number, compared: compared,
                    isAttested: decision != nil && !isCached))
        }
        if let outcome { outcomes.append(outcome) }
    }
}

/// A fetch of the latest step: who made it, and with what result.
struct KeptFetch {
    let group: Int
    let number: Int
    let compared: ComparedDecision
    /// Whether the client attested for it.
    let isAttested: Bool
}

extension ScenarioResult.FetchCounts {
    fileprivate mutating func count(hasToken: Bool, isCached: Bool) {
        if !hasToken { failed += 1 } else if isCached { cached += 1 } else { attested += 1 }
    }
}
