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
                file: scenario.file, subject: subject(expectation.target), account: account(of: step))
        }
        tallies[number] = nil
    }

    // The account of the groups that fetch; names of filters are those of the first.
    private func account(of step: Step) -> Int {
        guard case .fetch(let groups, _) = step.action, let group = groups.first else { return 0 }
        return scenario.groups[group].account
    }

    mutating func check(_ expectation: FinalExpectation, diagnostics: inout Diagnostics) {
        let world = worlds[expectation.account]
        let figures = world.figures
        for metric in expectation.metrics {
            let count = figures.value(ofMetric: metric.name, at: end, billingDay: world.billingDay)
            result.expectations.append(
                ExpectationResult(
                    file: scenario.file, position: metric.position, passed: metric.count.contains(count),
                    expected: metric.count.description, actual: "\(count)", message: "metric \(metric.name)",
                    reaches: Self.reaches(of: metric, account: expectation.account)))
        }
        for state in expectation.states { check(state, account: expectation.account, diagnostics: &diagnostics) }
    }

    private static func reaches(of metric: FinalExpectation.Metric, account: Int) -> [Reach] {
        guard metric.count.isVacuousAtZero else { return [] }
        for prefix in ["rejection-filter-", "filter-"] where metric.name.hasPrefix(prefix) {
            return [.filter(String(metric.name.dropFirst(prefix.count)), account: account)]
        }
        guard metric.name.hasPrefix("policy-") else { return [] }
        return [.policy(String(metric.name.dropFirst("policy-".count)), account: account)]
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
