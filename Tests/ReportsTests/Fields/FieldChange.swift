@testable import Accounts
@testable import PolicyEngine

/// A change of one field of an account, and a scenario that it may turn; worked out by hand from the rules.
struct FieldChange {
    let name: String
    /// The fields of the account, before and after.
    let before, after: String
    let devices, steps: String
    /// Further keys of the scenario, such as backends.
    var more = ""
    /// Another account of the scenario.
    var other: String?
    /// The device in a capture: its ID, flags and attributes.
    var device = FieldChange.device
    var flags = ""
    var attributes: [(key: String, value: String)] = []
    /// True if the expectations of the steps, which hold before, fail after.
    let turns: Bool

    /// The scenario under the account before, or after.
    func scenario(isChanged: Bool) -> String {
        let account = "{\(isChanged ? after : before)}"
        let accounts = other.map { "accounts: {own: \(account), other: {\($0)}}" } ?? "account: \(account)"
        return "scenario: s\n\(accounts)\n\(more)\ndevices: {\(devices)}\nsteps:\n\(steps)\n"
    }
}

/// The changes of a field and the text of its row.
struct FieldChanges: CustomStringConvertible {
    let description: String
    let changes: [FieldChange]

    init(_ name: String, _ changes: [FieldChange]) {
        (description, self.changes) = (name, changes)
    }

    /// Those of every key of an account file; a key without a change does not compile.
    static let ofAccounts = AccountKey.allCases.map { FieldChanges($0.rawValue, changes(of: $0)) }
    /// Those of every field of an entry, likewise.
    static let ofEntries =
        DeviceEntry.Field.allCases.map { FieldChanges("devices: \($0.rawValue)", [changes(of: $0)]) }
        + Registration.Field.allCases.map { FieldChanges("registrations: \($0.rawValue)", [changes(of: $0)]) }
        + APIDomain.Field.allCases.map { FieldChanges("apis: \($0.rawValue)", [changes(of: $0)]) }
        + AppSigningCertificate.Field.allCases.map {
            FieldChanges("app-signing-certs: \($0.rawValue)", [changes(of: $0)])
        }
}

// MARK: Steps

extension FieldChange {
    static let passes = "  - {at: 0s, fetch: all, expect: {verdict: pass}}"
    static let fails = "  - {at: 0s, fetch: all, expect: {verdict: fail}}"
    static let device = "AQEBAQEBAQEBAQEBAQEBAQ=="
    // By SHA-256 over ID, day and account it is sampled at 50 % for the account `one`, and not for `two`.
    static let sampled = "AAAAAAAAAAAAAAAAAAAAAA=="

    // A device without anything, which passes before and after.
    static func without(_ name: String, _ before: String, _ after: String) -> FieldChange {
        FieldChange(name: name, before: before, after: after, devices: "bob: {}", steps: passes, turns: false)
    }

    static func call(
        _ name: String, _ before: String, _ after: String, on devices: String = "bob: {}", _ steps: String
    ) -> FieldChange {
        FieldChange(name: name, before: before, after: after, devices: devices, steps: steps, turns: true)
    }
}

// MARK: Keys of an account

extension FieldChanges {
    private static let filtered =
        "rules: [alt], devices: [{id: ++FilteredSecPolicy++w==, policy: 'alt,blacklist,default'}]"

    static func changes(of key: AccountKey) -> [FieldChange] {
        switch key {
        case .account:
            [
                FieldChange(
                    name: "R7.6 sampled under one name", before: "account: two, sampling-percentage: 50, \(filtered)",
                    after: "account: one, sampling-percentage: 50, \(filtered)",
                    devices: "bob: {id: \(FieldChange.sampled)}", steps: FieldChange.passes,
                    device: FieldChange.sampled, turns: true)
            ]
        case .policy:
            [
                FieldChange(
                    name: "R4.1", before: "policy: 'default,default,default'",
                    after: "policy: 'default,allow-root,default'", devices: "bob: {flags: [rooted]}",
                    steps: FieldChange.fails, flags: "rooted", turns: true)
            ]
        case .rejectFlags:
            [
                FieldChange(
                    name: "R4.4", before: "policy: 'default,default,default'",
                    after: "reject-flags: {remove: [rooted]}",
                    devices: "bob: {flags: [rooted]}", steps: FieldChange.fails, flags: "rooted", turns: true)
            ]
        case .rules:
            [
                FieldChange(
                    name: "R3.2", before: "sampling-percentage: 100, rules: [other], \(filtered.dropFirst(14))",
                    after: "sampling-percentage: 100, \(filtered)", devices: "bob: {}", steps: FieldChange.passes,
                    turns: true)
            ]
        case .flags:
            [
                FieldChange(
                    name: "R2.2 a flag becomes a risk",
                    before: "flags: [{name: odd}], reject-flags: {add: [risky-device]}",
                    after: "flags: [{name: odd, risk: true}], reject-flags: {add: [risky-device]}",
                    devices: "bob: {flags: [odd]}", steps: FieldChange.passes, flags: "odd", turns: true)
            ]
        case .responseCodes: [.without("R12.4", "arc: on", "arc: off")]
        case .ipTracking: [.without("what tokens say", "ip-tracking: token", "ip-tracking: full")]
        case .audience: [.without("what tokens say", "audience: off", "audience: on")]
        case .issuer: [.without("what tokens say", "issuer: off", "issuer: on")]
        case .pinningTestURL:
            [
                .call(
                    "R18.7", "account: one", "pinning-test-url: 'https://test.example.com'",
                    on: "bob: {pinning: compromised}", FieldChange.passes)
            ]
        case .features:
            [
                .call(
                    "R21.1", "features: [secure-strings], secure-strings: {k: v}",
                    "features: [], secure-strings: {k: v}",
                    "  - {at: 0s, secure-string: {group: bob, key: k}, expect: {result: SUCCESS}}")
            ]
        case .secureStrings:
            [
                .call(
                    "R21.2", "features: [secure-strings], secure-strings: {k: v}", "features: [secure-strings]",
                    "  - {at: 0s, secure-string: {group: bob, key: k}, expect: {result: SUCCESS}}"),
                .call(
                    "R21.2 a key in other bytes", "features: [secure-strings], secure-strings: {\"\u{E9}\": v}",
                    "features: [secure-strings], secure-strings: {\"e\u{301}\": v}",
                    "  - {at: 0s, secure-string: {group: bob, key: \"\u{E9}\"}, expect: {result: SUCCESS}}"),
            ]
        case .developmentKey:
            [
                FieldChange(
                    name: "R21.5", before: "account: one", after: "dev-key: KEY",
                    devices: "bob: {dev-key: KEY, registered: false}", steps: FieldChange.fails,
                    flags: "app-not-registered", turns: true),
                FieldChange(
                    name: "R21.5 a key in other bytes", before: "dev-key: \"e\u{301}\"", after: "dev-key: \"\u{E9}\"",
                    devices: "bob: {dev-key: \"\u{E9}\", registered: false}", steps: FieldChange.fails,
                    flags: "app-not-registered", turns: true),
            ]
        case .samplingPercentage:
            [
                .call("R7.6", filtered, "sampling-percentage: 100, \(filtered)", FieldChange.passes)
            ]
        case .propagation:
            [
                .call(
                    "R1.5", "propagation: 0s", "propagation: 1h", on: "bob: {flags: [rooted]}",
                    """
                      - {at: 0s, approov: 'policy -set default,allow-root,default'}
                      - {at: 1m, fetch: all, expect: {verdict: pass}}
                    """)
            ]
        case .grace: [.without("R11.2 no token is used for as long", "grace: 10s", "grace: 0s")]
        case .billingDay: [.without("R13.2", "billing-day: 1", "billing-day: 2")]
        case .filters:
            [
                FieldChange(
                    name: "R7.5 reject", before: "account: one",
                    after: "filters: [{name: f, key: ip, match: 192.0.2.1, reject: true}]",
                    devices: "bob: {attributes: {ip: 192.0.2.1}}", steps: FieldChange.passes,
                    attributes: [("ip", "192.0.2.1")], turns: true),
                FieldChange(
                    name: "R7.2 a value in other bytes",
                    before: "filters: [{name: f, key: k, match: \"e\u{301}\", reject: true}]",
                    after: "filters: [{name: f, key: k, match: \"\u{E9}\", reject: true}]",
                    devices: "bob: {attributes: {k: \"\u{E9}\"}}", steps: FieldChange.passes,
                    attributes: [("k", "\u{E9}")], turns: true),
                FieldChange(
                    name: "R8.4 a ban that DeviceCheck marks",
                    before: "\(marking), filters: []",
                    after: "\(marking), filters: [{name: f, key: ip, match: 192.0.2.1, ban: true}]",
                    devices:
                        "bob: {os: ios, physical: phone, devicecheck: available, attributes: {ip: 192.0.2.1}}",
                    steps: """
                          - {at: 0s, fetch: bob}
                          - {at: 1h, reinstall: [bob]}
                          - {at: 2h, fetch: bob, expect: {verdict: pass}}
                        """, turns: true),
            ]
        case .devices:
            [
                FieldChange(
                    name: "R6.3", before: "account: one",
                    after: "devices: [{id: \(FieldChange.device), ban-mode: ban}]",
                    devices: "bob: {id: \(FieldChange.device)}", steps: FieldChange.passes, turns: true)
            ]
        case .team:
            [
                FieldChange(
                    name: "R8.10 another team's bits",
                    before: "team: A, devicecheck: {key-id: K, bits: bit0}",
                    after: "team: B, devicecheck: {key-id: K, bits: bit0}",
                    devices: """
                        bob: {account: own, os: ios, physical: phone, devicecheck: available}, \
                        amy: {account: other, os: ios, physical: phone, id: \(FieldChange.device)}
                        """,
                    steps: """
                          - {at: 0s, fetch: amy}
                          - {at: 1h, fetch: bob, expect: {verdict: pass}}
                        """,
                    other: """
                        propagation: 0s, team: B, devicecheck: {key-id: K, bits: bit0}, \
                        devices: [{id: \(FieldChange.device), ban-mode: ban}]
                        """, turns: true)
            ]
        case .deviceCheck:
            [
                .call(
                    "R8.4", "team: A", "team: A, devicecheck: {key-id: K, bits: bit0}",
                    on: "bob: {os: ios, devicecheck: {state: available, bits: 1, changed: 2019-12}}", FieldChange.passes
                )
            ]
        case .safetyNet:
            [
                .call(
                    "R9.2", "account: one", "safetynet: {api-key: K}",
                    on: "bob: {os: android, safetynet: fail-integrity}", FieldChange.passes)
            ]
        case .certificates:
            [
                .call(
                    "R9.2 a check of certificates", "safetynet: {api-key: K}, \(strictest)",
                    "safetynet: {api-key: K}, \(strictest), app-signing-certs: [\(certificate)]",
                    on: "bob: {os: android, safetynet: fail-cert}", FieldChange.passes)
            ]
        case .registrations:
            [
                FieldChange(
                    name: "R15.1", before: "registrations: [{app-sig: S, appid: com.app, app-version: '1'}]",
                    after: "registrations: []",
                    devices: "bob: {attributes: {app-sig: S, appid: com.app, app-version: '1'}}",
                    steps: FieldChange.passes,
                    attributes: [("app-sig", "S"), ("appid", "com.app"), ("app-version", "1")], turns: true)
            ]
        case .domains:
            [
                .call(
                    "R14.2a no list any more", "account: one", "apis: []",
                    "  - {at: 0s, fetch: all, domain: api.example.com, expect: {result: SUCCESS}}")
            ]
        case .users: [.without("R24.2", "account: one", "user-roles: []")]
        case .delegateAccounts: [.without("R24.4", "account: one", "delegate-accounts: [other.yaml]")]
        case .monitoring: [.without("R25.1", "account: one", "monitoring: {summary: daily}")]
        case .keys: [.without("the name of a file", "account: one", "keys: none.keys")]
        }
    }

    private static let marking =
        "team: A, devicecheck: {key-id: K, bits: bit0}, reject-flags: {add: [devicecheck-ban], remove: [did-ban]}"
    private static let strictest = "reject-flags: {add: [safetynet-fail-cert]}"
    static let certificate = "'00:11:22:33:44:55:66:77'"
}
