/// A small scenario of clients in words, from which its text and its outcome follow.
struct SmallScenario {
    var account = SmallAccount()
    /// By domain.
    var backends: [String: SmallBackend] = [:]
    var devices: [SmallDevice] = []
    var steps: [(time: Int, action: SmallAction)] = []

    /// As a file says it.
    var yaml: String {
        let apis = account.domains.sorted { $0.key < $1.key }.map {
            "{domain: '\($0.key)', pins: [\(Self.keys($0.value))]\(account.pinOnly.contains($0.key) ? ", type: pinOnly" : "")}"
        }
        // A host that nothing names is refused; one whose chain is called as it is presents what is usual.
        let named = Set(Self.hosts).reduce(into: backends) { $0[$1] = $0[$1] ?? SmallBackend(chain: [$1]) }
        let entries = account.modes.sorted { $0.key < $1.key }.map { "{id: \($0.key), pin-mode: \($0.value)}" }
        var lines = [
            "scenario: small", "account:", "  propagation: \(account.propagation)s",
            "  apis: [\(apis.joined(separator: ", "))]", "  devices: [\(entries.joined(separator: ", "))]",
            "backends: {\(named.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.yaml)" }.joined(separator: ", "))}",
            "devices:",
        ]
        lines += devices.map { device in
            let parts =
                ["id: \(device.id)", "flags: [\(device.flags)]", "client: {\(device.client.yaml)}"]
                + (device.sdk.map { ["attributes: {sdk-version: \($0.yaml)}"] } ?? [])
                + (device.isCompromised ? ["pinning: compromised"] : [])
            return "  \(device.name): {\(parts.joined(separator: ", "))}"
        }
        lines += ["steps:"] + steps.map { "  - {at: \($0.time)s, \($0.action.yaml)}" }
        return lines.joined(separator: "\n") + "\n"
    }

    static func keys(_ names: [String]) -> String { names.map { "key:\($0)" }.joined(separator: ", ") }
}

/// The account at the service.
struct SmallAccount {
    var propagation = 30
    /// The pins of each domain, by the names of their keys.
    var domains: [String: [String]] = [:]
    /// The leaves of the chains that domains present, where that is said; for commands that come.
    var leaves: [String: String] = [:]
    /// The domains whose backends do not answer, for commands that come.
    var silent: Set<String> = []
    /// The domains without tokens.
    var pinOnly: Set<String> = []
    /// The pin modes of devices.
    var modes: [String: String] = [:]
    /// The message signing keys so far; the last one counts, where it is not given up.
    var signing = (count: 0, isOn: false)
    /// Counts the secrets so far.
    var secret = 0

    mutating func note(_ backend: SmallBackend, of host: String) {
        leaves[host] = backend.chain[0]
        if backend.answers { silent.remove(host) } else { silent.insert(host) }
    }
}

struct SmallBackend {
    var chain: [String]
    /// Nothing where nothing is said of it.
    var wantsToken: Bool?
    /// The chain on the network where commands are given; its leaf is the same, so that domains can be added.
    var local: [String]?
    /// False if it does not answer.
    var answers = true
    var yaml: String {
        let local = local.map { ", local-chain: [\($0.joined(separator: ", "))]" } ?? ""
        let token = wantsToken.map { ", token: \($0 ? "required" : "ignored")" } ?? ""
        return "{chain: [\(chain.joined(separator: ", "))]\(token)\(local), answers: \(answers)}"
    }
}

/// A version of the SDK.
enum SmallSDK: String {
    case old = "2.4.10"
    case new = "2.10.0"
    var yaml: String { rawValue }
}

struct SmallDevice {
    let name: String
    let id: String
    /// `rooted`, which fails, or nothing.
    let flags: String
    var client: SmallClient
    /// Nothing where it does not say.
    var sdk: SmallSDK?
    var isCompromised = false
}

/// The settings of an app.
struct SmallClient {
    var builtIn: Int?
    var config = "auto"
    var reading = "connection"
    var relaunchesOnForce = false
    var relaunchesOnBlocked = false
    /// Of `a.com`; empty for none.
    var staticPins: [String] = []
    var refusesUnpinned = false
    var ignoresRoots = false
    var hasHeader = false
    var sendsAlways = false
    var isSilent = false

    var yaml: String {
        var parts = ["config: \(config)", "read-pins: \(reading)"]
        if let builtIn { parts.append("built-in: \(builtIn)s") }
        if relaunchesOnForce { parts.append("on-force: relaunch") }
        if relaunchesOnBlocked { parts.append("on-blocked: relaunch-if-pending") }
        if !staticPins.isEmpty { parts.append("static-pins: {a.com: [\(SmallScenario.keys(staticPins))]}") }
        if refusesUnpinned { parts.append("unpinned: refuse") }
        if ignoresRoots { parts.append("roots: ignored") }
        if hasHeader { parts.append("binding-header: H") }
        if isSilent { parts.append("sign-messages: false") }
        if sendsAlways { parts.append("on-failed-fetch: send") }
        return parts.joined(separator: ", ")
    }
}

/// The action of a step.
enum SmallAction {
    /// Of all devices; `data` is there where one of them has the header.
    case request(host: String, data: String?)
    case fetch
    case serve(String, SmallBackend)
    case addPin(String, domain: String)
    case removePin(String, domain: String)
    case force
    case addDomain(String, isPinOnly: Bool)
    case removeDomain(String)
    case pinMode(String, id: String)
    case changeSecret
    case changeSigning(on: Bool)
    case updateSDK(String, SmallSDK)
    case launch(String)
    /// Each of all devices launches once, at a time that is drawn.
    case spread(over: Int)
    /// The data that a device's tokens are bound to changes by itself.
    case binding(String, every: Int)
    /// All devices, by plain HTTP.
    case plain(host: String)
    /// All devices, with the token of one.
    case steal(host: String, from: String, data: String?)
    case reinstall(String)
    case network(String, state: String, only: String?, trusted: Bool, local: Bool)
    case retire(SmallSDK)
    case outage(String, until: Int)
    case update(String, staticPins: [String])

    var yaml: String {
        switch self {
        case .request(let host, let data): "request: all, to: \(host)\(data.map { ", data: \($0)" } ?? "")"
        case .fetch: "fetch: all"
        case .serve(let host, let backend): "serve: {\(host): \(backend.yaml)}"
        case .addPin(let key, let domain): "approov: \"pin -api '\(domain)' -add key:\(key)\""
        case .removePin(let key, let domain): "approov: \"pin -api '\(domain)' -remove key:\(key)\""
        case .force: "approov: pin -forceApplyPins"
        case .addDomain(let name, let isPinOnly): "approov: api -add \(name)\(isPinOnly ? " -pinOnly" : "")"
        case .removeDomain(let name): "approov: api -remove \(name)"
        case .pinMode(let mode, let id): "approov: device -add \(id) -pinMode \(mode)"
        case .changeSecret: "approov: secret -change"
        case .changeSigning(let isOn): "approov: secret -messageSigningKey \(isOn ? "change" : "clear")"
        case .updateSDK(let name, let sdk): "set: {group: \(name), attributes: {sdk-version: \(sdk.yaml)}}"
        case .launch(let name): "launch: \(name)"
        case .spread(let span): "launch: {group: all, over: \(span)s}"
        case .binding(let name, let every): "binding: {group: \(name), every: \(every)s}"
        case .plain(let host): "request: all, to: 'http://\(host)/'"
        case .steal(let host, let name, let data):
            "request: all, to: \(host), as: \(name)\(data.map { ", data: \($0)" } ?? "")"
        case .reinstall(let name): "reinstall: \(name)"
        case .retire(let sdk): "retire-sdk: \(sdk.yaml)"
        case .network(let name, let state, let only, let trusted, let local):
            "network: {group: \(name), state: \(state)\(only.map { ", only: [\($0)]" } ?? "")"
                + "\(state == "mitm" ? ", trusted: \(trusted)" : ""), local: \(local)}"
        case .outage(let kind, let until): "outage: \(kind), until: \(until)s"
        case .update(let name, let pins):
            "set: {group: \(name), client: {static-pins: {a.com: [\(SmallScenario.keys(pins))]}}}"
        }
    }
}

extension SmallScenario {
    private static let names = ["bob", "amy", "eve"]
    private static let ids = ["h4gubfCFzJu81j/U2BJsdg==", "DoYouReadThisText01234==", "w4mmGFZkpz5oPz6w6gl1Cw=="]
    private static let keys = ["A", "B", "CA"]
    private static let hosts = ["a.com", "a.com", "a.com", "b.com", "c.com"]

    /// A scenario by chance.
    init(seed: UInt64) {
        var chance = Chance(seed: seed)
        account.propagation = chance.pick([0, 30])
        account.domains["a.com"] = chance.some(of: Self.keys, 40)
        if chance.happens(70) { account.domains["b.com"] = chance.some(of: Self.keys, 30) }
        if account.domains["b.com"] != nil, chance.happens(30) { account.pinOnly = ["b.com"] }
        if chance.happens(30) { account.domains["*"] = chance.some(of: Self.keys, 50) }
        for host in ["a.com", "b.com"] where chance.happens(80) { backends[host] = Self.backend(&chance) }
        for number in 0...chance.below(3) {
            devices.append(
                SmallDevice(
                    name: Self.names[number], id: Self.ids[number], flags: chance.happens(15) ? "rooted" : "",
                    client: Self.client(&chance), sdk: chance.pick([nil, nil, .old, .new]),
                    isCompromised: chance.happens(15)))
            if chance.happens(15) { account.modes[Self.ids[number]] = Self.mode(&chance) }
        }
        // As commands will find it.
        var known = account
        for (host, backend) in backends { known.note(backend, of: host) }
        var time = 0
        for _ in 0..<(6 + chance.below(20)) {
            time += chance.pick([0, 0, 1, 15, 29, 30, 31, 60, 110, 120, 180, 299, 300])
            steps.append((time, action(&chance, &known, at: time)))
        }
        steps.append((time + 1, .request(host: "a.com", data: data(&chance))))
    }

    private static func backend(_ chance: inout Chance) -> SmallBackend {
        let chain = chance.pick([["A", "CA"], ["B", "CA"], ["A"], ["B", "OTHER"], ["OTHER"]])
        return SmallBackend(
            chain: chain, wantsToken: chance.pick([nil, nil, nil, true, false]),
            local: chance.pick([chain, [chain[0]], [chain[0], "CA"]]), answers: chance.happens(85))
    }

    private static func mode(_ chance: inout Chance) -> String {
        chance.pick(["pin", "unpin", "block", "blockAll"])
    }

    private static func client(_ chance: inout Chance) -> SmallClient {
        var client = SmallClient()
        if chance.happens(30) { client.builtIn = chance.pick([0, 30, 100, 300, 600]) }
        client.config = chance.pick(["auto", "auto", "app", "none"])
        client.reading = chance.pick(["connection", "config-change", "launch"])
        client.relaunchesOnForce = chance.happens(40)
        client.relaunchesOnBlocked = chance.happens(40)
        if chance.happens(20) { client.staticPins = [chance.pick(keys)] }
        client.refusesUnpinned = chance.happens(20)
        client.ignoresRoots = chance.happens(20)
        client.hasHeader = chance.happens(20)
        client.sendsAlways = chance.happens(20)
        client.isSilent = chance.happens(20)
        return client
    }

    // Only where a device binds tokens to a header may there be data.
    private func data(_ chance: inout Chance) -> String? {
        guard devices.contains(where: \.client.hasHeader) else { return nil }
        return chance.pick([nil, "none", "x", "x", "y"])
    }

    private func action(_ chance: inout Chance, _ known: inout SmallAccount, at time: Int) -> SmallAction {
        switch chance.below(24) {
        case 20: return .plain(host: chance.pick(Self.hosts))
        case 21: return .steal(host: chance.pick(Self.hosts), from: device(&chance).name, data: data(&chance))
        case 22: return .binding(device(&chance).name, every: chance.pick([1, 60, 179, 180]))
        case 23: return .spread(over: chance.pick([1, 30, 200]))
        case 0..<8: return .request(host: chance.pick(Self.hosts), data: data(&chance))
        case 8: return .fetch
        case 9, 10:
            let (host, backend) = (chance.pick(["a.com", "b.com"]), Self.backend(&chance))
            known.note(backend, of: host)
            return .serve(host, backend)
        case 11, 12, 13: return command(&chance, &known)
        case 14: return .launch(device(&chance).name)
        case 15: return .reinstall(device(&chance).name)
        case 16, 17:
            let only: String? = chance.pick([nil, "a.com", "b.com"])
            let state = chance.pick(["ok", "ok", "none", "poor", "mitm", "mitm"])
            return .network(
                device(&chance).name, state: state, only: state == "mitm" ? only : nil, trusted: chance.happens(60),
                local: chance.happens(30))
        case 18: return .outage(chance.pick(["primary", "failover", "all"]), until: time + chance.pick([30, 90, 400]))
        case 19 where chance.happens(20): return .retire(chance.pick([.old, .new]))
        case 19 where chance.happens(30): return .updateSDK(device(&chance).name, chance.pick([.old, .new]))
        default: return .update(device(&chance).name, staticPins: [chance.pick(Self.keys)])
        }
    }

    private func device(_ chance: inout Chance) -> SmallDevice { chance.pick(devices) }

    // One that the account takes.
    private func command(_ chance: inout Chance, _ known: inout SmallAccount) -> SmallAction {
        let domain = chance.pick(known.domains.keys.sorted())
        let pins = known.domains[domain] ?? []
        switch chance.below(9) {
        case 0, 1, 2:
            guard let key = Self.keys.first(where: { !pins.contains($0) }) else { return .force }
            known.domains[domain] = pins + [key]
            return .addPin(key, domain: domain)
        case 3:
            guard let key = pins.first else { return .force }
            known.domains[domain] = Array(pins.dropFirst())
            return .removePin(key, domain: domain)
        case 4:
            if known.domains["b.com"] == nil {
                // R19.10: no pin is found there.
                if known.silent.contains("b.com") { return .force }
                known.domains["b.com"] = [known.leaves["b.com"] ?? "b.com"]
                return .addDomain("b.com", isPinOnly: chance.happens(30))
            }
            known.domains["b.com"] = nil
            return .removeDomain("b.com")
        case 5:
            let (id, mode) = (device(&chance).id, Self.mode(&chance))
            known.modes[id] = mode
            return .pinMode(mode, id: id)
        case 6: return .changeSecret
        case 7:
            known.signing.isOn = !known.signing.isOn || chance.happens(50)
            return .changeSigning(on: known.signing.isOn)
        default: return .force
        }
    }
}
