internal import Accounts
internal import Documents
internal import HTTP
package import PolicyEngine
internal import Reports
package import Scenarios

/// A simulated service of one account: it has no socket and reads no clock. It takes requests and
/// the time, and gives answers (R23).
///
/// For one thread at a time.
package struct StandIn {
    let settings: Settings
    let account: ServedAccount
    var clock: ServiceClock
    var outage = OutageSettings()
    var reports = TokenReports()
    // When something happened last.
    private(set) var latest: Instant
    // The number of attestations that were answered.
    private(set) var answered = 0
    private var state: StateFile?

    /// The settings of a service.
    package struct Settings: Sendable {
        /// The account as it is at the start.
        package var account: Account
        /// The devices that a test may name by their group.
        package var population: PopulationRecords?
        /// The version of the tool, for metrics.
        package var version = ""

        /// Makes the settings of an account.
        package init(account: Account) {
            self.account = account
        }
    }

    /// The user who gives a management command.
    struct Manager: Hashable, Sendable {
        /// The user whose management token it is; `nil` for whoever has the API key of an account without users.
        var user: UserRole?

        /// The manager in a context.
        func act(in context: inout CommandContext) {
            if let user { context.act(as: user) }
        }
    }

    /// Makes a service that no device has attested to.
    ///
    /// - Parameter real: The time of the system's clock.
    package init(_ settings: Settings, clock: ServiceClock, at real: Instant) {
        self.settings = settings
        self.clock = clock
        account = ServedAccount(settings.account)
        latest = clock.now(real, notBefore: Instant(secondsSinceEpoch: .min))
    }

    /// Makes a service that continues where another one ended, and keeps what happens.
    ///
    /// - Parameter state: Its events are carried out again, and new ones are added.
    /// - Throws: ``StateFailure`` where they cannot be read or make no sense.
    /// - Complexity: O(events).
    package init(
        _ settings: Settings, clock: ServiceClock, at real: Instant, state: StateFile
    ) throws(StateFailure) {
        self.init(settings, clock: .virtual(Instant(secondsSinceEpoch: .min)), at: real)
        try state.replay { event throws(StateFailure) in
            do throws(Refusal) {
                try repeatEvent(event)
            } catch {
                throw .unsound(error.message)
            }
        }
        self.clock = clock
        self.state = state
    }

    /// The current time.
    func now(_ real: Instant) -> Instant { clock.now(real, notBefore: latest) }

    /// Keeps an event before anything follows from it, so that nothing is answered that could be lost.
    ///
    /// - Throws: ``Refusal`` where it cannot be kept; nothing has changed then.
    mutating func keep(_ event: StateEvent) throws(Refusal) {
        do throws(StateFailure) {
            try state?.append(event)
        } catch {
            throw Refusal(503, "\(error)", hint: "nothing has changed")
        }
        latest = max(latest, event.time)
    }

    /// Gives the next attestation its number.
    mutating func number() -> Int {
        defer { answered += 1 }
        return answered
    }
}

/// The parts of the service that do not answer (R20, R23.3, R23.4a).
struct OutageSettings: Hashable, Sendable {
    /// The start of the primary service's outage; `nil` if it answers.
    private(set) var start: Instant?
    /// True if the failover is out.
    private(set) var failover = false
    /// True if questions of backends are limited (R23.6).
    private(set) var isLimited = false

    /// True if the primary service has an outage.
    var primary: Bool { start != nil }

    /// When the failover takes over, where it has not noticed yet.
    func takeover(after time: Instant) -> Instant? {
        start.map(TokenService.failoverStart(afterOutageAt:)).flatMap { time < $0 ? $0 : nil }
    }

    /// The service that answers an attestation; `nil` for none.
    func server(at time: Instant) -> TokenService? {
        if !primary { return .primary }
        return failover || takeover(after: time) != nil ? nil : .failover
    }

    /// As `GET` and `PUT /outage` have it.
    var json: JSONValue {
        .ordered([
            ("primary", .boolean(primary)), ("failover", .boolean(failover)), ("limited", .boolean(isLimited)),
        ])
    }

    /// The names of the members.
    static let names: [ExactText] = ["primary", "failover", "limited"]

    /// Takes the members that are given; the others stay.
    ///
    /// - Parameter time: Now; an outage that lasts already does not start again.
    mutating func update(_ members: [JSONMember], at time: Instant) throws(Refusal) {
        for member in members {
            guard case .boolean(let value) = member.value else {
                throw .badField(member.name.text, "`\(member.name.text)` is true or false")
            }
            switch member.name {
            case "primary": start = value ? start ?? time : nil
            case "failover": failover = value
            case "limited": isLimited = value
            default:
                let names = Self.names.map { "`\($0.text)`" }.joined(separator: ", ")
                throw .badField(
                    member.name.text, "there is no member `\(member.name.text)`", hint: "there are \(names)")
            }
        }
    }
}

/// The clock of a service.
package enum ServiceClock: Hashable, Sendable {
    /// That of the system.
    case system
    /// One that does not move by itself.
    case virtual(Instant)

    /// The current time.
    ///
    /// - Parameters:
    ///   - real: The time of the system's clock.
    ///   - latest: The time of the latest event: time never turns back, even if the system's clock does.
    func now(_ real: Instant, notBefore latest: Instant) -> Instant {
        switch self {
        case .system: max(real, latest)
        case .virtual(let time): max(time, latest)
        }
    }

    /// The last second that has four digits for its year.
    static let end = Instant(secondsSinceEpoch: 253_402_300_799)
}

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

// Questions of backends, and of everybody.
extension StandIn {
    /// The meaning of a response code (R23.1).
    func responseCodeAnswer(_ code: String, at time: Instant) -> HTTPAnswer {
        let meaning = account.meaning(ofCode: code, at: time)
        return HTTPAnswer(json: ResponseCodeAnswer.text(of: meaning, catalogue: account.catalogue))
    }

    /// Answers with the claims of a token and the meaning of its code (R23.2), and takes a report of its misuse.
    ///
    /// - Throws: ``Refusal`` for a text that is not a token.
    mutating func tokenAnswer(_ token: String, report message: String?, at time: Instant) throws(Refusal) -> HTTPAnswer
    {
        let check: TokenCheck
        do throws(TokenError) {
            check = try account.check(token, at: time)
        } catch {
            throw .badField("Approov-Token", "that is not a token: \(error.description)")
        }
        let meaning = check.claims?.responseCode.flatMap { account.meaning(ofCode: $0, at: time) }
        if let message { try keepReport(message, on: check.claims?.text(of: "did") ?? "", at: time) }
        return HTTPAnswer(
            json: ResponseCodeAnswer.text(of: meaning, claims: check.claims, catalogue: account.catalogue))
    }

    // The answer is the same whether or not the report is kept.
    private mutating func keepReport(_ message: String, on device: String, at time: Instant) throws(Refusal) {
        let report = TokenReports.Report(time: time, device: device, message: message)
        guard reports.keeps(report) else { return }
        let body = JSONValue.ordered([("device", .string(device)), ("message", .string(message))])
        try keep(StateEvent(.report, at: time, body.bytes))
        reports.keep(report)
    }

    /// Takes a report that was kept before.
    mutating func repeatReport(_ body: [UInt8], at time: Instant) throws(Refusal) {
        let members = JSONContent.object(try RequestBody.object(body))
        reports.keep(
            TokenReports.Report(
                time: time, device: members["device"]?.text ?? "", message: members["message"]?.text ?? ""))
    }

    /// The public keys of the key set (R23.4).
    var publicKeys: HTTPAnswer { HTTPAnswer(json: KeyJSON.publicKeys(of: account.latest.keys.keySet)) }

    /// The counts, for a Prometheus.
    var metrics: HTTPAnswer {
        let metrics = CurrentMetrics(account.figures, account: account.latest.name, version: settings.version)
        return HTTPAnswer(status: 200, mediaType: CurrentMetrics.mediaType, body: metrics.bytes())
    }

    /// The health of an account's service (R23.3).
    ///
    /// - Parameter name: The account as the URL has it.
    /// - Throws: ``Refusal`` for another account.
    func healthAnswer(of name: String) throws(Refusal) -> HTTPAnswer {
        guard name == account.latest.healthName else {
            throw Refusal(404, "there is no such account")
        }
        let health = outage.primary ? "failed" : "passed"
        return HTTPAnswer(json: JSONValue.ordered([("HealthState", .string(health))]).indented())
    }
}
