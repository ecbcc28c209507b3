internal import PolicyEngine

/// Runs a scenario: lets its steps happen in the order of time, and checks what it expects.
struct ScenarioRun {
    private let scenario: Scenario
    private let population: Population
    private let worlds: [World]
    private var installs: [[Install]]
    private var tallies: [Int: [ExpectationTally]] = [:]
    private var result: ScenarioResult
    private let isVerbose: Bool
    // Install numbers over all groups.
    private var firstInstalls: [Int] = []
    private let writesDecisions: Bool
    private var writer = DecisionWriter()
    // Decisions that are not written yet.
    private var decisionLines: [UInt8] = []
    private var decisionCount: Int

    /// - Parameters:
    ///   - scenario: What to run.
    ///   - seed: Goes before the scenario's own.
    ///   - isVerbose: Whether every step is told in the result.
    ///   - firstIndex: The number of the first decision, where decisions are to be written.
    init(_ scenario: Scenario, seed: UInt64? = nil, isVerbose: Bool = false, firstIndex: Int? = nil) {
        self.scenario = scenario
        self.isVerbose = isVerbose
        population = Population(scenario, seed: seed ?? scenario.seed)
        worlds = scenario.accounts.map { World($0.account) }
        installs = []
        result = ScenarioResult(name: scenario.name, file: scenario.file)
        writesDecisions = firstIndex != nil
        decisionCount = firstIndex ?? 0
        var count = 0
        for (place, group) in scenario.groups.enumerated() {
            firstInstalls.append(count)
            count += group.count
            installs.append(population.installs(ofGroup: place, symbols: &worlds[group.account].symbols))
        }
    }

    /// Runs the scenario.
    ///
    /// - Parameters:
    ///   - decisions: Where to write decisions.
    ///   - progress: Told after every step how many fetches were made and what share of the time went by.
    ///   - diagnostics: Gets what makes the scenario invalid though it could be read, such as a `latest` that is no
    ///     device.
    /// - Returns: How it went.
    mutating func run(
        decisions: inout LineFile, progress: (Int, Double) -> Void, diagnostics: inout Diagnostics
    ) throws(ReplayFailure) -> ScenarioResult {
        let duration = Double(max(1, end - scenario.start))
        for occurrence in Timeline(scenario.steps) {
            let step = scenario.steps[occurrence.step]
            let time = scenario.start + occurrence.time
            perform(step, number: occurrence.step, at: time, diagnostics: &diagnostics)
            try decisions.write(decisionLines)
            decisionLines.removeAll(keepingCapacity: true)
            if occurrence.isLast { check(step, number: occurrence.step, diagnostics: &diagnostics) }
            progress(result.fetches.total, Double(occurrence.time) / duration)
        }
        for expectation in scenario.finalExpectations { check(expectation, diagnostics: &diagnostics) }
        result.expectations.sort { $0.position < $1.position }
        for world in worlds {
            result.figures.merge(world.figures)
        }
        return result
    }

    private var end: Instant {
        scenario.start + (scenario.steps.map { max($0.lastTime, $0.repetition?.until ?? 0) }.max() ?? 0)
    }
}

// MARK: Steps

extension ScenarioRun {
    private mutating func perform(_ step: Step, number: Int, at time: Instant, diagnostics: inout Diagnostics) {
        switch step.action {
        case .fetch(let groups, let domain):
            if tallies[number] == nil { tallies[number] = step.expectations.map(ExpectationTally.init) }
            let before = result.fetches
            for group in groups { fetch(group, domain: domain, step: number, at: time) }
            logFetches(groups, since: before, at: time)
        case .approov(let command, let line, let account):
            carryOut(command, line: line, account: account, step: step, at: time, diagnostics: &diagnostics)
        case .set(let group, let flags, let attributes):
            set(group, flags: flags, attributes: attributes, step: number, at: time)
        case .launch(let groups):
            forEachInstall(of: groups) { $0.launch() }
            log("launch \(names(groups))", at: time)
        case .reinstall(let groups, let keepsID):
            for group in groups { reinstall(group, keepsID: keepsID) }
            log("reinstall \(names(groups))", at: time)
        case .factoryReset(let groups):
            for group in groups { factoryReset(group) }
            log("factory-reset \(names(groups))", at: time)
        case .bind(let group, let data):
            forEachInstall(of: [group]) { $0.bind(data) }
            log("bind \(names([group]))", at: time)
        }
    }

    private mutating func fetch(_ group: Int, domain: String?, step: Int, at time: Instant) {
        let world = worlds[scenario.groups[group].account]
        let isChecked = tallies[step]?.isEmpty == false
        for number in installs[group].indices {
            let (fetchResult, isCached) = installs[group][number].fetch(domain: domain, from: world, at: time)
            let hasToken = fetchResult == .success
            result.fetches.count(hasToken: hasToken, isCached: isCached)
            if hasToken, !isCached { write(installs[group][number].token?.decision, of: world) }
            guard isChecked else { continue }
            let fetch = ExpectationTally.Fetch(
                group: group, install: firstInstalls[group] + number,
                device: world.deviceID(of: installs[group][number].attestation.device), result: fetchResult,
                isCached: isCached, decision: hasToken ? installs[group][number].token?.decision : nil)
            for place in (tallies[step] ?? []).indices { tallies[step]?[place].take(fetch, in: world) }
        }
    }

    private mutating func write(_ decision: Decision?, of world: World) {
        guard writesDecisions, let decision else { return }
        decisionLines += writer.render(
            decision, index: decisionCount, engine: world.engine, symbols: world.symbols)
        decisionCount += 1
    }

    private mutating func carryOut(
        _ command: ManagementCommand, line: String, account: Int, step: Step, at time: Instant,
        diagnostics: inout Diagnostics
    ) {
        var changed = worlds[account].engine.history.latest
        do throws(CommandError) {
            let latest = worlds[account].latestDevices(at: time)
            let effect = try command.apply(to: &changed, latest: { latest })
            worlds[account].change(to: changed, effect: effect, at: time)
            log("approov \(line)", at: time)
        } catch {
            diagnostics.add(
                Diagnostic(file: scenario.file, position: step.position, message: error.message, hint: error.hint))
        }
    }

    private mutating func set(
        _ group: Int, flags: FlagSet?, attributes: [DeviceGroup.Attribute], step: Int, at time: Instant
    ) {
        let account = scenario.groups[group].account
        for number in installs[group].indices {
            population.set(
                attributes, on: &installs[group][number], occasion: "step \(step)", symbols: &worlds[account].symbols)
            guard var flags else { continue }
            if !scenario.groups[group].isRegistered { flags.insert(.appNotRegistered) }
            installs[group][number].attestation.flags = flags
        }
        log("set \(names([group]))", at: time)
    }

    private mutating func reinstall(_ group: Int, keepsID: Bool) {
        for number in installs[group].indices {
            installs[group][number].reinstall()
            // R1.3: on Android the ID survives a reinstall.
            if !keepsID, installs[group][number].operatingSystem == .ios { identifyAnew(group, number) }
        }
    }

    private mutating func factoryReset(_ group: Int) {
        for number in installs[group].indices {
            installs[group][number].reinstall()
            identifyAnew(group, number)
        }
    }

    private mutating func identifyAnew(_ group: Int, _ number: Int) {
        installs[group][number].generation += 1
        population.identify(
            &installs[group][number], symbols: &worlds[scenario.groups[group].account].symbols)
    }

    private mutating func forEachInstall(of groups: [Int], _ body: (inout Install) -> Void) {
        for group in groups {
            for number in installs[group].indices { body(&installs[group][number]) }
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
            result.expectations += tally.results(file: scenario.file, subject: subject(expectation.target))
        }
        tallies[number] = nil
    }

    private mutating func check(_ expectation: FinalExpectation, diagnostics: inout Diagnostics) {
        let world = worlds[expectation.account]
        let figures = world.figures
        for metric in expectation.metrics {
            let count = figures.value(ofMetric: metric.name, at: end, billingDay: world.billingDay)
            result.expectations.append(
                ExpectationResult(
                    file: scenario.file, position: metric.position, passed: metric.count.contains(count),
                    expected: metric.count.description, actual: "\(count)", message: "metric \(metric.name)"))
        }
        for state in expectation.states { check(state, account: expectation.account, diagnostics: &diagnostics) }
    }

    private mutating func check(
        _ state: FinalExpectation.State, account: Int, diagnostics: inout Diagnostics
    ) {
        let world = worlds[account]
        var devices: [DeviceIndex] = []
        switch state.target {
        case .group(let group): devices = installs[group].map(\.attestation.device)
        case .device(let id): devices = world.symbols.devices.index(of: id).map { [$0] } ?? []
        case .all: break
        }
        guard !devices.isEmpty else {
            diagnostics.add(
                Diagnostic(
                    file: scenario.file, position: state.position, message: "there is no device \(state.name.quoted)"))
            return
        }
        let texts = devices.map { world.stateText(of: $0) }
        let expected = world.stateText(state.flags)
        let mismatch = zip(devices, texts).first { $1 != expected }
        let actual = mismatch.map { "\($1) (device \(world.deviceID(of: $0)))" }
        result.expectations.append(
            ExpectationResult(
                file: scenario.file, position: state.position, passed: mismatch == nil, expected: expected,
                actual: actual ?? expected, message: "device state of \(state.name)"))
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

    private mutating func logFetches(_ groups: [Int], since before: ScenarioResult.FetchCounts, at time: Instant) {
        let (attested, cached) = (result.fetches.attested - before.attested, result.fetches.cached - before.cached)
        let failed = result.fetches.failed - before.failed
        log("fetch \(names(groups)): \(attested) attested, \(cached) cached, \(failed) without a token", at: time)
    }
}

extension ScenarioResult.FetchCounts {
    fileprivate mutating func count(hasToken: Bool, isCached: Bool) {
        if !hasToken { failed += 1 } else if isCached { cached += 1 } else { attested += 1 }
    }
}
