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
    /// Keeps how a fetch or a call of an install ended, if that is followed.
    ///
    /// - Parameters:
    ///   - install: The install that made it.
    ///   - group: The name of its group.
    ///   - service: The account's service.
    ///   - time: Now.
    mutating func trace(
        _ install: borrowing Install, of group: String, in service: SimulatedService, at time: Instant,
        _ event: (SimulatedService) -> EventTrace.Event
    ) {
        guard tracer?.follows(install) == true else { return }
        let id = service.deviceID(of: install.attestation.device)
        tracer?.note(.event(EventTrace(device: id, group: group, event: event(service))), at: time)
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
