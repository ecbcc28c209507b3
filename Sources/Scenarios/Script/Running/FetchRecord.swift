internal import Figures
internal import PolicyEngine
internal import Replay

/// Records the results of the fetches, requests and calls of a run.
struct FetchRecord {
    private let scenario: Scenario
    private let services: [SimulatedService]
    // By group, the number of its first install over all groups.
    private let firstInstalls: [Int]
    // By step, what is gathered for its expectations.
    private var tallies: [Int: [ExpectationTally]] = [:]
    // `nil` where decisions are not written.
    private var decisionLines: DecisionLines?
    private let keepsResults: Bool
    /// The number of fetches by the way in which they were served.
    private(set) var counts = ScenarioResult.FetchCounts()
    /// The accounts whose devices fetched.
    private(set) var fetching: Set<Int> = []
    /// The results that clients got in the latest step, if they are kept.
    private(set) var received: [Received] = []
    /// Follows installs step by step; `nil` where none is followed.
    var tracer: StepTracer?

    /// - Parameters:
    ///   - scenario: The scenario that is run.
    ///   - services: By account.
    ///   - firstInstalls: By group, the number of its first install over all groups.
    ///   - firstIndex: The number of the first decision, where decisions are to be written.
    ///   - keepsResults: True if what clients get in a step is kept up to the next one.
    ///   - tracer: Follows installs, if any are followed.
    ///   - redactor: The redactor that hides whose the decisions are; `nil` shows it.
    init(
        _ scenario: Scenario, services: [SimulatedService], firstInstalls: [Int], firstIndex: Int?,
        keepsResults: Bool, tracer: StepTracer?, redactor: Redactor?
    ) {
        (self.scenario, self.services, self.firstInstalls) = (scenario, services, firstInstalls)
        (self.keepsResults, self.tracer) = (keepsResults, tracer)
        decisionLines = firstIndex.map {
            DecisionLines(accounts: scenario.accounts.count, firstIndex: $0, redactor: redactor)
        }
    }

    /// Writes the decisions that were not written yet.
    mutating func write(to file: inout LineFile) throws(ReplayFailure) { try decisionLines?.write(to: &file) }

    /// Forgets what is kept of the step before.
    mutating func startStep() { received.removeAll(keepingCapacity: true) }

    // MARK: Tallies

    /// Starts to gather for the expectations of a step, if it was not started.
    mutating func startTallies(of step: Step, number: Int) {
        guard !step.expectations.isEmpty else { return }
        if tallies[number] == nil { tallies[number] = step.expectations.map(ExpectationTally.init) }
    }

    /// Takes out the tallies of the expectations of a step that is over.
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

    /// The result of a fetch, and true if its token was in the cache.
    typealias Ended = (result: FetchResult, isCached: Bool)

    /// Notes a fetch, with the request that it was made for.
    mutating func note(
        _ fetch: Ended?, by install: borrowing Install,
        tally: inout [ExpectationTally], notice: ConfigurationNotice, outcome: RequestOutcome? = nil
    ) {
        let isCached = fetch?.isCached ?? false
        let decision = fetch?.result == .success ? install.token?.decision : nil
        if let fetch { count(fetch.result, isCached: isCached, decision, of: install.group) }
        if keepsResults, outcome == nil { keep(.token, kept(fetch, decision, by: install), by: install) }
        guard !tally.isEmpty else { return }
        var end = FetchEnd(result: fetch?.result.rawValue, isCached: isCached)
        (end.hasToken, end.outcome, end.notice) = (decision != nil, outcome, notice)
        add(end, by: install, tally: &tally)
    }

    /// Notes a request.
    mutating func note(
        _ made: RequestRound.Result, by install: borrowing Install, tally: inout [ExpectationTally]
    ) {
        // R18.4: both fetches of an app that was launched anew count, and one request.
        if let (fetch, token) = made.earlier {
            count(fetch.result, isCached: fetch.isCached, token?.decision, of: install.group)
            if !tally.isEmpty {
                var end = FetchEnd(result: fetch.result.rawValue, isCached: fetch.isCached)
                (end.hasToken, end.earlierToken, end.notice) = (token != nil, token, fetch.notice)
                add(end, by: install, tally: &tally)
            }
        }
        let fetch: Ended? = made.fetch.map { ($0.result, $0.isCached) }
        note(
            fetch, by: install, tally: &tally, notice: made.fetch?.notice ?? ConfigurationNotice(),
            outcome: made.outcome)
        guard keepsResults else { return }
        let decision = made.fetch?.result == .success ? install.token?.decision : nil
        let earlier: Ended? = made.earlier.map { ($0.fetch.result, $0.fetch.isCached) }
        keep(
            .request(made.outcome), kept(fetch, decision, by: install),
            kept(earlier, made.earlier?.token?.decision, by: install), by: install)
    }

    /// Notes a call beside those for tokens, and the decision where the client attested.
    mutating func note(
        _ end: FetchEnd, _ what: Received.What, by install: borrowing Install,
        tally: inout [ExpectationTally]
    ) {
        if let decision = end.decision { write(decision, of: install.group) }
        if keepsResults { keep(what, kept(call: what, end.decision, by: install), by: install) }
        add(end, by: install, tally: &tally)
    }

    private func add(
        _ end: FetchEnd, by install: borrowing Install, tally: inout [ExpectationTally]
    ) {
        let service = services[scenario.groups[install.group].account]
        let number = firstInstalls[install.group] + install.number
        for index in tally.indices { tally[index].add(end, by: install, number: number, in: service) }
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

    // MARK: Results

    private mutating func keep(
        _ what: Received.What, _ fetch: KeptFetch?, _ earlier: KeptFetch? = nil, by install: borrowing Install
    ) {
        received.append(
            Received(group: install.group, number: install.number, what: what, fetch: fetch, earlier: earlier))
    }

    private func kept(
        _ fetch: Ended?, _ decision: Decision?, by install: borrowing Install
    ) -> KeptFetch? {
        guard let fetch else { return nil }
        let compared = ComparedDecision(fetch.result, decision, unsearched: unsearched(decision, by: install))
        return KeptFetch(compared: compared, isAttested: decision != nil && !fetch.isCached)
    }

    private func kept(
        call what: Received.What, _ decision: Decision?, by install: borrowing Install
    ) -> KeptFetch? {
        switch what {
        case .secureString(let result, _), .customToken(let result, _):
            let compared = ComparedDecision(
                call: result, decision, unsearched: unsearched(decision, by: install))
            return KeptFetch(compared: compared, isAttested: decision != nil)
        case .token, .request, .proof: return nil
        }
    }

    private func unsearched(_ decision: Decision?, by install: borrowing Install) -> [String] {
        decision.map(services[scenario.groups[install.group].account].engine.unsearchedFilters) ?? []
    }
}

extension ScenarioResult.FetchCounts {
    fileprivate mutating func count(hasToken: Bool, isCached: Bool) {
        if !hasToken { failed += 1 } else if isCached { cached += 1 } else { attested += 1 }
    }
}

/// The decisions of a run as lines, for a file of decisions.
struct DecisionLines {
    // One for each account, since flags and response codes differ.
    private var writers: [DecisionWriter]
    private var count: Int
    // The lines that were not written yet.
    private var bytes: [UInt8] = []

    /// - Parameters:
    ///   - accounts: The number of the scenario's accounts.
    ///   - firstIndex: The number of the first decision.
    ///   - redactor: The redactor that hides devices; `nil` shows them.
    init(accounts: Int, firstIndex: Int, redactor: Redactor? = nil) {
        writers = (0..<accounts).map { _ in DecisionWriter(redactor: redactor) }
        count = firstIndex
    }

    /// Adds the line of a decision of an account, whose service made it.
    mutating func append(_ decision: Decision, ofAccount account: Int, by service: SimulatedService) {
        bytes += writers[account].render(
            decision, index: count, engine: service.engine, symbols: service.symbols)
        count += 1
    }

    /// Writes the lines that were not written yet.
    mutating func write(to file: inout LineFile) throws(ReplayFailure) {
        try file.write(bytes)
        bytes.removeAll(keepingCapacity: true)
    }
}
