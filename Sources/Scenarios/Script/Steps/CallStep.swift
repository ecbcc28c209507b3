internal import Figures
internal import PolicyEngine

/// Each app makes a call of the SDK once, beside those for tokens (R21, R22.2).
protocol CallStep: ExpectingAction {
    /// The rule that speaks of the call.
    static var rule: String { get }
    /// The subject of the call, in words; empty if its kind says all.
    var subject: String { get }

    /// Lets an install make the call.
    ///
    /// - Parameters:
    ///   - service: The account's service.
    ///   - server: Which of its servers answers; `nil` for none.
    ///   - time: Now.
    /// - Returns: Its end, with the decision where the client attested, and what the client got.
    func call(
        by install: inout Install, to service: SimulatedService, answeredBy server: TokenService?, at time: Instant
    ) -> (end: FetchEnd, what: Received.What)
}

extension CallStep {
    /// R21.6: the checks of the attestation that a call made.
    static var checksOfAttestation: [String] { ["attested", "rejections", "arc"] }

    func perform(in run: inout ScenarioRun) -> [String] {
        for group in groups { call(group, in: &run) }
        return ["\(Self.key) \(run.names(groups))"]
    }

    private func call(_ group: Int, in run: inout ScenarioRun) {
        let (time, service, server) = (run.time, run.service(of: group), run.server(of: group))
        let (settings, name) = (run.requests.settings[group], run.scenario.groups[group].name)
        run.forEachMember(of: group) { record, install, tally in
            var (end, what) = call(by: &install, to: service, answeredBy: server, at: time)
            end.isCall = true
            let isIntercepted = end.result == FetchResult.mitmDetected.rawValue
            install.report(to: service, reaching: isIntercepted ? nil : server, at: time)
            record.note(end, what, by: install, tally: &tally)
            record.trace(install, of: name, in: service, at: time) { service in
                EventTrace.Event(
                    kind: Self.key, subject: subject.isEmpty ? Self.key : "\(Self.key) \(subject)", rule: Self.rule,
                    name: Self.key, fetched: .init(end.result ?? "", isCached: false, end.decision, in: service))
            }
            let notice = service.notice(of: install.configuration, at: time)
            if settings.watchesConfiguration { _ = install.react(settings, to: notice, at: time) }
        }
    }

    func event(in _: Scenario) -> StepEvent { .eachOne }
}
