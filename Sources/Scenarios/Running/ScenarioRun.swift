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
    // For the extension that follows installs, too.
    var record: FetchRecord
    private var result: ScenarioResult
    private let isVerbose: Bool
    private var outages = Outages()
    // The accounts that were cancelled.
    private var cancelled: Set<Int> = []
    private var requests: RequestSimulation
    private var mail: ScenarioMail
    private let coversRules: Bool
    /// The time of the latest step.
    private(set) var time: Instant

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
    ///   - searches: The searches of the patterns; runs that come one after another can share them.
    init(
        _ scenario: Scenario, seed: UInt64? = nil, isVerbose: Bool = false, firstIndex: Int? = nil,
        keepsResults: Bool = false, coversRules: Bool = false, keepsSeries: Bool = false,
        tracer: StepTracer? = nil, redactor: Redactor? = nil, searches: CommandSearches = CommandSearches()
    ) {
        self.scenario = scenario
        self.coversRules = coversRules
        time = scenario.start
        self.isVerbose = isVerbose
        self.seed = seed ?? scenario.seed
        let platforms = SimulatedPlatforms()
        services = scenario.accounts.enumerated().map { index, account in
            SimulatedService(
                account.account, platforms: platforms, keepsSeries: keepsSeries,
                patterns: searches.matcher(ofAccount: index))
        }
        devices = ScenarioDevices(scenario, seed: self.seed, services: services, platforms: platforms)
        requests = RequestSimulation(scenario)
        mail = ScenarioMail(scenario)
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
            let step = scenario.steps[occurrence.step]
            send(before: scenario.start + occurrence.time)
            perform(occurrence, diagnostics: &diagnostics)
            try record.write(to: &decisions)
            if occurrence.isLast { check(step, number: occurrence.step, diagnostics: &diagnostics) }
            progress(record.counts.total, Double(occurrence.time) / duration)
        }
        send(before: end + 1)
        result.fetches = record.counts
        result.requests = requests.figures.filter { $0.total > 0 }
        let final = FinalCheck(
            scenario, services: services, installs: devices.installs, fetching: record.fetching,
            requests: requests.figures, monitors: mail.monitors, end: end)
        for expectation in scenario.finalExpectations {
            result.expectations += final.results(of: expectation, diagnostics: &diagnostics)
        }
        result.expectations.sort { $0.position < $1.position }
        result.expectations.failUnreached(services)
        if coversRules { result.coverage = services.reduce(into: Coverage()) { $0.merge($1.coverage) } }
        for service in services {
            let figures = service.figures
            result.summaries += AccountSummary.all(of: service.engine.account(inForceAt: end), figures)
            result.figures.merge(figures)
        }
        return result
    }

    // R24.2, R25.2: what happens at the time of a look comes before it.
    private mutating func send(before time: Instant) {
        for sent in mail.mails(before: time, from: services, without: cancelled, requests.backends) {
            result.mail.append(sent.mail)
            log("notification to \(sent.mail.recipients.joined(separator: ", ")): \(sent.mail.subject)", at: sent.time)
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
        time = scenario.start + occurrence.time
        record.startStep()
        findTraced()
        perform(occurrence, at: time, diagnostics: &diagnostics)
        trace(occurrence, at: time)
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

    private mutating func perform(
        _ occurrence: Timeline.Occurrence, at time: Instant, diagnostics: inout Diagnostics
    ) {
        let (step, number) = (scenario.steps[occurrence.step], occurrence.step)
        switch step.action {
        case .fetch(let groups, let domain):
            record.startTallies(of: step, number: number)
            let before = record.counts
            for group in groups { fetch(group, domain: domain, step: number, at: time) }
            logFetches(groups, since: before, at: time)
        case .request(let groups, let target):
            record.startTallies(of: step, number: number)
            let before = requests.figures
            // R19.8: as they are when the step begins.
            let tokens = target.tokenGroup.map { devices.installs[$0].map(\.token) }
            for group in groups { request(group, target, tokens, step: number, at: time) }
            log(RequestWords.line(names(groups), target, before: before, after: requests.figures), at: time)
        case .approov(let command, let line, let account):
            carryOut(command, line: line, account: account, step: step, at: time, diagnostics: &diagnostics)
        case .set(let group, let change):
            devices.set(group, to: change, step: number, at: time)
            if let client = change.client { requests.update(group, to: client) }
            log("set \(names([group]))", at: time)
        case .serve(let changes):
            requests.apply(changes)
            for service in services { service.backends = requests.backends }
            log(RequestWords.line(changes), at: time)
        case .call(let groups, let call):
            record.startTallies(of: step, number: number)
            for group in groups { make(call, group, step: number, at: time) }
            log("\(call.name) \(names(groups))", at: time)
        case .outage(let kind, let until): startOutage(kind, until: until, at: time)
        case .cancel(let account):
            cancelled.insert(account)
            log("account \(scenario.accounts[account].account.name) cancelled", at: time)
        case .launch(let groups, _):
            devices.launch(groups, occurrence.launching, at: time)
            log("launch \(names(groups))\(occurrence.launching.map { ": \($0.count)" } ?? "")", at: time)
        case .reinstall, .factoryReset, .bind, .binding, .network: touch(step.action, at: time)
        }
    }

    // Carries out an action of people on their devices.
    private mutating func touch(_ action: StepAction, at time: Instant) {
        switch action {
        case .reinstall(let groups, let keepsID):
            for group in groups {
                let answers = server(of: group, at: time) == .primary
                devices.reinstall(group, keepsID: keepsID, at: time, primaryAnswers: answers)
            }
            log("reinstall \(names(groups))", at: time)
        case .factoryReset(let groups):
            for group in groups {
                devices.factoryReset(group, at: time, primaryAnswers: server(of: group, at: time) == .primary)
            }
            log("factory-reset \(names(groups))", at: time)
        case .bind(let group, let data):
            let (service, server) = (services[scenario.groups[group].account], server(of: group, at: time))
            devices.forEachInstall(of: [group]) { install in
                install.changingBinding = nil
                install.bind(data)
                install.report(to: service, reaching: server, at: time)
            }
            log("bind \(names([group]))", at: time)
        case .binding(let groups, let every):
            let changing = ChangingBinding(since: time, every: every)
            devices.forEachInstall(of: groups) { $0.changingBinding = changing }
            log("binding \(names(groups)) every \(DurationText.print(every))", at: time)
        case .network(let groups, let change):
            devices.forEachInstall(of: groups) { $0.move(to: change) }
            log("network \(change.state.rawValue) for \(names(groups))", at: time)
        case .fetch, .request, .call, .approov, .set, .serve, .outage, .cancel, .launch: break
        }
    }

    private mutating func startOutage(_ kind: Outages.Kind, until: Int?, at time: Instant) {
        let end = until.map { scenario.start + $0 }
        outages.start(Outage(start: time, end: end), of: kind)
        let whose =
            switch kind {
            case .primary: "the primary service"
            case .failover: "the failover"
            case .all: "all services"
            }
        log("outage of \(whose) \(end.map { "until \($0)" } ?? "without end")", at: time)
    }

    // The service that answers the apps of a group; `nil` if none does.
    private func server(of group: Int, at time: Instant) -> TokenService? {
        cancelled.contains(scenario.groups[group].account) ? nil : outages.service(at: time)
    }

    private mutating func fetch(_ group: Int, domain: String?, step: Int, at time: Instant) {
        let service = services[scenario.groups[group].account]
        let (requested, server) = (service.domain(domain, at: time), server(of: group, at: time))
        let (settings, name) = (requests.settings[group], scenario.groups[group].name)
        forEachMember(of: group, step: step) { record, install, tally in
            let (fetched, isCached) = install.fetch(requested, from: service, answeredBy: server, at: time)
            let notice = service.notice(of: install.configuration, at: time)
            record.note((fetched, isCached), by: install, tally: &tally, notice: notice)
            record.trace(install, of: name, in: service, at: time) { service in
                let decision = fetched == .success ? install.token?.decision : nil
                return .fetch(domain: domain, .init(fetched.rawValue, isCached: isCached, decision, in: service))
            }
            if settings.watchesConfiguration { _ = install.react(settings, to: notice, at: time) }
        }
    }

    private mutating func request(
        _ group: Int, _ target: RequestTarget, _ tokens: [CachedToken?]?, step: Int, at time: Instant
    ) {
        let (scenario, service) = (scenario, services[scenario.groups[group].account])
        let builtIn = devices.installs[group].first.map { service.builtInRevision($0.configuration, at: time) } ?? 0
        let call = RequestRound.Call(
            target, domain: service.domain(target.text, at: time), server: server(of: group, at: time),
            tokens: tokens, time: time)
        var (round, ledger) = requests.begin(group, to: target.host, service: service, builtIn: builtIn, at: time)
        forEachMember(of: group, step: step) { record, install, tally in
            let isTraced = record.tracer?.follows(install) ?? false
            let made = round.request(&install, call, isTraced: isTraced, in: &ledger)
            record.note(made, by: install, tally: &tally)
            if isTraced {
                record.tracer?.note(
                    round.details(of: made, by: install, target: target, scenario: scenario, at: time), at: time)
            }
            if made.isToRelaunch { install.launch(at: time) }
        }
        requests.end(group, to: target.host, round, ledger)
    }

    // Calls beside those for tokens (R21, R22.2).
    private mutating func make(_ call: SDKCall, _ group: Int, step: Int, at time: Instant) {
        let service = services[scenario.groups[group].account]
        let (server, settings) = (server(of: group, at: time), requests.settings[group])
        let name = scenario.groups[group].name
        forEachMember(of: group, step: step) { record, install, tally in
            let (taken, what) = install.make(call, with: service, answeredBy: server, at: time)
            record.note(taken, what, by: install, tally: &tally)
            record.trace(install, of: name, in: service, at: time) { service in
                .call(
                    kind: call.name, about: call.subject, rule: call.rule,
                    .init(taken.result ?? "", isCached: false, taken.decision, in: service))
            }
            let notice = service.notice(of: install.configuration, at: time)
            if settings.watchesConfiguration { _ = install.react(settings, to: notice, at: time) }
        }
    }

    // Installs and tallies are taken out and put back, so that they are changed in place and nothing is copied by fetch.
    private mutating func forEachMember(
        of group: Int, step: Int, _ body: (inout FetchRecord, inout Install, inout [ExpectationTally]) -> Void
    ) {
        var (members, tally): ([Install], [ExpectationTally]) = ([], [])
        devices.exchangeInstalls(ofGroup: group, for: &members)
        record.beginGroup(group, step: step, &tally)
        for number in members.indices { body(&record, &members[number], &tally) }
        devices.exchangeInstalls(ofGroup: group, for: &members)
        record.endGroup(step: step, &tally)
    }

    private mutating func carryOut(
        _ command: ManagementCommand, line: String, account: Int, step: Step, at time: Instant,
        diagnostics: inout Diagnostics
    ) {
        let service = services[account]
        var changed = service.engine.history.latest
        var context = scenario.context(at: time, requests.backends)
        context.latest = { service.latestDevices(at: time) }
        context.chance = .seeded("\(seed)|\(account)|\(time)")
        do throws(CommandError) {
            let effect = try command.apply(to: &changed, in: context)
            let answer = try effect.query.map { query throws(CommandError) in
                try service.answer(query, in: scenario.zone)
            }
            let printed = effect.printed + (answer ?? [])
            if effect.clearsDeviceState { service.clearDeviceState() }
            if effect.forcesPins { service.forcePins(at: time) }
            if effect.resumesNotifications { mail.resume(account: account) }
            result.mail += effect.mail
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
        for (expectation, tally) in zip(step.expectations, record.finishTallies(number: number)) {
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
    }

    // The accounts of the groups that fetch, of which an expectation may name the filters.
    private func accounts(of target: FetchExpectation.Target, in step: Step) -> [Int] {
        if case .group(let group) = target { return [scenario.groups[group].account] }
        let groups = step.action.fetchingGroups
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
        let now = record.counts
        let (attested, cached) = (now.attested - before.attested, now.cached - before.cached)
        let failed = now.failed - before.failed
        log("fetch \(names(groups)): \(attested) attested, \(cached) cached, \(failed) without a token", at: time)
    }
}
