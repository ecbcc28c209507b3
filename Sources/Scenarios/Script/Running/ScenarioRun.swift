internal import Documents
internal import Figures
internal import PolicyEngine
internal import Replay

/// Runs a scenario: lets its steps happen in the order of time, and checks what it expects.
struct ScenarioRun {
    let scenario: Scenario
    private let runner: ScenarioRunner
    let services: [SimulatedService]
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
    /// The problems that the latest step found.
    var diagnostics = Diagnostics()

    /// - Parameters:
    ///   - scenario: The scenario to run.
    ///   - runner: The way in which it is run.
    ///   - firstIndex: The number of the first decision, where decisions are to be written.
    ///   - keepsResults: True if what clients get in a step is kept up to the next one.
    ///   - tracer: Follows installs step by step, if any are followed.
    init(
        _ scenario: Scenario, _ runner: ScenarioRunner = ScenarioRunner(), firstIndex: Int? = nil,
        keepsResults: Bool = false, tracer: StepTracer? = nil
    ) {
        (self.scenario, self.runner, time) = (scenario, runner, scenario.start)
        let (platforms, patterns) = (SimulatedPlatforms(), runner.patterns ?? PatternMatcher(keepsAll: true))
        let services = scenario.accounts.map { account in
            SimulatedService(
                account.account, platforms: platforms, keepsSeries: runner.keepsSeries, patterns: patterns,
                inPlaceOf: account.replaced)
        }
        for service in services { service.backends = scenario.backends }
        self.services = services
        devices = ScenarioDevices(
            scenario, seed: runner.seed ?? scenario.seed, services: services, platforms: platforms)
        requests = RequestSimulation(of: scenario.groups, to: scenario.backends)
        mail = ScenarioMail(
            from: scenario.start, accounts: scenario.tellsSomebody ? scenario.accounts.count : 0)
        result = ScenarioResult(name: scenario.name, file: scenario.file)
        let lines = firstIndex.map {
            DecisionLines(accounts: services.count, firstIndex: $0, redactor: runner.redactor)
        }
        record = FetchRecord(
            scenario: scenario, services: services, firstInstalls: devices.firstInstalls, decisionLines: lines,
            keepsResults: keepsResults, tracer: tracer)
    }

    /// Draws devices, launches, and the keys that commands make.
    var seed: UInt64 { runner.seed ?? scenario.seed }

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
            try record.decisionLines?.write(to: &decisions)
            if occurrence.isLast { check(step, number: occurrence.step, diagnostics: &diagnostics) }
            progress(record.counts.total, Double(occurrence.time) / duration)
        }
        send(before: end + 1)
        if let excess = searchExcess { throw .limit(excess) }
        result.fetches = record.counts
        result.requests = requests.figures.filter { $0.total > 0 }
        let last = scenario.finalExpectations.flatMap { $0.results(self, &diagnostics) }
        result.expectations += last
        result.expectations.sort { $0.position < $1.position }
        result.expectations.failUnreached(services)
        if runner.coversRules { result.coverage = Coverage(merging: services.map(\.coverage)) }
        for service in services {
            let figures = service.figures
            result.summaries += AccountSummary.all(of: service.engine.account(inForceAt: end), figures)
            result.figures.merge(figures)
        }
        return result
    }

    /// A filter that searched too many values in vain (R7.2); `nil` where there is none.
    var searchExcess: SearchExcess? {
        SearchExcess(
            services.flatMap { $0.engine.history.revisions.map(\.account) }, showsValue: runner.redactor == nil)
    }

    // R24.2, R25.2: what happens at the time of a look comes before it.
    private mutating func send(before time: Instant) {
        for sent in mail.mails(before: time, from: services, without: cancelled, requests.backends) {
            result.mail.append(sent.mail)
            guard runner.isVerbose else { continue }
            let recipients = sent.mail.recipients.joined(separator: ", ")
            result.log.append("\(sent.time)  notification to \(recipients): \(sent.mail.subject)")
        }
    }

    /// The occurrences of the steps, in the order of time.
    var timeline: Timeline { Timeline(scenario.steps, drawing: LaunchTimes(scenario, seed: seed)) }

    /// The time up to which metrics count.
    var end: Instant {
        scenario.start + (scenario.steps.map { max($0.lastTime, $0.repetition?.until ?? 0) }.max() ?? 0)
    }
}

// MARK: Steps

extension ScenarioRun {
    /// Lets one step happen, once.
    mutating func perform(_ occurrence: Timeline.Occurrence, diagnostics: inout Diagnostics) {
        (step, time, launching) = (occurrence.step, scenario.start + occurrence.time, occurrence.launching)
        let current = scenario.steps[step]
        record.start(current, number: step)
        findTraced()
        let lines = current.action.perform(in: &self)
        if runner.isVerbose, let first = lines.first {
            result.log += ["\(time)  \(first)"] + lines.dropFirst().map { "  \($0)" }
        }
        diagnostics.merge(self.diagnostics)
        self.diagnostics = Diagnostics()
        trace(current.action.event(in: scenario))
    }

    /// The service of the first account; the only one where runs are compared.
    var service: SimulatedService { services[0] }

    /// The results that clients got in the latest step, if they are kept.
    var received: [Received] { record.received }

    /// The decided rules on which what some installs got rests.
    func decidedRules(of installs: some Sequence<Install>) -> DecidedRules {
        installs.reduce(rulesOfCommands) { $0.union($1.decidedRules) }
    }

    /// The service of a group's account.
    func service(of group: Int) -> SimulatedService { services[scenario.groups[group].account] }

    /// The service of a group's account, which of its servers answers now, and the domain that is asked for.
    func access(of group: Int, naming domain: String? = nil) -> ServiceAccess {
        let (service, isCancelled) = (service(of: group), cancelled.contains(scenario.groups[group].account))
        return ServiceAccess(
            service: service, server: isCancelled ? nil : outages.service(at: time), time: time,
            domain: service.domain(domain, at: time))
    }

    /// The names of groups.
    func names(_ groups: [Int]) -> String { groups.map { scenario.groups[$0].name }.joined(separator: ", ") }

    /// Lets each install of a group fetch. Installs and tallies are taken out and put back, so that they are changed in place
    /// and nothing is copied by fetch.
    mutating func forEachMember(
        of group: Int, _ body: (inout FetchRecord, inout Install, inout [ExpectationTally]) -> Void
    ) {
        var (members, tally): ([Install], [ExpectationTally]) = ([], [])
        record.fetching.insert(scenario.groups[group].account)
        swap(&devices.installs[group], &members)
        swap(&record.tallies[step, default: []], &tally)
        for number in members.indices { body(&record, &members[number], &tally) }
        swap(&devices.installs[group], &members)
        swap(&record.tallies[step, default: []], &tally)
    }
}

// MARK: Expectations

extension ScenarioRun {
    private mutating func check(_ step: Step, number: Int, diagnostics: inout Diagnostics) {
        let fetching = (step.action as? any ExpectingAction)?.groups ?? []
        for (expectation, tally) in zip(step.expectations, record.finishTallies(number: number)) {
            // The words for the devices that it is about, and the device or the group that explains it.
            var (groups, subject, device) = (fetching, "all", fetching.count == 1 ? names(fetching) : nil)
            switch expectation.target {
            case .all: break
            case .group(let group): (groups, subject, device) = ([group], names([group]), names([group]))
            case .device(let id): (subject, device) = ("device \(id)", id.description)
            }
            guard tally.figures.fetches > 0 else {
                diagnostics.add(
                    Diagnostic(
                        file: scenario.file, position: expectation.position,
                        message: "no fetch of this step is by \(subject)"))
                continue
            }
            result.expectations += tally.results(
                file: scenario.file, subject: subject, device: device,
                accounts: Set(groups.map { scenario.groups[$0].account }).sorted()
            ).map { result in
                var result = result
                result.times = step.at...max(step.at, step.lastStart)
                return result
            }
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
    // The numbers of hosts, in the order of their first requests.
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
            circumstances: circumstances, host: host, hostBit: 1 << UInt64(min(number, 63)), backend: backends[host],
            service: service, stamp: latestStamp, acceptance: TokenAcceptance(history, domain: host, at: moment))
        return (round, ledger)
    }

    /// Puts back what was taken out.
    mutating func end(_ group: Int, to host: String, _ round: RequestRound, _ ledger: RequestLedger) {
        rounds[Route(group: group, host: host)] = round
        ledgers[group] = ledger
    }

    /// The figures about the requests of each group.
    var figures: [RequestFigures] { ledgers.map(\.figures) }

    func figures(of group: Int) -> RequestFigures { ledgers[group].figures }
}
