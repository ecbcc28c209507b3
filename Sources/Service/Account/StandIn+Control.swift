internal import Documents
internal import HTTP
internal import PolicyEngine
internal import Scenarios

// Requests by which a test moves outages, backends and the clock (R23.4).
extension StandIn {
    /// Lets parts of the service be out, or answer again.
    mutating func setOutage(_ members: [JSONMember], at time: Instant) throws(Refusal) -> HTTPAnswer {
        var changed = outage
        try changed.update(members, at: time)
        try keep(StateEvent(.outage, at: time, changed.json.bytes))
        outage = changed
        return HTTPAnswer(outage.json)
    }

    /// Says what API domains present from now on (R23.4a).
    mutating func setBackends(_ chains: PresentedChains, at time: Instant) throws(Refusal) -> HTTPAnswer {
        try keep(StateEvent(.backends, at: time, chains.json.bytes))
        for (domain, chain) in chains.chains { account.present(chain, at: domain) }
        return backends
    }

    /// The chains that API domains present, as far as they are known.
    var backends: HTTPAnswer { HTTPAnswer(PresentedChains(chains: account.chains).json) }

    /// Moves a clock that is not the system's.
    mutating func moveClock(_ members: [JSONMember], at time: Instant) throws(Refusal) -> HTTPAnswer {
        guard case .virtual = clock else {
            throw Refusal(409, "the clock is the system's", hint: "`--clock INSTANT` gives one that can be moved")
        }
        for member in members where member.name != "advance" {
            throw .badField(member.name.text, "there is no member `\(member.name.text)`", hint: "there is `advance`")
        }
        guard let text = members.first?.value.text else {
            throw .badField("advance", "`advance` is a duration", hint: "such as 5m")
        }
        let seconds: Int
        do throws(DurationError) {
            seconds = try DurationText.parse(text)
        } catch {
            throw .badField("advance", "`advance` is not a duration", hint: error.hint ?? "such as 5m or 1h30m")
        }
        let moved = time + seconds
        guard moved <= ServiceClock.end else { throw .badField("advance", "the clock ends with the year 9999") }
        try keep(StateEvent(.clock, at: moved, []))
        clock = .virtual(moved)
        return HTTPAnswer(.ordered([("time", .string("\(moved)"))]))
    }

    /// Carries out again what was kept.
    ///
    /// - Throws: ``Refusal`` where that cannot be.
    mutating func repeatEvent(_ event: StateEvent) throws(Refusal) {
        try keep(event)
        switch event.kind {
        case .attestation: try repeatAttestation(event.body, by: .primary, at: event.time)
        case .failover: try repeatAttestation(event.body, by: .failover, at: event.time)
        case .command: try repeatCommand(event.body, at: event.time)
        case .report: try repeatReport(event.body, at: event.time)
        case .outage: try outage.update(try RequestBody.object(event.body), at: event.time)
        case .backends:
            for (domain, chain) in try PresentedChains(try RequestBody.object(event.body)).chains {
                account.present(chain, at: domain)
            }
        case .clock: break
        }
    }
}
