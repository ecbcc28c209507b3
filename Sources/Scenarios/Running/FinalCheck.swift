internal import Documents
internal import PolicyEngine
internal import Replay

/// Checks what must hold at the end of a scenario: metrics, and the state of devices.
struct FinalCheck {
    private let scenario: Scenario
    private let services: [SimulatedService]
    private let installs: [[Install]]
    private let fetching: Set<Int>
    private let requests: [RequestFigures]
    private let monitors: [DomainMonitor]
    private let end: Instant

    /// - Parameters:
    ///   - scenario: The scenario that was run.
    ///   - services: By account, as they are at the end.
    ///   - installs: By group, as they are at the end.
    ///   - fetching: The accounts whose devices fetched.
    ///   - requests: The outcomes of the requests, by group.
    ///   - monitors: By account; empty if no notification is ever sent.
    ///   - end: The time up to which metrics count.
    init(
        _ scenario: Scenario, services: [SimulatedService], installs: [[Install]], fetching: Set<Int>,
        requests: [RequestFigures], monitors: [DomainMonitor], end: Instant
    ) {
        self.monitors = monitors
        self.requests = requests
        self.scenario = scenario
        self.services = services
        self.installs = installs
        self.fetching = fetching
        self.end = end
    }

    /// The results of one expectation.
    ///
    /// - Parameter diagnostics: Gets an error for a device that is not there.
    func results(of expectation: FinalExpectation, diagnostics: inout Diagnostics) -> [ExpectationResult] {
        let service = services[expectation.account]
        let figures = service.figures
        var results: [ExpectationResult] = []
        for metric in expectation.metrics {
            let count = figures.value(of: metric.metric, at: end, billingDay: service.billingDay)
            var found = ExpectationResult(
                file: scenario.file, position: metric.position, passed: metric.count.contains(count),
                expected: metric.count.description, actual: "\(count)", message: "metric \(metric.name)")
            if !found.passed { found.correction = .text("\(count)") }
            if !expectation.allowsVacuous {
                found = found.failing(asVacuous: vacuity(of: metric, count: count, account: expectation.account))
                found.reaches = Self.reaches(of: metric, account: expectation.account)
            }
            results.append(found)
        }
        for state in expectation.states {
            if let found = result(of: state, in: expectation, diagnostics: &diagnostics) { results.append(found) }
        }
        results += expectation.requests.map { result(of: $0, in: expectation) }
        return results + (expectation.notifications.map { [result(of: $0, in: expectation)] } ?? [])
    }

    // R25.2.
    private func result(
        of notifications: FinalExpectation.Notifications, in expectation: FinalExpectation
    ) -> ExpectationResult {
        let monitor = monitors.isEmpty ? DomainMonitor() : monitors[expectation.account]
        var found = ExpectationResult(
            file: scenario.file, position: notifications.position,
            passed: notifications.count.contains(monitor.notifications),
            expected: notifications.count.description, actual: "\(monitor.notifications)", message: "notifications")
        if !found.passed { found.correction = .text("\(monitor.notifications)") }
        guard !expectation.allowsVacuous else { return found }
        if notifications.count.isUnbounded { return found.failing(asVacuous: "any count would do") }
        return found.failing(asVacuous: monitor.comparisons == 0 ? "no chain was compared with pins" : nil)
    }

    // R19.6.
    private func result(of check: RequestCheck, in expectation: FinalExpectation) -> ExpectationResult {
        let groups = scenario.groups.indices.filter { index in
            check.group.map { $0 == index } ?? (scenario.groups[index].account == expectation.account)
        }
        let figures = groups.reduce(into: RequestFigures()) { $0.merge(requests[$1]) }
        let subject = check.group.map { scenario.groups[$0].name } ?? "all"
        let value = figures[check.figure]
        let found = ExpectationResult(
            file: scenario.file, position: check.position, passed: check.range.contains(value),
            expected: check.figure.text(check.range), actual: check.figure.text(CountRange(value)),
            message: "\(check.figure.name) of \(subject)")
        guard !expectation.allowsVacuous else { return found }
        if check.range.isUnbounded { return found.failing(asVacuous: "any count would do") }
        return found.failing(asVacuous: figures.total == 0 ? "no request was made" : nil)
    }

    // Why a metric holds whatever the account decides.
    private func vacuity(of metric: FinalExpectation.Metric, count: Int, account: Int) -> String? {
        if metric.count.isUnbounded { return "any count would do" }
        guard count == 0 else { return nil }
        // Clients count without an attestation, too (R13.3).
        if case .client = metric.metric { return fetching.contains(account) ? nil : "nobody fetched" }
        return services[account].hasEvaluated ? nil : Self.nothingEvaluated
    }

    private static let nothingEvaluated = "nothing was evaluated"

    private static func reaches(of metric: FinalExpectation.Metric, account: Int) -> [Reach] {
        guard metric.count.isVacuousAtZero else { return [] }
        switch metric.metric {
        case .filter(let filter), .rejection(.filter(let filter)): return [.filter(filter.text, accounts: [account])]
        case .policy(let policy): return [.policy(policy.text, account: account)]
        default: return []
        }
    }

    // `nil` after noting an error.
    private func result(
        of state: FinalExpectation.State, in expectation: FinalExpectation, diagnostics: inout Diagnostics
    ) -> ExpectationResult? {
        let service = services[expectation.account]
        var devices: [DeviceIndex] = []
        switch state.target {
        case .group(let group): devices = installs[group].map(\.attestation.device)
        case .device(let id): devices = service.symbols.devices.index(of: id).map { [$0] } ?? []
        case .all: break
        }
        guard !devices.isEmpty else {
            diagnostics.add(
                Diagnostic(
                    file: scenario.file, position: state.position, message: "there is no device \(state.name.quoted)"))
            return nil
        }
        let texts = devices.map { service.stateText(of: $0) }
        let expected = service.stateText(state.flags)
        let mismatch = zip(devices, texts).first { $1 != expected }
        let actual = mismatch.map { "\($1) (device \(service.deviceID(of: $0)))" }
        let found = ExpectationResult(
            file: scenario.file, position: state.position, passed: mismatch == nil, expected: expected,
            actual: actual ?? expected, message: "device state of \(state.name)")
        let isVacuous = !service.hasEvaluated && !expectation.allowsVacuous
        return found.failing(asVacuous: isVacuous ? Self.nothingEvaluated : nil)
    }
}

extension RequestFigures {
    fileprivate subscript(figure: RequestCheck.Figure) -> Int {
        switch figure {
        case .outcome(let outcome): self[outcome]
        case .blockedDevices: blockedDevices
        case .stillBlocked: stillBlocked
        case .longestBlocked: longestBlocked ?? 0
        }
    }
}

extension RequestCheck.Figure {
    /// A range of this figure in words.
    fileprivate func text(_ range: CountRange) -> String {
        guard self == .longestBlocked else { return range.description }
        let (least, most) = (DurationText.print(range.atLeast), DurationText.print(range.atMost))
        if range.atLeast == range.atMost { return least }
        if range.atMost == .max { return "at least \(least)" }
        return range.atLeast == 0 ? "at most \(most)" : "\(least) to \(most)"
    }
}
