internal import Documents
internal import Figures
internal import PolicyEngine
internal import Replay

/// Runs a scenario: lets its steps happen in the order of time, and checks what it expects.
struct ScenarioRun {
    let scenario: Scenario
    /// Draws the keys that commands make.
    let seed: UInt64
    let services: [SimulatedService]
    private let isVerbose: Bool
    private let coversRules: Bool
    /// The latest step by its index, its time, and the installs that it launches.
    private(set) var step = 0
    private(set) var time: Instant
    private(set) var launching: [LaunchTimes.Launch]?
    // The parts on which actions work.
    var devices: ScenarioDevices
    var record: FetchRecord
    var result: ScenarioResult
    var outages = Outages()
    /// The accounts that were cancelled.
    var cancelled: Set<Int> = []
    var requests: RequestSimulation
    var mail: ScenarioMail
    /// The decided rules on which the accounts rest that commands of steps made.
    var rulesOfCommands: DecidedRules = []
    private let isRedacted: Bool
    /// The problems that the latest step found.
    var diagnostics = Diagnostics()

    /// - Parameters:
    ///   - scenario: The scenario to run.
    ///   - seed: Goes before the scenario's own.
    ///   - isVerbose: True if the result has a line for every step.
    ///   - firstIndex: The number of the first decision, where decisions are to be written.
    ///   - keepsResults: True if what clients get in a step is kept up to the next one.
    ///   - coversRules: True if the result says what was exercised.
    ///   - keepsSeries: True if live metrics are kept by minute (R13.2a).
    ///   - tracer: Follows installs step by step, if any are followed.
    ///   - redactor: The redactor that hides whose the decisions are; `nil` shows it.
    ///   - patterns: Runs the patterns of all accounts; runs that come one after another can share it.
    init(
        _ scenario: Scenario, seed: UInt64? = nil, isVerbose: Bool = false, firstIndex: Int? = nil,
        keepsResults: Bool = false, coversRules: Bool = false, keepsSeries: Bool = false,
        tracer: StepTracer? = nil, redactor: Redactor? = nil, patterns: PatternMatcher = PatternMatcher(keepsAll: true)
    ) {
        self.scenario = scenario
        self.coversRules = coversRules
        isRedacted = redactor != nil
        time = scenario.start
        self.isVerbose = isVerbose
        self.seed = seed ?? scenario.seed
        let platforms = SimulatedPlatforms()
        services = scenario.accounts.map { account in
            SimulatedService(
                account.account, platforms: platforms, keepsSeries: keepsSeries,
                patterns: patterns, inPlaceOf: account.replaced)
        }
        devices = ScenarioDevices(scenario, seed: self.seed, services: services, platforms: platforms)
        requests = RequestSimulation(of: scenario.groups, to: scenario.backends)
        mail = ScenarioMail(
            from: scenario.start, accounts: scenario.tellsSomebody ? scenario.accounts.count : 0)
        for service in services { service.backends = scenario.backends }
        result = ScenarioResult(name: scenario.name, file: scenario.file)
        record = FetchRecord(
            scenario, services: services, firstInstalls: devices.firstInstalls, firstIndex: firstIndex,
            keepsResults: keepsResults, tracer: tracer, redactor: redactor)
    }

    /// Runs the scenario.
    ///
    /// - Parameters:
    ///   - decisions: The file for decisions.
    ///   - progress: Gets the number of fetches and the share of the time that went by, after every step.
    ///   - diagnostics: Gets what makes the scenario invalid though it could be read, such as a `latest` that is no
    ///     device.
    /// - Returns: The result.
    mutating func run(
        decisions: inout LineFile, progress: (Int, Double) -> Void, diagnostics: inout Diagnostics
    ) throws(ReplayFailure) -> ScenarioResult {
        let duration = Double(max(1, end - scenario.start))
        for occurrence in timeline {
            if Cancellation.isDue() { throw .late }
            let step = scenario.steps[occurrence.step]
            send(before: scenario.start + occurrence.time)
            perform(occurrence, diagnostics: &diagnostics)
            try record.write(to: &decisions)
            if occurrence.isLast { check(step, number: occurrence.step, diagnostics: &diagnostics) }
            progress(record.counts.total, Double(occurrence.time) / duration)
        }
        send(before: end + 1)
        if let excess = searchExcess { throw .limit(excess) }
        result.fetches = record.counts
        result.requests = requests.figures.filter { $0.total > 0 }
        let ended = ScenarioEnd(
            scenario: scenario, services: services, installs: devices.installs, fetching: record.fetching,
            requests: requests.figures, monitors: mail.monitors, time: end)
        for expectation in scenario.finalExpectations {
            result.expectations += expectation.results(ended, &diagnostics)
        }
        result.expectations.sort { $0.position < $1.position }
        result.expectations.failUnreached(services)
        if coversRules { result.coverage = Coverage(merging: services.map(\.coverage)) }
        for service in services {
            let figures = service.figures
            result.summaries += AccountSummary.all(of: service.engine.account(inForceAt: end), figures)
            result.figures.merge(figures)
        }
        return result
    }

    /// A filter that searched too many values in vain (R7.2); `nil` where there is none.
    var searchExcess: SearchExcess? {
        SearchExcess(services.flatMap { $0.engine.history.revisions.map(\.account) }, showsValue: !isRedacted)
    }

    // R24.2, R25.2: what happens at the time of a look comes before it.
    private mutating func send(before time: Instant) {
        for sent in mail.mails(before: time, from: services, without: cancelled, requests.backends) {
            result.mail.append(sent.mail)
            guard isVerbose else { continue }
            let recipients = sent.mail.recipients.joined(separator: ", ")
            result.log.append("\(sent.time)  notification to \(recipients): \(sent.mail.subject)")
        }
    }

    /// The occurrences of the steps, in the order of time.
    var timeline: Timeline { Timeline(scenario.steps, drawing: LaunchTimes(scenario, seed: seed)) }

    private var end: Instant {
        scenario.start + (scenario.steps.map { max($0.lastTime, $0.repetition?.until ?? 0) }.max() ?? 0)
    }
}

// MARK: Steps

extension ScenarioRun {
    /// Lets one step happen, once.
    mutating func perform(_ occurrence: Timeline.Occurrence, diagnostics: inout Diagnostics) {
        (step, time, launching) = (occurrence.step, scenario.start + occurrence.time, occurrence.launching)
        let current = scenario.steps[step]
        record.startStep()
        record.startTallies(of: current, number: step)
        findTraced()
        let lines = current.action.perform(in: &self)
        if isVerbose, let first = lines.first {
            result.log += ["\(time)  \(first)"] + lines.dropFirst().map { "  \($0)" }
        }
        diagnostics.merge(self.diagnostics)
        self.diagnostics = Diagnostics()
        trace(current.action.event(in: scenario))
    }

    /// The service of the first account; the only one where runs are compared.
    var service: SimulatedService { services[0] }

    /// The number of attestations of clients so far.
    var attested: Int { record.counts.attested }

    /// The results that clients got in the latest step, if they are kept.
    var received: [Received] { record.received }

    /// The figures about the requests so far, by group.
    var requestFigures: [RequestFigures] { requests.figures }

    /// The requests and other events of the installs that are followed.
    var traces: [StepTrace] { record.tracer?.traces ?? [] }

    /// The decided rules on which what some installs got rests.
    func decidedRules(of installs: some Sequence<Install>) -> DecidedRules {
        installs.reduce(rulesOfCommands) { $0.union($1.decidedRules) }
    }

    /// The service of a group's account.
    func service(of group: Int) -> SimulatedService { services[scenario.groups[group].account] }

    /// The service that answers the apps of a group now; `nil` if none does.
    func server(of group: Int) -> TokenService? {
        cancelled.contains(scenario.groups[group].account) ? nil : outages.service(at: time)
    }

    /// The names of groups.
    func names(_ groups: [Int]) -> String { groups.map { scenario.groups[$0].name }.joined(separator: ", ") }

    /// Lets each install of a group fetch. Installs and tallies are taken out and put back, so that they are changed in place
    /// and nothing is copied by fetch.
    mutating func forEachMember(
        of group: Int, _ body: (inout FetchRecord, inout Install, inout [ExpectationTally]) -> Void
    ) {
        var (members, tally): ([Install], [ExpectationTally]) = ([], [])
        devices.exchangeInstalls(ofGroup: group, for: &members)
        record.beginGroup(group, step: step, &tally)
        for number in members.indices { body(&record, &members[number], &tally) }
        devices.exchangeInstalls(ofGroup: group, for: &members)
        record.endGroup(step: step, &tally)
    }
}

// MARK: Expectations

extension ScenarioRun {
    private mutating func check(_ step: Step, number: Int, diagnostics: inout Diagnostics) {
        for (expectation, tally) in zip(step.expectations, record.finishTallies(number: number)) {
            guard tally.figures.fetches > 0 else {
                diagnostics.add(
                    Diagnostic(
                        file: scenario.file, position: expectation.position,
                        message: "no fetch of this step is by \(subject(expectation.target))"))
                continue
            }
            result.expectations += tally.results(
                file: scenario.file, subject: subject(expectation.target), device: device(expectation.target, in: step),
                accounts: accounts(of: expectation.target, in: step)
            ).map { result in
                var result = result
                result.times = step.at...max(step.at, step.lastStart)
                return result
            }
        }
    }

    // The device or the group that explains an expectation; `nil` for several groups.
    private func device(_ target: FetchExpectation.Target, in step: Step) -> String? {
        let groups = (step.action as? any ExpectingAction)?.groups ?? []
        return switch target {
        case .all: groups.count == 1 ? scenario.groups[groups[0]].name : nil
        case .group(let group): scenario.groups[group].name
        case .device(let id): id.description
        }
    }

    // The accounts of the groups that fetch, of which an expectation may name the filters.
    private func accounts(of target: FetchExpectation.Target, in step: Step) -> [Int] {
        if case .group(let group) = target { return [scenario.groups[group].account] }
        let groups = (step.action as? any ExpectingAction)?.groups ?? []
        return Set(groups.map { scenario.groups[$0].account }).sorted()
    }

    private func subject(_ target: FetchExpectation.Target) -> String {
        switch target {
        case .all: "all"
        case .group(let group): scenario.groups[group].name
        case .device(let id): "device \(id)"
        }
    }
}

/// The requests of a run: what apps and backends are like, and what became of every request (R19).
struct RequestSimulation {
    private(set) var backends: Backends
    // By group.
    private(set) var settings: [ClientSettings]
    private var ledgers: [RequestLedger]
    private var rounds: [Route: RequestRound] = [:]
    // By host, in the order of their first requests.
    private var hosts: [String: Int] = [:]
    private var latestStamp: UInt32 = 0

    private struct Route: Hashable {
        let group: Int
        let host: String
    }

    init(of groups: [DeviceGroup], to backends: Backends) {
        self.backends = backends
        settings = groups.map(\.client)
        ledgers = groups.map { RequestLedger(group: $0.name, count: $0.count) }
    }

    /// Lets backends change.
    mutating func apply(_ changes: [Backends.Change]) {
        backends.apply(changes)
    }

    /// Gives the apps of a group another version.
    mutating func update(_ group: Int, to client: ClientSettings) { settings[group] = client }

    /// Takes out what is kept for requests of a group to a host, new where anything changed.
    ///
    /// - Parameters:
    ///   - host: The host in lower case.
    ///   - service: The account's service.
    ///   - builtIn: The revision of the configuration that is built into the app.
    ///   - time: Now.
    mutating func begin(
        _ group: Int, to host: String, service: SimulatedService, builtIn: Int, at time: Instant
    ) -> (round: RequestRound, ledger: RequestLedger) {
        let route = Route(group: group, host: host)
        let history = service.engine.history
        let moment = history.moment(at: time)
        let circumstances = RequestRound.Circumstances(
            backends: backends.version, moment: moment, builtIn: builtIn, settings: settings[group],
            requiresToken: backends[host].requiresToken ?? history.givesTokens(forDomain: host, at: moment))
        var ledger = RequestLedger(group: "", count: 0)
        swap(&ledger, &ledgers[group])
        if let known = rounds.removeValue(forKey: route), known.circumstances == circumstances {
            return (known, ledger)
        }
        latestStamp &+= 1
        let number = hosts[host] ?? hosts.count
        hosts[host] = number
        let round = RequestRound(
            circumstances, host: host, bit: 1 << UInt64(min(number, 63)), backend: backends[host], of: service,
            stamp: latestStamp)
        return (round, ledger)
    }

    /// Puts back what was taken out.
    mutating func end(_ group: Int, to host: String, _ round: RequestRound, _ ledger: RequestLedger) {
        rounds[Route(group: group, host: host)] = round
        ledgers[group] = ledger
    }

    /// The figures about the requests of each group.
    var figures: [RequestFigures] { ledgers.map(\.figures) }
}
