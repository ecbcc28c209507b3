internal import PolicyEngine

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

    /// Keeps what a step that was carried out is to those who are followed.
    mutating func trace(_ occurrence: Timeline.Occurrence, at time: Instant) {
        guard let followed = record.tracer?.followed, !followed.isEmpty else { return }
        let accounts = Set(followed.map { scenario.groups[$0.group].account })
        switch scenario.steps[occurrence.step].action {
        // They are noted one by one.
        case .fetch, .request, .call: break
        case .serve(let changes): note(.serve(RequestWords.text(changes)), at: time)
        case .outage(let kind, let until):
            note(.outage(kind, until: until.map { scenario.start + $0 }), at: time)
        case .approov(_, let line, let account): if accounts.contains(account) { note(.approov(line), at: time) }
        case .cancel(let account): if accounts.contains(account) { note(.cancel, at: time) }
        case .set(let group, let change): note(.set(change.keys), to: [group], at: time)
        case .launch(let groups, _): note(.launch, to: groups, among: occurrence.launching, at: time)
        case .reinstall(let groups, _): note(to: groups, at: time) { .reinstall($0) }
        case .factoryReset(let groups): note(to: groups, at: time) { .factoryReset($0) }
        case .bind(let group, _): note(.bind, to: [group], at: time)
        case .binding(let groups, let every): note(.binding(every: every), to: groups, at: time)
        case .network(let groups, let change):
            let between = change.proxy.map {
                EventTrace.Between(domains: $0.domains?.sorted(), isTrusted: $0.isTrusted)
            }
            note(.network(change.state, proxy: between), to: groups, at: time)
        }
    }

    // Notes an event that concerns everybody, or an account.
    private mutating func note(_ event: EventTrace.Event, at time: Instant) {
        record.tracer?.note(EventTrace.Details(event: event), at: time)
    }

    private mutating func note(
        _ event: EventTrace.Event, to groups: [Int], among launching: [LaunchTimes.Launch]? = nil, at time: Instant
    ) {
        note(to: groups, among: launching, at: time) { _ in event }
    }

    private mutating func note(
        to groups: [Int], among launching: [LaunchTimes.Launch]? = nil, at time: Instant,
        _ event: (DeviceID) -> EventTrace.Event
    ) {
        for member in record.tracer?.followed ?? [] where groups.contains(member.group) {
            guard launching?.contains(member) ?? true else { continue }
            let group = scenario.groups[member.group]
            let install = devices.installs[member.group][member.number]
            let id = services[group.account].deviceID(of: install.attestation.device)
            record.tracer?.note(
                EventTrace.Details(device: id, group: group.name, event: event(id)), at: time)
        }
    }
}

extension FetchRecord {
    /// Keeps how a fetch or a call of an install ended, if that is followed.
    ///
    /// - Parameters:
    ///   - install: The install that made it.
    ///   - group: The name of its group.
    ///   - service: The account's service.
    ///   - time: Now.
    ///   - event: The event.
    mutating func trace(
        _ install: borrowing Install, of group: String, in service: SimulatedService, at time: Instant,
        _ event: (SimulatedService) -> EventTrace.Event
    ) {
        guard tracer?.follows(install) == true else { return }
        let id = service.deviceID(of: install.attestation.device)
        tracer?.note(EventTrace.Details(device: id, group: group, event: event(service)), at: time)
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

extension SDKCall {
    /// The rule that speaks of it.
    var rule: String {
        switch self {
        case .secureString: "R21.2"
        case .customToken: "R21.3"
        case .prove: "R22.2"
        }
    }

    /// The subject of the call, in words; empty if its kind says all.
    var subject: String {
        switch self {
        case .secureString(let call): call.key
        case .customToken: ""
        case .prove(let kind): kind.rawValue
        }
    }
}

extension DeviceChange {
    /// The keys that it gives, as steps name them.
    fileprivate var keys: [String] {
        let given = [
            ("flags", flags != nil), ("devicecheck", deviceCheck != nil), ("safetynet", safetyNet != nil),
            ("registered", isRegistered != nil), ("dev-key", developmentKey != nil), ("client", client != nil),
        ]
        return given.filter(\.1).map(\.0) + attributes.map(\.key)
    }
}
