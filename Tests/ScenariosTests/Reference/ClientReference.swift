@testable import TestSupport

/// The outcome of every request, by the rules R14 and R17 to R20 alone: short and slow.
struct ClientReference {
    private var devices: [SmallDevice]
    private var accounts: [(made: Int, inForce: Int, account: SmallAccount)]
    private var revisions: [Revision] = []
    private var forcings: [(revision: Int, inForce: Int)] = []
    private var backends: [String: SmallBackend]
    private var clients: [SmallClient]
    private var installs: [Install]
    private var retired: [SmallSDK] = []
    private var outages: [(kind: String, start: Int, end: Int)] = []
    /// In the order of the steps, device by device.
    private(set) var outcomes: [String] = []
    /// The number of times that apps read pins, fetched the configuration and asked for signatures, as they counted it.
    private(set) var (pinReads, configurationFetches, signatures) = (0, 0, 0)

    // R17.1; of everybody where it names nobody. Everybody's is built into apps, and knows of no modes.
    private struct Revision {
        let inForce: Int
        let domains: [String: [String]]
        var device: String?
        var mode = "pin"
    }

    // The state of an install; revisions by their index, of which -1 is before any of them.
    private struct Install {
        var token: Token?
        var data: String?
        var binding: (since: Int, every: Int)?
        var network = "ok"
        var proxied: String?
        var isTrusted = false
        var isLocal = false
        var stored = -1
        var delivered = -1
        var fetched = -1
        var read: Int?
        var forced: Int?
        var blockedSince: Int?
    }

    private struct Token {
        let time: Int
        /// The accounts made, and the one in force, when it was issued: in one second the order of the steps decides.
        let moment: (made: Int, inForce: Int)
        let lifetime: Int
        let passed: Bool
        let isFailover: Bool
        let data: String?
        let secret: Int
        /// The number of the message signing key that it names.
        let signing: Int?
        var isOutdated = false
    }

    /// - Parameter launches: By step, when each device launches; it is drawn.
    init(_ scenario: SmallScenario, launches: [Int: [Int]] = [:]) {
        devices = scenario.devices
        clients = scenario.devices.map(\.client)
        backends = scenario.backends
        accounts = [(-1, -1, scenario.account)]
        revisions = [Revision(inForce: -1, domains: scenario.account.domains)]
        for (id, mode) in scenario.account.modes where mode != "pin" {
            revisions.append(Revision(inForce: -1, domains: scenario.account.domains, device: id, mode: mode))
        }
        installs = devices.map { _ in Install() }
        for index in devices.indices { start(index, at: 0) }
        var moments: [(time: Int, step: Int, device: Int?)] = []
        for (step, (time, action)) in scenario.steps.enumerated() {
            if case .spread = action {
                for (device, time) in (launches[step] ?? []).enumerated() { moments.append((time, step, device)) }
            } else {
                moments.append((time, step, nil))
            }
        }
        for moment in moments.sorted(by: { ($0.time, $0.step, $0.device ?? 0) < ($1.time, $1.step, $1.device ?? 0) }) {
            if let device = moment.device {
                launch(device)
            } else {
                perform(scenario.steps[moment.step].action, at: moment.time)
            }
        }
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
        let isEverybodys = before.domains != after.domains || before.pinOnly != after.pinOnly
        if isEverybodys { revisions.append(Revision(inForce: inForce, domains: after.domains)) }
        for id in devices.map(\.id) {
            let (old, new) = (before.modes[id] ?? "pin", after.modes[id] ?? "pin")
            // With new pins, a device with a mode of its own gets its own version of them.
            guard isEverybodys ? new != "pin" : new != old else { continue }
            revisions.append(Revision(inForce: inForce, domains: after.domains, device: id, mode: new))
        }
    }

    private func newest(for index: Int, at time: Int) -> Int {
        revisions.lastIndex { $0.inForce <= time && [nil, devices[index].id].contains($0.device) } ?? 0
    }

    private func newestOfAll(at time: Int) -> Int {
        revisions.lastIndex { $0.inForce <= time && $0.device == nil } ?? 0
    }

    // R17.2.
    private func builtIn(_ index: Int, at time: Int) -> Int {
        guard let made = clients[index].builtIn else { return 0 }
        return newestOfAll(at: min(made, time))
    }

    private func moment(at time: Int) -> (made: Int, inForce: Int) {
        (accounts.count, accounts.lastIndex { $0.inForce <= time } ?? 0)
    }

    // R1.5: what was added is served at once, what was removed until that is in force.
    private func refusal(of host: String, at moment: (made: Int, inForce: Int)) -> String? {
        let known = accounts[moment.inForce..<moment.made]
        guard let knowing = known.last(where: { $0.account.domains[host] != nil }) else { return "UNKNOWN_URL" }
        return knowing.account.pinOnly.contains(host) ? "UNPROTECTED_URL" : nil
    }

    // R19.4: what the latest change says that speaks of the host.
    private func wantsTokens(_ host: String, at time: Int) -> Bool {
        if let said = backends[host]?.wantsToken { return said }
        let knowing = accounts.last { $0.made <= time && $0.account.domains[host] != nil }
        return knowing.map { !$0.account.pinOnly.contains(host) } ?? false
    }

    // MARK: Servers (R14.3, R20)

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

    // R20.1.
    private func server(for index: Int, at time: Int) -> String? {
        devices[index].sdk.map(retired.contains) == true ? nil : server(at: time)
    }

    // MARK: Steps

    private mutating func perform(_ action: SmallAction, at time: Int) {
        switch action {
        case .request(let host, let data):
            for index in devices.indices { note(request(index, host, data, at: time), of: index, at: time) }
        case .fetch:
            for index in devices.indices {
                bindChanged(index, at: time)
                _ = fetch(index, nil, at: time)
                _ = react(index, at: time)
            }
        case .serve(let host, let backend):
            // A setting that is not given stays.
            let said = backend.wantsToken ?? backends[host]?.wantsToken
            backends[host] = backend
            backends[host]?.wantsToken = said
        case .addPin(let key, let domain): change(at: time) { $0.domains[domain, default: []].append(key) }
        case .removePin(let key, let domain): change(at: time) { $0.domains[domain]?.removeAll { $0 == key } }
        // R17.4: the account's, and not that of a device.
        case .force: forcings.append((newestOfAll(at: .max), time + account(at: time).propagation))
        case .addDomain(let name, let isPinOnly):
            // R18.2a: with the pin of the leaf that it presents.
            let leaf = backends[name]?.chain[0] ?? name
            change(at: time) { account in
                account.domains[name] = [leaf]
                if isPinOnly { account.pinOnly.insert(name) }
            }
        case .removeDomain(let name):
            change(at: time) { account in
                account.domains[name] = nil
                account.pinOnly.remove(name)
            }
        case .pinMode(let mode, let id): change(at: time) { $0.modes[id] = mode }
        case .changeSecret: change(at: time) { $0.secret += 1 }
        case .changeSigning(let isOn): change(at: time) { $0.signing = ($0.signing.count + 1, isOn) }
        case .updateSDK(let name, let sdk):
            for index in devices.indices where devices[index].name == name { devices[index].sdk = sdk }
        case .retire(let sdk): retired.append(sdk)
        case .outage(let kind, let until): outages.append((kind, time, until))
        case .spread: break
        case .binding(let name, let every):
            if let index = devices.firstIndex(where: { $0.name == name }) { installs[index].binding = (time, every) }
        case .plain(let host):
            for index in devices.indices { note(plain(index, host, at: time), of: index, at: time) }
        case .steal(let host, let name, let data):
            let token = devices.firstIndex { $0.name == name }.flatMap { installs[$0].token }
            for index in devices.indices { note(steal(index, host, token, data, at: time), of: index, at: time) }
        case .launch(let name), .reinstall(let name), .network(let name, _, _, _, _), .update(let name, _):
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
            (installs[index].binding, installs[index].isLocal) = (old.binding, old.isLocal)
            start(index, at: time)
        case .network(_, let state, let only, let trusted, let local):
            installs[index].isLocal = local
            installs[index].network = only == nil ? state : "ok"
            installs[index].proxied = state == "mitm" ? only ?? "all" : nil
            installs[index].isTrusted = trusted
        case .update(_, let pins):
            clients[index].staticPins = pins
            launch(index)
        default: launch(index)
        }
    }

    // R17.3: the very first start fetches the newest, unless nothing is ever stored.
    private mutating func start(_ index: Int, at time: Int) {
        let isReached = installs[index].network == "ok" && server(for: index, at: time) == "primary"
        if clients[index].config != "none" {
            if installs[index].network != "none" { configurationFetches += 1 }
            installs[index].stored = isReached ? newest(for: index, at: time) : -1
        }
        launch(index)
    }

    private mutating func launch(_ index: Int) {
        (installs[index].token, installs[index].forced, installs[index].read) = (nil, nil, nil)
        (installs[index].delivered, installs[index].fetched) = (installs[index].stored, installs[index].stored)
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
            host.map({ refusal(of: $0, at: token.moment) == nil }) ?? true
        {
            return "SUCCESS"
        }
        if let host, let refusal = refusal(of: host, at: moment(at: time)) { return refusal }
        if install.network != "ok" { return install.network }
        let service = server(for: index, at: time)
        if account(at: time).modes[devices[index].id] == "blockAll" {
            if service == "primary" { deliver(index, at: time) }
            return "MITM_DETECTED"
        }
        guard let service else { return "NO_APPROOV_SERVICE" }
        let isRooted = devices[index].flags == "rooted"
        installs[index].token = Token(
            time: time, moment: moment(at: time), lifetime: isRooted ? 120 : 300, passed: !isRooted,
            isFailover: service == "failover",
            data: install.data, secret: account(at: time).secret, signing: signing(at: time))
        if service == "primary" { deliver(index, at: time) }
        return "SUCCESS"
    }

    private func signing(at time: Int) -> Int? {
        let signing = account(at: time).signing
        return signing.isOn ? signing.count : nil
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

    // R17.3, R17.4, R18.4: whether the app was launched anew.
    private mutating func react(_ index: Int, at time: Int) -> Bool {
        let (client, isForced) = (clients[index], isForced(index, at: time))
        let isChanged = max(installs[index].fetched, builtIn(index, at: time)) < installs[index].delivered
        if isChanged, client.config == "app" || client.reading == "config-change" {
            installs[index].fetched = installs[index].delivered
            if client.config != "none" { installs[index].stored = installs[index].delivered }
            configurationFetches += 1
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
            bind(index, to: data ?? value(of: index, at: time))
        } else {
            bindChanged(index, at: time)
        }
        var result = fetch(index, host, at: time)
        if react(index, at: time) { result = fetch(index, host, at: time) }
        let carries = result == "SUCCESS"
        guard
            carries || ["UNKNOWN_URL", "UNPROTECTED_URL", "NO_APPROOV_SERVICE"].contains(result) || client.sendsAlways
        else {
            return "not-sent"
        }
        // R21.4, M:3172: an old SDK has no such call.
        let asks = carries && !client.isSilent && devices[index].sdk != .old
        if asks { signatures += 1 }
        // R19.2: the plugin of 2018 sets none without a token.
        let setsPins = carries || !client.sendsAlways
        let sent = carries ? installs[index].token : nil
        return send(index, host, sent, boundTo: installs[index].data, isSigned: asks, setsPins: setsPins, at: time)
    }

    private mutating func send(
        _ index: Int, _ host: String, _ token: Token?, boundTo data: String?, isSigned: Bool, setsPins: Bool,
        at time: Int
    ) -> String {
        let client = clients[index]
        let hasStaticPins = host == "a.com" && !client.staticPins.isEmpty
        if client.reading == "connection", !hasStaticPins, setsPins { readPins(index) }
        if ["none", "poor"].contains(installs[index].network) { return "no-connection" }
        let backend = backends[host] ?? SmallBackend(chain: [host])
        let isProxied = installs[index].proxied == "all" || installs[index].proxied == host
        if isProxied, !installs[index].isTrusted { return blocked(index, at: time) }
        // R19.10.
        if !isProxied, !backend.answers { return "no-connection" }
        let chain = isProxied ? ["MITM"] : installs[index].isLocal ? backend.local ?? backend.chain : backend.chain
        // R18.5: whatever the pins say.
        let connects = devices[index].isCompromised || connects(index, host, setsPins, to: chain, at: time)
        if !connects { return blocked(index, at: time) }
        if isProxied { return "intercepted" }
        if !wantsTokens(host, at: time) { return "accepted" }
        guard let token, isToken(token, for: host) else { return "refused" }
        return accepts(token, boundTo: data, isSigned: isSigned, at: time) ? "accepted" : "refused"
    }

    // R18.4: newer pins are pending where they are newer than those of the app.
    private mutating func blocked(_ index: Int, at time: Int) -> String {
        if clients[index].relaunchesOnBlocked, let read = installs[index].read,
            max(read, builtIn(index, at: time)) < installs[index].delivered
        {
            launch(index)
        }
        return "blocked"
    }

    // R19.7.
    private func plain(_ index: Int, _ host: String, at time: Int) -> String {
        if ["none", "poor"].contains(installs[index].network) { return "no-connection" }
        if installs[index].proxied == "all" || installs[index].proxied == host { return "intercepted" }
        if backends[host]?.answers == false { return "no-connection" }
        return wantsTokens(host, at: time) ? "refused" : "accepted"
    }

    // R19.8.
    private mutating func steal(
        _ index: Int, _ host: String, _ token: Token?, _ data: String?, at time: Int
    ) -> String {
        guard let token else { return "not-sent" }
        let header = clients[index].hasHeader && data != "none" ? data ?? value(of: index, at: time) : nil
        return send(index, host, token, boundTo: header, isSigned: false, setsPins: true, at: time)
    }

    // MARK: Bound data (R19.1, R19.1a)

    private func value(of index: Int, at time: Int) -> String {
        let changes = installs[index].binding.map { (time - $0.since) / $0.every } ?? 0
        return devices[index].id + (changes == 0 ? "" : "/\(changes)")
    }

    private mutating func bind(_ index: Int, to value: String) {
        if installs[index].data != value { installs[index].token?.isOutdated = true }
        installs[index].data = value
    }

    private mutating func bindChanged(_ index: Int, at time: Int) {
        if installs[index].binding != nil { bind(index, to: value(of: index, at: time)) }
    }

    // R18.2, R18.3, R18.5.
    private func connects(
        _ index: Int, _ host: String, _ setsPins: Bool, to chain: [String], at time: Int
    ) -> Bool {
        let (install, client) = (installs[index], clients[index])
        if host == "a.com", !client.staticPins.isEmpty { return client.staticPins.contains(where: chain.contains) }
        if !setsPins { return !client.refusesUnpinned }
        let used = revisions[max(install.read ?? install.delivered, builtIn(index, at: time))]
        let mode = used.mode
        let (own, roots) = (used.domains[host], client.ignoresRoots ? [] : used.domains["*"] ?? [])
        var pins = own.map { $0.isEmpty ? roots : $0 } ?? roots
        if mode == "unpin" { pins = [] }
        if mode == "block", !pins.isEmpty { pins = ["no certificate"] }
        if mode == "blockAll", own != nil || !pins.isEmpty { pins = ["no certificate"] }
        return pins.isEmpty ? !client.refusesUnpinned : pins.contains(where: chain.contains)
    }

    // R14.1, R19.4: an attestation brings tokens for the domains that the account had by then, and none for those that get
    // none. So what another install has verifies nowhere else.
    private func isToken(_ token: Token, for host: String) -> Bool {
        accounts[..<token.moment.made].contains {
            $0.account.domains[host] != nil && !$0.account.pinOnly.contains(host)
        }
    }

    // R19.4.
    private func accepts(_ token: Token, boundTo data: String?, isSigned: Bool, at time: Int) -> Bool {
        guard token.passed, token.secret == account(at: time).secret, time < token.time + token.lifetime + 10
        else { return false }
        if token.isFailover { return true }
        guard token.data == nil || token.data == data else { return false }
        // R21.4: a token that names a key, to a backend that has one.
        guard let named = token.signing, let known = signing(at: time) else { return true }
        return isSigned && named == known
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

    /// The number of installs that had no request accepted since they were blocked.
    var stillBlocked: Int { installs.count { $0.blockedSince != nil } }
}
