internal import Figures
internal import PolicyEngine
internal import Replay

/// Records the results of the fetches, requests and calls of a run.
struct FetchRecord {
    let scenario: Scenario
    /// By account.
    let services: [SimulatedService]
    /// By group, the number of its first install over all groups.
    let firstInstalls: [Int]
    /// The decisions that are to be written; `nil` where none are.
    var decisionLines: DecisionLines?
    /// True if what clients get in a step is kept up to the next one.
    let keepsResults: Bool
    /// Follows installs step by step; `nil` where none is followed.
    var tracer: StepTracer?
    /// By step, what is gathered for its expectations.
    var tallies: [Int: [ExpectationTally]] = [:]
    /// The number of fetches by the way in which they were served.
    private(set) var counts = ScenarioResult.FetchCounts()
    /// The accounts whose devices fetched.
    var fetching: Set<Int> = []
    /// The results that clients got in the latest step, if they are kept.
    private(set) var received: [Received] = []

    /// Forgets what is kept of the step before, and starts to gather for the expectations of a step if it was not started.
    mutating func start(_ step: Step, number: Int) {
        received.removeAll(keepingCapacity: true)
        guard !step.expectations.isEmpty, tallies[number] == nil else { return }
        tallies[number] = step.expectations.map(ExpectationTally.init)
    }

    /// Takes out the tallies of the expectations of a step that is over.
    mutating func finishTallies(number: Int) -> [ExpectationTally] { tallies.removeValue(forKey: number) ?? [] }

    /// Notes the end of a fetch, a request or a call.
    ///
    /// - Parameters:
    ///   - earlier: A fetch for the same request, after which the app was launched anew; both count, and one request (R18.4).
    ///   - tally: Gathers for the expectations of the step.
    mutating func note(
        _ end: FetchEnd, after earlier: FetchEnd? = nil, by install: borrowing Install, tally: inout [ExpectationTally]
    ) {
        let account = scenario.groups[install.group].account
        let number = firstInstalls[install.group] + install.number
        for end in [earlier, end] {
            guard let end else { continue }
            if !end.isCall, let result = end.result {
                counts.count(hasToken: result == .fetch(.success), isCached: end.isCached)
            }
            if !end.isCached, let decision = end.decision {
                decisionLines?.append(decision, ofAccount: account, by: services[account])
            }
            for index in tally.indices { tally[index].add(end, by: install, number: number, in: services[account]) }
        }
        guard keepsResults else { return }
        received.append(
            Received(
                group: install.group, number: install.number, end: end, fetch: kept(end, account),
                earlier: earlier.flatMap { kept($0, account) }))
    }

    private func kept(_ end: FetchEnd, _ account: Int) -> KeptFetch? {
        guard let result = end.result else { return nil }
        let unsearched = end.decision.map(services[account].engine.unsearchedFilters) ?? []
        let compared =
            if !end.isCall, case .fetch(let fetch) = result {
                ComparedDecision(fetch, end.decision, unsearched: unsearched)
            } else {
                ComparedDecision(call: result, end.decision, unsearched: unsearched)
            }
        return KeptFetch(compared: compared, isAttested: end.decision != nil && !end.isCached)
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
