internal import PolicyEngine

/// The requests of a run: what apps and backends are like, and what became of every request (R19).
struct RequestSimulation {
    private(set) var backends: Backends
    // By group.
    private(set) var settings: [ClientSettings]
    private var ledgers: [RequestLedger]
    private var rounds: [Route: RequestRound] = [:]
    // By host, in the order of their first requests.
    private var hosts: [String: Int] = [:]
    private var latestStamp: UInt32 = 0

    private struct Route: Hashable {
        let group: Int
        let host: String
    }

    init(of groups: [DeviceGroup], to backends: Backends) {
        self.backends = backends
        settings = groups.map(\.client)
        ledgers = groups.map { RequestLedger(group: $0.name, count: $0.count) }
    }

    /// Lets backends change.
    mutating func apply(_ changes: [Backends.Change]) {
        backends.apply(changes)
    }

    /// Gives the apps of a group another version.
    mutating func update(_ group: Int, to client: ClientSettings) { settings[group] = client }

    /// Takes out what is kept for requests of a group to a host, new where anything changed.
    ///
    /// - Parameters:
    ///   - host: The host in lower case.
    ///   - service: The account's service.
    ///   - builtIn: The revision of the configuration that is built into the app.
    ///   - time: Now.
    mutating func begin(
        _ group: Int, to host: String, service: SimulatedService, builtIn: Int, at time: Instant
    ) -> (round: RequestRound, ledger: RequestLedger) {
        let route = Route(group: group, host: host)
        let history = service.engine.history
        let circumstances = RequestRound.Circumstances(
            backends: backends.version, account: history.revision(inForceAt: time, from: 0),
            accounts: history.revisions.count, builtIn: builtIn, settings: settings[group],
            requiresToken: backends[host].requiresToken ?? history.givesTokens(forDomain: host, at: time))
        var ledger = RequestLedger(group: "", count: 0)
        swap(&ledger, &ledgers[group])
        if let known = rounds.removeValue(forKey: route), known.circumstances == circumstances {
            return (known, ledger)
        }
        latestStamp &+= 1
        let number = hosts[host] ?? hosts.count
        hosts[host] = number
        let round = RequestRound(
            circumstances, host: host, bit: 1 << UInt64(min(number, 63)), backend: backends[host], of: service,
            stamp: latestStamp, at: time)
        return (round, ledger)
    }

    /// Puts back what was taken out.
    mutating func end(_ group: Int, to host: String, _ round: RequestRound, _ ledger: RequestLedger) {
        rounds[Route(group: group, host: host)] = round
        ledgers[group] = ledger
    }

    /// The figures about the requests of each group.
    var figures: [RequestFigures] { ledgers.map(\.figures) }
}
