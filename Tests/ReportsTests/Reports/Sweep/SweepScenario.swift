import PolicyEngine

@testable import TestSupport

/// A random scenario, in words.
struct SweepScenario: Sendable {
    var seed: UInt64
    var start: Instant
    var accounts: [SweepAccount]
    var groups: [SweepGroup] = []
    /// In time order.
    var steps: [SweepStep] = []

    /// The scenario file.
    var yaml: String {
        var text = "scenario: Sweep \(seed)\nseed: \(seed)\nstart: \(start)\n"
        if let account = accounts.first, accounts.count == 1 {
            text += "account:\n\(account.yaml.indented)\n"
        } else {
            let parts = accounts.map { "  \($0.label ?? ""):\n\($0.yaml.indented.indented)\n" }
            text += "accounts:\n\(parts.joined())"
        }
        text += "devices:\n" + groups.map { "  \($0.name): \($0.yaml(in: accounts))\n" }.joined()
        return text + (steps.isEmpty ? "" : "steps:\n") + steps.map { "  - \($0.yaml(in: self))\n" }.joined()
    }
}

/// A group of devices in words.
struct SweepGroup: Hashable, Sendable {
    var name: String
    var account = 0
    var count = 1
    var id: String?
    /// `ios`, `android`, or nothing where the `device` attribute says.
    var system: String?
    var flags: [String] = []
    /// Percent by flag.
    var rates: [String: Int] = [:]
    /// Texts, for `ip` also a block of addresses; several texts are chosen from with equal shares.
    var attributes: [String: [String]] = [:]
    var isRegistered = true
    /// True if somebody has switched its pinning off.
    var isCompromised = false
    /// The name of hardware that it shares with other groups.
    var hardware: String?
    var capability: String?
    /// Apple's bits at the start.
    var bits: ReferenceBits?
    var outcome: String?

    fileprivate func yaml(in accounts: [SweepAccount]) -> String {
        var parts = ["count: \(count)"]
        if let label = accounts[account].label { parts.append("account: \(label)") }
        if let id { parts.append("id: \(id.inQuotes)") }
        if let system { parts.append("os: \(system)") }
        parts.append("flags: \(flags.list)")
        let rates = rates.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)%" }
        parts.append("flag-rates: {\(rates.joined(separator: ", "))}")
        parts.append("attributes: \(Self.yaml(of: attributes))")
        if !isRegistered { parts.append("registered: false") }
        if isCompromised { parts.append("pinning: compromised") }
        if let hardware { parts.append("physical: \(hardware)") }
        if let capability {
            let setting = bits.map { "{state: \(capability), bits: \($0.count), changed: \($0.monthText)}" }
            parts.append("devicecheck: \(setting ?? capability)")
        }
        if let outcome { parts.append("safetynet: \(outcome)") }
        return "{\(parts.joined(separator: ", "))}"
    }

    fileprivate static func yaml(of attributes: [String: [String]]) -> String {
        let parts = attributes.sorted { $0.key < $1.key }.map { key, texts in
            if texts.count == 1 { return "\(key): \(texts[0].inQuotes)" }
            let shares = texts.enumerated().map { "\($1.inQuotes): \($0 == 0 ? 100 - 30 * (texts.count - 1) : 30)%" }
            return "\(key): {choose: {\(shares.joined(separator: ", "))}}"
        }
        return "{\(parts.joined(separator: ", "))}"
    }
}

/// A step in words; groups by their number.
struct SweepStep: Hashable, Sendable {
    /// Seconds from the start.
    var time: Int
    var action: SweepAction
    var every: Int?
    var until: Int?

    /// The times at which it happens, in seconds from the start.
    var times: [Int] {
        guard let every, let until else { return [time] }
        return Array(stride(from: time, through: until, by: every))
    }

    fileprivate func yaml(in scenario: SweepScenario) -> String {
        let names = { (groups: [Int]) in "[\(groups.map { scenario.groups[$0].name }.joined(separator: ", "))]" }
        var text = "{at: \(time)s, "
        switch action {
        case .fetch(let groups, let domain):
            text += "fetch: \(names(groups))\(domain.map { ", domain: \($0.inQuotes)" } ?? "")"
        case .command(let command, let account):
            let label = scenario.accounts[account].label.map { ", account: \($0)" } ?? ""
            text += "approov: \(command.line.quotedInYAML)\(label)"
        case .set(let group, let change): text += "set: \(change.yaml(of: scenario.groups[group].name))"
        case .launch(let groups): text += "launch: \(names(groups))"
        case .spread(let groups, let span): text += "launch: {group: \(names(groups)), over: \(span)s}"
        case .binding(let groups, let every): text += "binding: {group: \(names(groups)), every: \(every)s}"
        case .reinstall(let groups, let keepsID): text += "reinstall: {group: \(names(groups)), keep-id: \(keepsID)}"
        case .factoryReset(let groups): text += "factory-reset: \(names(groups))"
        case .bind(let group, let data): text += "bind: {group: \(scenario.groups[group].name), data: \(data)}"
        case .network(let groups, let state): text += "network: {group: \(names(groups)), state: \(state)}"
        case .outage(let end): text += "outage: primary\(end.map { ", until: \($0)s" } ?? "")"
        }
        if let every, let until { text += ", every: \(every)s, until: \(until)s" }
        return text + "}"
    }
}

/// The action of a step.
enum SweepAction: Hashable, Sendable {
    case fetch([Int], domain: String?)
    case command(SweepCommand, account: Int)
    case set(Int, SweepChange)
    case launch([Int])
    /// Each install launches once within some seconds.
    case spread([Int], over: Int)
    /// The data that tokens are bound to changes by itself.
    case binding([Int], every: Int)
    case reinstall([Int], keepsID: Bool)
    case factoryReset([Int])
    case bind(Int, String)
    case network([Int], String)
    case outage(until: Int?)
}

/// The changes of a group's devices; a value that is not given stays.
struct SweepChange: Hashable, Sendable {
    var flags: [String]?
    var attributes: [String: String] = [:]
    var capability: String?
    var outcome: String?
    var isRegistered: Bool?

    fileprivate func yaml(of group: String) -> String {
        var parts = ["group: \(group)"]
        if let flags { parts.append("flags: \(flags.list)") }
        parts.append("attributes: \(SweepGroup.yaml(of: attributes.mapValues { [$0] }))")
        if let capability { parts.append("devicecheck: \(capability)") }
        if let outcome { parts.append("safetynet: \(outcome)") }
        if let isRegistered { parts.append("registered: \(isRegistered)") }
        return "{\(parts.joined(separator: ", "))}"
    }
}

extension ReferenceBits {
    /// The month as scenarios write it.
    fileprivate var monthText: String { String(description.split(separator: " ")[2]) }
}

extension String {
    fileprivate var indented: String { split(separator: "\n").map { "  \($0)" }.joined(separator: "\n") }

    /// Between single quotes, as YAML wants it: nothing but they themselves are special.
    fileprivate var quotedInYAML: String { "'\(replacing("'", with: "''"))'" }
}
