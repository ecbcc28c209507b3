/// What becomes of every request, by the rules R14 and R17 to R20 alone: short and slow.
struct ClientReference {
    private let devices: [SmallDevice]
    private var accounts: [(made: Int, inForce: Int, account: SmallAccount)]
    private var revisions: [Revision] = []
    private var forcings: [(revision: Int, inForce: Int)] = []
    private var backends: [String: SmallBackend]
    private var clients: [SmallClient]
    private var installs: [Install]
    private var outages: [(kind: String, start: Int, end: Int)] = []
    /// In the order of the steps, device by device.
    private(set) var outcomes: [String] = []
    /// How often apps read pins and fetched the configuration, as they counted it.
    private(set) var pinReads = 0

    // R17.1; of everybody where it names nobody.
    private struct Revision {
        let inForce: Int
        let account: SmallAccount
        var concerned: Set<String>?
    }

    // Numbers of revisions; -1 is what is built in.
    private struct Install {
        var token: Token?
        var data: String?
        var network = "ok"
        var proxied: String?
        var isTrusted = false
        var stored = -1
        var delivered = -1
        var fetched = -1
        var read: Int?
        var forced: Int?
        var blockedSince: Int?
    }

    private struct Token {
        let time: Int
        let lifetime: Int
        let passed: Bool
        let isFailover: Bool
        let data: String?
        let secret: Int
        var isOutdated = false
    }

    init(_ scenario: SmallScenario) {
        devices = scenario.devices
        clients = scenario.devices.map(\.client)
        backends = scenario.backends
        accounts = [(-1, -1, scenario.account)]
        var built = scenario.account
        built.modes = [:]
        revisions = [Revision(inForce: -1, account: built)]
        let modes = scenario.account.modes.filter { $0.value != "pin" }
        if !modes.isEmpty {
            revisions.append(Revision(inForce: -1, account: scenario.account, concerned: Set(modes.keys)))
        }
        installs = devices.map { _ in Install() }
        for index in devices.indices { start(index, at: 0) }
        for (time, action) in scenario.steps { perform(action, at: time) }
    }

    // MARK: The account and its configurations

    private func account(at time: Int) -> SmallAccount {
        accounts.last { $0.inForce <= time }?.account ?? SmallAccount()
    }

    private mutating func change(at time: Int, _ body: (inout SmallAccount) -> Void) {
        guard let before = accounts.last?.account else { return }
        var after = before
        body(&after)
        let inForce = time + after.propagation
        accounts.append((time, inForce, after))
        let mode = { (account: SmallAccount, id: String) in account.modes[id] ?? "pin" }
        let changed = devices.map(\.id).filter { mode(before, $0) != mode(after, $0) }
        if before.domains != after.domains {
            revisions.append(Revision(inForce: inForce, account: after))
        } else if !changed.isEmpty {
            revisions.append(Revision(inForce: inForce, account: after, concerned: Set(changed)))
        }
    }

    private func newest(for index: Int, at time: Int) -> Int {
        revisions.lastIndex { $0.inForce <= time && ($0.concerned?.contains(devices[index].id) ?? true) } ?? 0
    }

    // R17.2.
    private func builtIn(_ index: Int, at time: Int) -> Int {
        guard let made = clients[index].builtIn else { return 0 }
        return revisions.lastIndex { $0.inForce <= min(made, time) && $0.concerned == nil } ?? 0
    }

    // R1.5: what was added is served at once, what was removed until that is in force.
    private func serves(_ host: String, at time: Int) -> Bool {
        let current = accounts.lastIndex { $0.inForce <= time } ?? 0
        return accounts[current...].contains { ($0.made <= time) && $0.account.domains[host] != nil }
    }

    // MARK: Who answers (R14.3, R20)

    private func isOut(_ kinds: [String], at time: Int) -> Bool {
        outages.contains { kinds.contains($0.kind) && $0.start <= time && time < $0.end }
    }

    private func server(at time: Int) -> String? {
        guard isOut(["primary", "all"], at: time) else { return "primary" }
        var start = time
        while let earlier = outages.first(where: { $0.kind != "failover" && $0.start < start && start < $0.end }) {
            start = earlier.start
        }
        if time / 60 == start / 60 { return nil }
        return isOut(["failover", "all"], at: time) ? nil : "failover"
    }

    // MARK: Steps

    private mutating func perform(_ action: SmallAction, at time: Int) {
        switch action {
        case .request(let host, let data):
            for index in devices.indices { note(request(index, host, data, at: time), of: index, at: time) }
        case .fetch:
            for index in devices.indices {
                _ = fetch(index, nil, at: time)
                _ = react(index, isForced: isForced(index, at: time), at: time)
            }
        case .serve(let host, let backend): backends[host] = backend
        case .addPin(let key, let domain): change(at: time) { $0.domains[domain, default: []].append(key) }
        case .removePin(let key, let domain): change(at: time) { $0.domains[domain]?.removeAll { $0 == key } }
        case .force: forcings.append((revisions.count - 1, time + account(at: time).propagation))
        case .addDomain(let name): change(at: time) { $0.domains[name] = [] }
        case .removeDomain(let name): change(at: time) { $0.domains[name] = nil }
        case .pinMode(let mode, let id): change(at: time) { $0.modes[id] = mode }
        case .changeSecret: change(at: time) { $0.secret += 1 }
        case .outage(let kind, let until): outages.append((kind, time, until))
        case .launch(let name), .reinstall(let name), .network(let name, _, _, _), .update(let name, _):
            guard let index = devices.firstIndex(where: { $0.name == name }) else { return }
            touch(index, action, at: time)
        }
    }

    private mutating func touch(_ index: Int, _ action: SmallAction, at time: Int) {
        switch action {
        case .reinstall:
            let old = installs[index]
            installs[index] = Install()
            (installs[index].network, installs[index].proxied) = (old.network, old.proxied)
            (installs[index].isTrusted, installs[index].blockedSince) = (old.isTrusted, old.blockedSince)
            start(index, at: time)
        case .network(_, let state, let only, let trusted):
            installs[index].network = only == nil ? state : "ok"
            installs[index].proxied = state == "mitm" ? only ?? "all" : nil
            installs[index].isTrusted = trusted
        case .update(_, let pins):
            clients[index].staticPins = pins
            launch(index)
        default: launch(index)
        }
    }

    // R17.3: the very first initialisation fetches the newest.
    private mutating func start(_ index: Int, at time: Int) {
        let isReached = installs[index].network == "ok" && server(at: time) == "primary"
        installs[index].stored = clients[index].config == "auto" && isReached ? newest(for: index, at: time) : -1
        launch(index)
    }

    private mutating func launch(_ index: Int) {
        installs[index].token = nil
        (installs[index].delivered, installs[index].fetched) = (installs[index].stored, installs[index].stored)
        installs[index].read = nil
        if clients[index].reading != "connection" { readPins(index) }
    }

    private mutating func readPins(_ index: Int) {
        installs[index].read = installs[index].delivered
        pinReads += 1
    }

    // MARK: Tokens (R14)

    private mutating func fetch(_ index: Int, _ host: String?, at time: Int) -> String {
        let install = installs[index]
        if let token = install.token, !token.isOutdated, time < token.time + token.lifetime,
            host.map({ serves($0, at: token.time) }) ?? true
        {
            return "SUCCESS"
        }
        if let host, !serves(host, at: time) { return "UNKNOWN_URL" }
        if install.network != "ok" { return install.network }
        let service = server(at: time)
        if account(at: time).modes[devices[index].id] == "blockAll" {
            if service == "primary" { deliver(index, at: time) }
            return "MITM_DETECTED"
        }
        guard let service else { return "NO_APPROOV_SERVICE" }
        let isRooted = devices[index].flags == "rooted"
        installs[index].token = Token(
            time: time, lifetime: isRooted ? 120 : 300, passed: !isRooted, isFailover: service == "failover",
            data: install.data, secret: account(at: time).secret)
        if service == "primary" { deliver(index, at: time) }
        return "SUCCESS"
    }

    // R17.3.
    private mutating func deliver(_ index: Int, at time: Int) {
        installs[index].delivered = max(installs[index].delivered, newest(for: index, at: time))
        if clients[index].config == "auto" { installs[index].stored = installs[index].delivered }
        installs[index].forced = forcings.last { $0.inForce <= time }?.revision ?? installs[index].forced
    }

    // R17.4.
    private func isForced(_ index: Int, at time: Int) -> Bool {
        guard let forced = installs[index].forced, let read = installs[index].read else { return false }
        return max(read, builtIn(index, at: time)) < forced
    }

    // R17.3, R18.4: whether the app was launched anew.
    private mutating func react(_ index: Int, isForced: Bool, at time: Int) -> Bool {
        let client = clients[index]
        let isChanged = installs[index].fetched < installs[index].delivered
        if isChanged, client.config == "app" || client.reading == "config-change" {
            (installs[index].fetched, installs[index].stored) = (installs[index].delivered, installs[index].delivered)
            if client.reading == "config-change" { readPins(index) }
        }
        guard isForced, client.relaunchesOnForce else { return false }
        launch(index)
        return true
    }

    // MARK: Requests (R19)

    private mutating func request(_ index: Int, _ host: String, _ data: String?, at time: Int) -> String {
        let client = clients[index]
        if client.hasHeader {
            if data == "none" { return "not-sent" }
            let value = data ?? devices[index].id
            if installs[index].data != value { installs[index].token?.isOutdated = true }
            installs[index].data = value
        }
        var result = fetch(index, host, at: time)
        if react(index, isForced: isForced(index, at: time), at: time) { result = fetch(index, host, at: time) }
        let carries = result == "SUCCESS"
        guard carries || result == "UNKNOWN_URL" || result == "NO_APPROOV_SERVICE" || client.sendsAlways else {
            return "not-sent"
        }
        let hasStaticPins = host == "a.com" && !client.staticPins.isEmpty
        if client.reading == "connection", !hasStaticPins { readPins(index) }
        if ["none", "poor"].contains(installs[index].network) { return "no-connection" }
        let backend = backends[host] ?? SmallBackend(chain: [host])
        let isProxied = installs[index].proxied == "all" || installs[index].proxied == host
        guard connects(index, host, to: isProxied ? ["MITM"] : backend.chain, isProxied: isProxied, at: time) else {
            if client.relaunchesOnBlocked, let read = installs[index].read, read < installs[index].delivered {
                launch(index)
            }
            return "blocked"
        }
        if isProxied { return "intercepted" }
        return accepts(backend, carries ? installs[index].token : nil, installs[index].data, at: time)
            ? "accepted" : "refused"
    }

    // R18.2, R18.3, R18.5.
    private func connects(_ index: Int, _ host: String, to chain: [String], isProxied: Bool, at time: Int) -> Bool {
        let (install, client) = (installs[index], clients[index])
        if isProxied, !install.isTrusted { return false }
        if host == "a.com", !client.staticPins.isEmpty { return client.staticPins.contains(where: chain.contains) }
        let known = install.read ?? install.delivered
        let builtIn = builtIn(index, at: time)
        let account = revisions[max(known, builtIn)].account
        let mode = known >= builtIn ? account.modes[devices[index].id] ?? "pin" : "pin"
        let (own, roots) = (account.domains[host], client.ignoresRoots ? [] : account.domains["*"] ?? [])
        var pins = own.map { $0.isEmpty ? roots : $0 } ?? roots
        if mode == "unpin" { pins = [] }
        if mode == "block", !pins.isEmpty { pins = ["no certificate"] }
        if mode == "blockAll", own != nil || !pins.isEmpty { pins = ["no certificate"] }
        return pins.isEmpty ? !client.refusesUnpinned : pins.contains(where: chain.contains)
    }

    // R19.4.
    private func accepts(_ backend: SmallBackend, _ token: Token?, _ data: String?, at time: Int) -> Bool {
        guard backend.wantsToken else { return true }
        guard let token, token.passed, token.secret == account(at: time).secret else { return false }
        return time < token.time + token.lifetime + 10 && (token.isFailover || token.data == data)
    }

    // R19.5.
    private(set) var everBlocked: Set<Int> = []
    private(set) var longest: Int?

    private mutating func note(_ outcome: String, of index: Int, at time: Int) {
        outcomes.append(outcome)
        if outcome == "blocked" {
            everBlocked.insert(index)
            installs[index].blockedSince = installs[index].blockedSince ?? time
        } else if outcome == "accepted", let since = installs[index].blockedSince {
            longest = max(longest ?? 0, time - since)
            installs[index].blockedSince = nil
        }
    }

    /// How many had no request accepted since they were blocked.
    var stillBlocked: Int { installs.count { $0.blockedSince != nil } }
}
