@testable import PolicyEngine

// MARK: Fields of entries

extension FieldChanges {
    static func changes(of field: DeviceEntry.Field) -> FieldChange {
        func entry(_ before: String, _ after: String, _ steps: String = FieldChange.passes, turns: Bool) -> FieldChange
        {
            FieldChange(
                name: field.rawValue, before: "devices: [{id: \(FieldChange.device)\(before)}]",
                after: "devices: [{id: \(FieldChange.device)\(after)}]", devices: "bob: {id: \(FieldChange.device)}",
                steps: steps, turns: turns)
        }
        return switch field {
        case .id:
            FieldChange(
                name: "R6.1", before: "devices: [{id: AAAAAAAAAAAAAAAAAAAAAA==, policy: 'default,blacklist,default'}]",
                after: "devices: [{id: \(FieldChange.device), policy: 'default,blacklist,default'}]",
                devices: "bob: {id: \(FieldChange.device)}", steps: FieldChange.passes, turns: true)
        case .policy: entry("", ", policy: 'default,blacklist,default'", turns: true)
        case .label: entry(", label: a", ", label: b", turns: false)
        case .user: entry(", user: a", ", user: b", turns: false)
        case .pinMode:
            entry("", ", pin-mode: blockAll", "  - {at: 0s, fetch: all, expect: {result: SUCCESS}}", turns: true)
        case .banMode: entry("", ", ban-mode: ban", turns: true)
        case .probeURL: entry("", ", probe-url: 'https://a.example.com'", turns: false)
        }
    }

    static func changes(of field: Registration.Field) -> FieldChange {
        func app(
            _ before: String, _ after: String, _ attributes: String = "", device: String = "", turns: Bool = true
        ) -> FieldChange {
            FieldChange(
                name: field.rawValue, before: "registrations: [{\(before)}]", after: "registrations: [{\(after)}]",
                devices: "bob: {\(device)attributes: {app-sig: S, appid: com.app, app-version: '1'\(attributes)}}",
                steps: FieldChange.passes,
                attributes: [("app-sig", "S"), ("appid", "com.app"), ("app-version", "1")], turns: turns)
        }
        let known = "app-sig: S, appid: com.app, app-version: '1'"
        return switch field {
        case .signature: app(known, "app-sig: T, appid: com.app, app-version: '1'")
        case .package:
            FieldChange(
                name: "R15.1 in other bytes",
                before: "registrations: [{app-sig: S, appid: \"\u{E9}\", app-version: '1'}]",
                after: "registrations: [{app-sig: S, appid: \"e\u{301}\", app-version: '1'}]",
                devices: "bob: {attributes: {app-sig: S, appid: \"\u{E9}\", app-version: '1'}}",
                steps: FieldChange.passes,
                attributes: [("app-sig", "S"), ("appid", "\u{E9}"), ("app-version", "1")], turns: true)
        case .version: app(known, "app-sig: S, appid: com.app, app-version: '2'")
        case .versionName: app("\(known), version-name: a", "\(known), version-name: b", turns: false)
        case .sdk:
            app(
                "app-sig: S, appid: com.app, sdk: iOS(2.5.0)", "app-sig: S, appid: com.app, sdk: Android(2.6.0)",
                device: "os: android, ")
        case .libraryID: app("\(known), library-id: '1'", "\(known), library-id: '2'", ", sdkid: '1'")
        case .bundle: app(known, "\(known), bundle: true")
        case .label: app("\(known), label: a", "\(known), label: b", turns: false)
        case .added: app(known, "\(known), added: 2019-01-01T00:00:00Z", turns: false)
        case .expires: app(known, "\(known), expires: 2019-01-01T00:00:00Z")
        case .addedBy: app("\(known), added-by: admin", "\(known), added-by: dev", turns: false)
        case .clonedFrom: app(known, "\(known), cloned-from: other", turns: false)
        }
    }

    static func changes(of field: APIDomain.Field) -> FieldChange {
        func domain(_ before: String, _ after: String, _ steps: String, turns: Bool) -> FieldChange {
            FieldChange(
                name: field.rawValue, before: "apis: [{\(before)}]", after: "apis: [{\(after)}]", devices: "bob: {}",
                steps: steps, more: "backends: {api.example.com: {chain: [LEAF, CA]}}", turns: turns)
        }
        let known = "domain: api.example.com"
        let fetch = "  - {at: 0s, fetch: all, domain: api.example.com, expect: {result: SUCCESS}}"
        let request = "  - {at: 0s, request: all, to: api.example.com, expect: {accepted: 1}}"
        return switch field {
        case .domain: domain(known, "domain: other.example.com", fetch, turns: true)
        case .type: domain(known, "\(known), type: pinOnly", fetch, turns: true)
        case .algorithm: domain(known, "\(known), alg: A256GCMKW", fetch, turns: false)
        case .keyID: domain(known, "\(known), kid: K", fetch, turns: false)
        case .pins: domain("\(known), pins: ['key:LEAF']", "\(known), pins: ['key:OTHER']", request, turns: true)
        case .monitorPort: domain(known, "\(known), monitor-port: 443", request, turns: false)
        }
    }

    static func changes(of field: AppSigningCertificate.Field) -> FieldChange {
        func signed(_ before: String, _ after: String, turns: Bool) -> FieldChange {
            let registered = "registrations: [{app-sig: S, appid: com.app, app-version: '1', bundle: true}]"
            return FieldChange(
                name: field.rawValue, before: "\(registered), app-signing-certs: [\(before)]",
                after: "\(registered), app-signing-certs: [\(after)]",
                devices: """
                    bob: {os: android, \
                    attributes: {app-id-sig: S, appid: com.app, app-version: '1', app-cert: \(certificate)}}
                    """,
                steps: FieldChange.passes, turns: turns)
        }
        let known = "fingerprint: \(certificate)"
        return switch field {
        case .fingerprint: signed("{\(known)}", "{fingerprint: '00:11:22:33:44:55:66:88'}", turns: true)
        case .subject: signed("{\(known), subject: CN=A}", "{\(known), subject: CN=B}", turns: false)
        case .expiry: signed("{\(known)}", "{\(known), expiry: 2041-05-21T00:00:00Z}", turns: false)
        }
    }
}
