package import Documents
package import PolicyEngine
package import Replay

/// Follows some installs through a scenario, and keeps what they meet.
struct StepTracer: Sendable {
    // A device that no install was yet.
    private var sought: SoughtDevice?
    /// The installs that are followed.
    private(set) var followed: [LaunchTimes.Launch]
    /// The requests and other events that they met, in the order of time.
    private(set) var traces: [StepTrace] = []

    /// Follows installs.
    init(installs: [LaunchTimes.Launch]) { followed = installs }

    /// Follows whoever is a device first.
    init(device: SoughtDevice) { (sought, followed) = (device, []) }

    /// Looks for the device that is sought.
    mutating func find(among installs: [[Install]], id: (Install) -> DeviceID) {
        guard let wanted = sought else { return }
        for group in installs {
            followed += group.filter { wanted.has(id($0)) }.map {
                LaunchTimes.Launch(group: $0.group, number: $0.number)
            }
        }
        if !followed.isEmpty { sought = nil }
    }

    func follows(_ install: borrowing Install) -> Bool {
        let (group, number) = (install.group, install.number)
        return followed.contains { $0.group == group && $0.number == number }
    }

    /// Keeps a request or another event, with the one before where that was the same.
    mutating func note(_ details: StepTrace.Details, at time: Instant) {
        let index = traces.count - 1
        if index >= 0, traces[index].details == details {
            (traces[index].last, traces[index].count) = (time, traces[index].count + 1)
        } else {
            traces.append(StepTrace(first: time, last: time, details: details))
        }
    }
}

// The events of the installs that are followed, beside the requests that they make.
extension ScenarioRun {
    /// Looks for the device that is to be followed, if it is not found yet.
    mutating func findTraced() {
        guard record.tracer != nil else { return }
        let (scenario, services) = (scenario, services)
        record.tracer?.find(among: devices.installs) { install in
            services[scenario.groups[install.group].account].deviceID(of: install.attestation.device)
        }
    }

    /// Tells those who are followed of a step that was carried out.
    mutating func trace(_ event: StepEvent) {
        guard let followed = record.tracer?.followed, !followed.isEmpty else { return }
        switch event {
        case .eachOne: break
        case .everybody(let event): note(event)
        case .account(let account, let event):
            if followed.contains(where: { scenario.groups[$0.group].account == account }) { note(event) }
        case .groups(let groups, let event):
            for one in followed where groups.contains(one.group) && launching?.contains(one) ?? true {
                let install = devices.installs[one.group][one.number]
                let id = service(of: one.group).deviceID(of: install.attestation.device)
                note(event(id), of: id, group: scenario.groups[one.group].name)
            }
        }
    }

    private mutating func note(_ event: EventTrace.Event, of device: DeviceID? = nil, group: String? = nil) {
        record.tracer?.note(.event(EventTrace(device: device, group: group, event: event)), at: time)
    }
}

extension FetchRecord {
    /// Keeps how a fetch or a call of an install of a group ended, if that is followed.
    mutating func trace(
        _ install: borrowing Install, of group: String, in access: ServiceAccess,
        _ event: (SimulatedService) -> EventTrace.Event
    ) {
        guard tracer?.follows(install) == true else { return }
        let id = access.service.deviceID(of: install.attestation.device)
        tracer?.note(.event(EventTrace(device: id, group: group, event: event(access.service))), at: access.time)
    }
}

extension EventTrace.Fetched {
    /// The result of a fetch or a call.
    init(_ result: String, isCached: Bool, _ decision: Decision?, in service: SimulatedService) {
        (self.result, self.isCached) = (result, isCached)
        attestation = decision.map { decision in
            EventTrace.Attestation(
                passed: decision.passed, rejections: service.names(of: .rejections, in: decision) ?? [],
                flags: service.names(of: .flags, in: decision) ?? [], policy: service.policy(of: decision),
                lifetime: decision.lifetime)
        }
    }
}

/// Runs a scenario to see what a device met in it: every request and fetch, and every step that concerned it.
package struct ScenarioTracing {
    private let scenario: Scenario
    private let seed: UInt64?
    private let decidedRules: DecidedRules

    /// - Parameters:
    ///   - seed: Goes before its own.
    ///   - decidedRules: The decided rules on which its account rests, where the command line changed it.
    package init(_ scenario: Scenario, seed: UInt64? = nil, decidedRules: DecidedRules = []) {
        (self.scenario, self.seed, self.decidedRules) = (scenario, seed, decidedRules)
    }

    /// The name of the scenario.
    package var name: String { scenario.name }

    /// The installs that are followed.
    package enum Subject: Sendable {
        /// Whoever is this device first.
        case device(SoughtDevice)
        /// The first device of a group, by its index.
        case group(Int)
        /// The first device of every group.
        case everyGroup
    }

    /// The names of its groups.
    package var groupNames: [String] { scenario.groups.map(\.name) }

    /// The group of a name.
    package func subject(named name: String) -> Subject? {
        scenario.groups.firstIndex { $0.name == name }.map { .group($0) }
    }

    /// Follows a device, or the first device of each group.
    ///
    /// - Parameters:
    ///   - subject: The subject that is followed.
    ///   - diagnostics: Gets what makes the scenario invalid while it runs.
    /// - Returns: The events that they met in the order of time, equal ones in a row being one, and the decided rules on which
    ///   these rest; `nil` where the scenario has no such device.
    package func run(
        _ subject: Subject, diagnostics: inout Diagnostics
    ) -> (steps: [StepTrace], decidedRules: DecidedRules)? {
        let tracer =
            switch subject {
            case .device(let id): StepTracer(device: id)
            case .group(let index): StepTracer(installs: [.init(group: index, number: 0)])
            case .everyGroup:
                StepTracer(installs: scenario.groups.indices.map { .init(group: $0, number: 0) })
            }
        var run = ScenarioRun(scenario, ScenarioRunner(seed: seed), tracer: tracer)
        for occurrence in run.timeline { run.perform(occurrence, diagnostics: &diagnostics) }
        run.findTraced()
        guard let followed = run.record.tracer?.followed, !followed.isEmpty else { return nil }
        let installs = followed.map { run.devices.installs[$0.group][$0.number] }
        return (run.record.tracer?.traces ?? [], decidedRules.union(run.decidedRules(of: installs)))
    }
}
