internal import Documents
internal import PolicyEngine
internal import Replay

// What a run's expectations come to.
extension ScenarioRun {
    mutating func check(_ step: Step, number: Int, diagnostics: inout Diagnostics) {
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

    mutating func check(_ expectation: FinalExpectation, diagnostics: inout Diagnostics) {
        let world = worlds[expectation.account]
        let figures = world.figures
        for metric in expectation.metrics {
            let count = figures.value(of: metric.metric, at: end, billingDay: world.billingDay)
            var found = ExpectationResult(
                file: scenario.file, position: metric.position, passed: metric.count.contains(count),
                expected: metric.count.description, actual: "\(count)", message: "metric \(metric.name)")
            if !expectation.allowsVacuous {
                found = found.failing(asVacuous: vacuity(of: metric, count: count, account: expectation.account))
                found.reaches = Self.reaches(of: metric, account: expectation.account)
            }
            result.expectations.append(found)
        }
        for state in expectation.states { check(state, of: expectation, diagnostics: &diagnostics) }
    }

    // Why a metric holds whatever the account decides.
    private func vacuity(of metric: FinalExpectation.Metric, count: Int, account: Int) -> String? {
        if metric.count.isUnbounded { return "any count would do" }
        guard count == 0 else { return nil }
        // What clients count, they count without an attestation, too (R13.3).
        if case .client = metric.metric { return fetching.contains(account) ? nil : "nobody fetched" }
        return worlds[account].hasJudged ? nil : Self.nothingJudged
    }

    private static let nothingJudged = "nothing was judged"

    private static func reaches(of metric: FinalExpectation.Metric, account: Int) -> [Reach] {
        guard metric.count.isVacuousAtZero else { return [] }
        switch metric.metric {
        case .filter(let filter), .rejection(.filter(let filter)): return [.filter(filter.text, accounts: [account])]
        case .policy(let policy): return [.policy(policy.text, account: account)]
        default: return []
        }
    }

    private mutating func check(
        _ state: FinalExpectation.State, of expectation: FinalExpectation, diagnostics: inout Diagnostics
    ) {
        let world = worlds[expectation.account]
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
        let found = ExpectationResult(
            file: scenario.file, position: state.position, passed: mismatch == nil, expected: expected,
            actual: actual ?? expected, message: "device state of \(state.name)")
        let isVacuous = !world.hasJudged && !expectation.allowsVacuous
        result.expectations.append(found.failing(asVacuous: isVacuous ? Self.nothingJudged : nil))
    }

    private func subject(_ target: FetchExpectation.Target) -> String {
        switch target {
        case .all: "all"
        case .group(let group): scenario.groups[group].name
        case .device(let id): "device \(id)"
        }
    }
}
