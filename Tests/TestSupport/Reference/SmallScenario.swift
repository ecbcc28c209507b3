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
        let entries = account.modes.sorted { $0.key < $1.key }.map { "{id: \($0.key), pin-mode: \($0.value)}" }
        var lines = [
            "scenario: small", "account:", "  propagation: \(account.propagation)s",
            "  apis: [\(apis.joined(separator: ", "))]", "  devices: [\(entries.joined(separator: ", "))]",
            "backends: {\(backends.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.yaml)" }.joined(separator: ", "))}",
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
    /// The domains without tokens.
    var pinOnly: Set<String> = []
    /// The pin modes of devices.
    var modes: [String: String] = [:]
    /// The message signing keys so far; the last one counts, where it is not given up.
    var signing = (count: 0, isOn: false)
    /// Counts the secrets so far.
    var secret = 0
}

struct SmallBackend {
    var chain: [String]
    /// Nothing where nothing is said of it.
    var wantsToken: Bool?
    var yaml: String {
        let token = wantsToken.map { ", token: \($0 ? "required" : "ignored")" } ?? ""
        return "{chain: [\(chain.joined(separator: ", "))]\(token)}"
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
    case network(String, state: String, only: String?, trusted: Bool)
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
        case .network(let name, let state, let only, let trusted):
            "network: {group: \(name), state: \(state)\(only.map { ", only: [\($0)]" } ?? "")"
                + "\(state == "mitm" ? ", trusted: \(trusted)" : "")}"
        case .outage(let kind, let until): "outage: \(kind), until: \(until)s"
        case .update(let name, let pins):
            "set: {group: \(name), client: {static-pins: {a.com: [\(SmallScenario.keys(pins))]}}}"
        }
    }
}
