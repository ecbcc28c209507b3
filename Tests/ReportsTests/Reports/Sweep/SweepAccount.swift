@testable import TestSupport

/// An account of a random scenario, in words.
struct SweepAccount: Hashable, Sendable {
    /// Its name in the scenario; nothing where the scenario has one account.
    var label: String?
    /// Policies, filters, entries, sampling, propagation and grace.
    var core: ReferenceAccount
    var hasResponseCodes = true
    var billingDay = 1
    /// True if it has a URL for the pinning test.
    var testsPinning = false
    /// By device ID; only of devices with entries.
    var pinModes: [String: String] = [:]
    var team: String?
    var hasDeviceCheckKey = false
    var deviceCheck = ReferenceDeviceCheck(bits: "none")
    var safetyNetKey: String?
    var dailyQuota = 10_000
    var certificates: [String] = []
    /// Nothing where the account lists none.
    var registrations: [ReferenceRegistration]?
    /// Nothing where the account says nothing of domains (R14.2a).
    var domains: [SweepDomain]?

    /// The account as a part of a scenario file.
    var yaml: String {
        var lines = [
            "account: \(core.name.inQuotes)", "policy: \(core.policy.uneditedText)",
            "rules: \(ReferenceAccount.declaredRules.list)", "arc: \(hasResponseCodes ? "on" : "off")",
            "sampling-percentage: \(core.sampledThousandths.percent)", "propagation: \(core.propagation)s",
            "grace: \(core.grace)s", "billing-day: \(billingDay)",
        ]
        if !core.policy.edits.isEmpty {
            let (added, removed) = (core.policy.edits.filter(\.adds), core.policy.edits.filter { !$0.adds })
            lines.append("reject-flags: {add: \(added.map(\.flag).list), remove: \(removed.map(\.flag).list)}")
        }
        lines.append("flags: [\(core.flags.map { "{name: \($0.name), risk: \($0.isRisk)}" }.joined(separator: ", "))]")
        lines.append("filters: [\(core.filters.map(\.yaml).joined(separator: ", "))]")
        lines.append("devices: [\(core.devices.map(entry).joined(separator: ", "))]")
        return (lines + services).joined(separator: "\n")
    }

    private var services: [String] {
        var lines: [String] = []
        if hasDeviceCheckKey, let team {
            let settings = "bits: \(deviceCheck.bits), expiry: \(deviceCheck.expiry)"
            lines.append("devicecheck: {team-id: \(team), key-id: KEY, \(settings)}")
        } else if let team {
            lines.append("team: \(team)")
        }
        if let safetyNetKey { lines.append("safetynet: {api-key: \(safetyNetKey), daily-quota: \(dailyQuota)}") }
        lines.append("app-signing-certs: \(certificates.list)")
        if testsPinning { lines.append("pinning-test-url: 'https://api.one.com:8443'") }
        if let registrations {
            lines.append("registrations: [\(registrations.map(\.yaml).joined(separator: ", "))]")
        }
        if let domains { lines.append("apis: [\(domains.map(\.yaml).joined(separator: ", "))]") }
        return lines
    }

    private func entry(_ entry: ReferenceDevice) -> String {
        var parts = ["id: \(entry.device.inQuotes)"]
        if let policy = entry.policy { parts.append("policy: \(policy.text.inQuotes)") }
        if let mode = entry.banMode { parts.append("ban-mode: \(mode)") }
        if let mode = pinModes[entry.device] { parts.append("pin-mode: \(mode)") }
        return "{\(parts.joined(separator: ", "))}"
    }
}

/// An API domain in words.
struct SweepDomain: Hashable, Sendable {
    let name: String
    var isPinOnly = false

    fileprivate var yaml: String { "{domain: \(name), type: \(isPinOnly ? "pinOnly" : "account")}" }
}

extension ReferencePolicy {
    /// The policy as it is set, before flags are added and removed by hand.
    var uneditedText: String { "\(rules),\(preset),\(annotation)" }
}

extension ReferenceRegistration {
    fileprivate var yaml: String {
        var parts = ["app-sig: \(signature.inQuotes)"]
        if let package { parts.append("appid: \(package)") }
        if let version { parts.append("app-version: \(version.inQuotes)") }
        if let library { parts.append("library-id: \(library.inQuotes)") }
        if let sdk { parts.append("sdk: \(sdk.inQuotes)") }
        if isBundle { parts.append("bundle: true") }
        if let expiry { parts.append("expires: \(expiry)") }
        return "{\(parts.joined(separator: ", "))}"
    }
}

extension ReferenceFilter {
    fileprivate var yaml: String {
        let chosen = Option.allCases.filter(options.contains).map { "\($0.key): true" }
        return "{\((["name: \(name)", test.yaml] + chosen).joined(separator: ", "))}"
    }

    /// The command that adds it, or replaces the one of this name.
    var command: String {
        let chosen = Option.allCases.filter(options.contains).map { "-\($0.word)" }
        return (["filter -add \(name)", test.words] + chosen).joined(separator: " ")
    }
}

extension ReferenceFilter.Test {
    fileprivate var yaml: String {
        switch self {
        case .exact(let key, let value): "key: \(key), match: \(value.inQuotes)"
        case .regex(let key, let pattern): "key: \(key), regex: '\(pattern.source)'"
        case .conjunction(let inputs): "conjunction: \(inputs.list)"
        }
    }

    fileprivate var words: String {
        switch self {
        case .exact(let key, let value): "-key \(key) -matchValue '\(value)'"
        case .regex(let key, let pattern): "-key \(key) -matchValue '\(pattern.source)' -regex"
        case .conjunction(let inputs): "-conjunction \(inputs.joined(separator: "+"))"
        }
    }
}

extension ReferenceFilter.Option {
    fileprivate var key: String {
        switch self {
        case .newDevicesOnly: "new-did-only"
        case .capture: "capture-device-info"
        case .reject: "reject"
        case .ban: "ban"
        case .risky: "risky"
        case .executesFilteredPolicy: "exec-filtered-sec-policy"
        }
    }

    fileprivate var word: String {
        switch self {
        case .newDevicesOnly: "newDIDOnly"
        case .capture: "captureDeviceInfo"
        case .executesFilteredPolicy: "execFilteredSecPolicy"
        default: key
        }
    }
}

extension String {
    /// The text between double quotes; it holds neither quotes nor backslashes.
    var inQuotes: String { "\"\(self)\"" }
}

extension [String] {
    /// A list in YAML.
    var list: String { "[\(map(\.inQuotes).joined(separator: ", "))]" }
}

extension Int {
    /// Thousandths of a percent, written as a number of percent.
    var percent: String { "\(self / 1000).\(String(self % 1000 + 1000).dropFirst())" }
}
