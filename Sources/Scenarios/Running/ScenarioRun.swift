internal import Accounts
internal import Documents
internal import PolicyEngine
internal import Replay

/// Runs a scenario: lets its steps happen in the order of time, and checks what it expects.
struct ScenarioRun {
    let scenario: Scenario
    // Draws the keys that commands make.
    private let seed: UInt64
    let services: [SimulatedService]
    private(set) var devices: ScenarioDevices
    private var tallies: [Int: [ExpectationTally]] = [:]
    private var result: ScenarioResult
    private let isVerbose: Bool
    // `nil` where decisions are not written.
    private var decisionLines: DecisionLines?
    private var outage: PrimaryOutage?
    // The accounts whose devices fetched.
    private var fetching: Set<Int> = []
    private let keepsFetches: Bool
    private let coversRules: Bool
    /// The fetches of the latest step, where they are kept.
    private(set) var fetches: [KeptFetch] = []
    /// The time of the latest step.
    private(set) var time: Instant

    /// - Parameters:
    ///   - scenario: What to run.
    ///   - seed: Goes before the scenario's own.
    ///   - isVerbose: Whether the result has a line for every step.
    ///   - firstIndex: The number of the first decision, where decisions are to be written.
    ///   - keepsFetches: Whether the fetches of a step are kept up to the next one, with their results.
    ///   - coversRules: Whether the result says what was exercised.
    ///   - keepsSeries: Whether live metrics are kept by minute (R13.2a).
    init(
        _ scenario: Scenario, seed: UInt64? = nil, isVerbose: Bool = false, firstIndex: Int? = nil,
        keepsFetches: Bool = false, coversRules: Bool = false, keepsSeries: Bool = false
    ) {
        self.scenario = scenario
        self.coversRules = coversRules
        self.keepsFetches = keepsFetches
        time = scenario.start
        self.isVerbose = isVerbose
        self.seed = seed ?? scenario.seed
        let platforms = SimulatedPlatforms()
        services = scenario.accounts.map {
            SimulatedService($0.account, platforms: platforms, keepsSeries: keepsSeries)
        }
        devices = ScenarioDevices(scenario, seed: self.seed, services: services, platforms: platforms)
        result = ScenarioResult(name: scenario.name, file: scenario.file)
        decisionLines = firstIndex.map { DecisionLines(accounts: scenario.accounts.count, firstIndex: $0) }
    }

    /// Runs the scenario.
    ///
    /// - Parameters:
    ///   - decisions: Where to write decisions.
    ///   - progress: Gets the number of fetches and the share of the time that went by, after every step.
    ///   - diagnostics: Gets what makes the scenario invalid though it could be read, such as a `latest` that is no
    ///     device.
    /// - Returns: How it went.
    mutating func run(
        decisions: inout LineFile, progress: (Int, Double) -> Void, diagnostics: inout Diagnostics
    ) throws(ReplayFailure) -> ScenarioResult {
        let duration = Double(max(1, end - scenario.start))
        for occurrence in Timeline(scenario.steps) {
            let step = scenario.steps[occurrence.step]
            perform(occurrence, diagnostics: &diagnostics)
            try decisionLines?.write(to: &decisions)
            if occurrence.isLast { check(step, number: occurrence.step, diagnostics: &diagnostics) }
            progress(result.fetches.total, Double(occurrence.time) / duration)
        }
        let final = FinalCheck(
            scenario, services: services, installs: devices.installs, fetching: fetching, end: end)
        for expectation in scenario.finalExpectations {
            result.expectations += final.results(of: expectation, diagnostics: &diagnostics)
        }
        result.expectations.sort { $0.position < $1.position }
        result.expectations.failUnreached(services)
        if coversRules { result.coverage = services.reduce(into: Coverage()) { $0.merge($1.coverage) } }
        for service in services { result.figures.merge(service.figures) }
        return result
    }

    private var end: Instant {
        scenario.start + (scenario.steps.map { max($0.lastTime, $0.repetition?.until ?? 0) }.max() ?? 0)
    }
}

// MARK: Steps

extension ScenarioRun {
    /// Lets one step happen, once.
    mutating func perform(_ occurrence: Timeline.Occurrence, diagnostics: inout Diagnostics) {
        time = scenario.start + occurrence.time
        fetches.removeAll(keepingCapacity: true)
        perform(scenario.steps[occurrence.step], number: occurrence.step, at: time, diagnostics: &diagnostics)
    }

    /// The service of the first account; the only one where runs are compared.
    var service: SimulatedService { services[0] }

    /// How often clients attested so far.
    var attested: Int { result.fetches.attested }

    private mutating func perform(_ step: Step, number: Int, at time: Instant, diagnostics: inout Diagnostics) {
        switch step.action {
        case .fetch(let groups, let domain):
            if tallies[number] == nil { tallies[number] = step.expectations.map(ExpectationTally.init) }
            let before = result.fetches
            for group in groups { fetch(group, domain: domain, step: number, at: time) }
            logFetches(groups, since: before, at: time)
        case .approov(let command, let line, let account):
            carryOut(command, line: line, account: account, step: step, at: time, diagnostics: &diagnostics)
        case .set(let group, let change):
            devices.set(group, to: change, step: number)
            log("set \(names([group]))", at: time)
        case .outage(let until): startOutage(until: until, at: time)
        case .launch, .reinstall, .factoryReset, .bind, .network: touch(step.action, at: time)
        }
    }

    // What people do with their devices.
    private mutating func touch(_ action: StepAction, at time: Instant) {
        switch action {
        case .launch(let groups):
            devices.forEachInstall(of: groups) { $0.launch(at: time) }
            log("launch \(names(groups))", at: time)
        case .reinstall(let groups, let keepsID):
            for group in groups { devices.reinstall(group, keepsID: keepsID, at: time) }
            log("reinstall \(names(groups))", at: time)
        case .factoryReset(let groups):
            for group in groups { devices.factoryReset(group, at: time) }
            log("factory-reset \(names(groups))", at: time)
        case .bind(let group, let data):
            let (service, server) = (services[scenario.groups[group].account], server(at: time))
            devices.forEachInstall(of: [group]) { install in
                install.bind(data)
                install.report(to: service, reaching: server)
            }
            log("bind \(names([group]))", at: time)
        case .network(let groups, let state):
            devices.forEachInstall(of: groups) { $0.network = state }
            log("network \(state.rawValue) for \(names(groups))", at: time)
        case .fetch, .approov, .set, .outage: break
        }
    }

    private mutating func startOutage(until: Int?, at time: Instant) {
        let end = until.map { scenario.start + $0 }
        let started = PrimaryOutage(start: time, end: end)
        outage = outage.map { $0.joined(with: started) } ?? started
        log("outage of the primary service \(end.map { "until \($0)" } ?? "without end")", at: time)
    }

    private func server(at time: Instant) -> TokenService? { outage.map { $0.service(at: time) } ?? .primary }

    private mutating func fetch(_ group: Int, domain: String?, step: Int, at time: Instant) {
        let account = scenario.groups[group].account
        let service = services[account]
        let (requested, server) = (service.domain(domain, at: time), server(at: time))
        fetching.insert(account)
        // Both are taken out and put back, so that they are changed in place and nothing is copied by fetch.
        var (members, tally): ([Install], [ExpectationTally]) = ([], [])
        devices.exchangeInstalls(ofGroup: group, for: &members)
        swap(&tally, &tallies[step, default: []])
        for number in members.indices {
            let (fetchResult, isCached) = members[number].fetch(
                requested, from: service, answeredBy: server, at: time)
            let hasToken = fetchResult == .success
            result.fetches.count(hasToken: hasToken, isCached: isCached)
            if hasToken, !isCached, let decision = members[number].token?.decision {
                decisionLines?.append(decision, ofAccount: account, by: service)
            }
            if keepsFetches {
                let decision = hasToken ? members[number].token?.decision : nil
                let compared = ComparedDecision(
                    fetchResult, decision, unsearched: decision.map(service.engine.unsearchedFilters) ?? [])
                fetches.append(
                    KeptFetch(group: group, number: number, compared: compared, isAttested: hasToken && !isCached))
            }
            for index in tally.indices {
                tally[index].take(
                    members[number], number: devices.firstInstalls[group] + number, result: fetchResult,
                    isCached: isCached,
                    in: service)
            }
        }
        devices.exchangeInstalls(ofGroup: group, for: &members)
        swap(&tally, &tallies[step, default: []])
    }

    private mutating func carryOut(
        _ command: ManagementCommand, line: String, account: Int, step: Step, at time: Instant,
        diagnostics: inout Diagnostics
    ) {
        let service = services[account]
        var changed = service.engine.history.latest
        var context = CommandContext(time: time, folder: scenario.folder)
        context.boundary = scenario.boundary
        context.latest = { service.latestDevices(at: time) }
        context.chance = .seeded("\(seed)|\(account)|\(time)")
        do throws(CommandError) {
            let effect = try command.apply(to: &changed, in: context)
            let printed = try effect.printed + (effect.query.map(service.answer) ?? [])
            if effect.clearsDeviceState { service.clearDeviceState() }
            if command.changesAccount { service.change(to: changed, at: time) }
            result.printed += printed
            log("approov \(line)", at: time)
            for line in printed { logPrinted(line) }
        } catch {
            diagnostics.add(Diagnostic(error, in: scenario.file, at: step.position))
        }
    }
}

// MARK: Expectations

extension ScenarioRun {
    private mutating func check(_ step: Step, number: Int, diagnostics: inout Diagnostics) {
        for (expectation, tally) in zip(step.expectations, tallies[number] ?? []) {
            guard tally.fetches > 0 else {
                diagnostics.add(
                    Diagnostic(
                        file: scenario.file, position: expectation.position,
                        message: "no fetch of this step is by \(subject(expectation.target))"))
                continue
            }
            result.expectations += tally.results(
                file: scenario.file, subject: subject(expectation.target),
                accounts: accounts(of: expectation.target, in: step))
        }
        tallies[number] = nil
    }

    // The accounts of the groups that fetch, of which an expectation may name the filters.
    private func accounts(of target: FetchExpectation.Target, in step: Step) -> [Int] {
        if case .group(let group) = target { return [scenario.groups[group].account] }
        guard case .fetch(let groups, _) = step.action else { return [] }
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

// MARK: Words

extension ScenarioRun {
    private func names(_ groups: [Int]) -> String {
        groups.map { scenario.groups[$0].name }.joined(separator: ", ")
    }

    private mutating func log(_ line: String, at time: Instant) {
        if isVerbose { result.log.append("\(time)  \(line)") }
    }

    private mutating func logPrinted(_ line: String) {
        if isVerbose { result.log.append("  \(line)") }
    }

    private mutating func logFetches(_ groups: [Int], since before: ScenarioResult.FetchCounts, at time: Instant) {
        let (attested, cached) = (result.fetches.attested - before.attested, result.fetches.cached - before.cached)
        let failed = result.fetches.failed - before.failed
        log("fetch \(names(groups)): \(attested) attested, \(cached) cached, \(failed) without a token", at: time)
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
