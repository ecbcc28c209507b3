internal import PolicyEngine

/// Reads what an account says of other services: DeviceCheck, SafetyNet, registrations, API domains and keys.
struct ServiceLoader {
    private(set) var deviceCheck: DeviceCheckSettings?
    private(set) var safetyNet: SafetyNetSettings?
    private(set) var certificates: [String] = []
    private(set) var listsRegistrations = false
    private(set) var apiDomains: [APIDomain] = []

    /// Reads them from the mapping of an account.
    static func load(_ mapping: inout DocumentMapping, _ reader: inout DocumentReader) -> ServiceLoader {
        var loader = ServiceLoader()
        loader.readDeviceCheck(mapping.take("devicecheck"), team: mapping.take("team"), &reader)
        if let node = mapping.take("safetynet") { loader.readSafetyNet(node, &reader) }
        if let node = mapping.take("app-signing-certs") { loader.readCertificates(node, &reader) }
        if let node = mapping.take("registrations") { loader.readRegistrations(node, &reader) }
        if let node = mapping.take("apis") { loader.readDomains(node, &reader) }
        if let node = mapping.take("keys") { _ = reader.text(node, "`keys`") }
        return loader
    }

    private mutating func readDeviceCheck(_ node: Node?, team: Node?, _ reader: inout DocumentReader) {
        guard node != nil || team != nil else { return }
        var settings = DeviceCheckSettings(teamID: team.flatMap { reader.text($0, "`team`") })
        defer { deviceCheck = settings }
        guard let node, var mapping = reader.mapping(node, "`devicecheck`") else { return }
        if let id = mapping.take("team-id"), let text = reader.text(id, "`team-id`") {
            if let other = settings.teamID, other != text {
                reader.error("`team-id` is \(text.quoted), but `team` is \(other.quoted)", at: id.position)
            }
            settings.teamID = text
        }
        settings.keyID = mapping.take("key-id").flatMap { reader.text($0, "`key-id`") }
        if let bits = mapping.take("bits"),
            let text = reader.choice(bits, "`bits`", from: DeviceCheckSettings.Bits.allCases.map(\.rawValue))
        {
            settings.bits = DeviceCheckSettings.Bits(rawValue: text) ?? settings.bits
        }
        if let expiry = mapping.take("expiry") {
            settings.expiry = reader.integer(expiry, "`expiry`", in: 1...1200) ?? settings.expiry
        }
        mapping.finish(&reader)
    }

    private mutating func readSafetyNet(_ node: Node, _ reader: inout DocumentReader) {
        guard var mapping = reader.mapping(node, "`safetynet`") else { return }
        let key = mapping.require("api-key", &reader).flatMap { reader.text($0, "`api-key`") }
        let quota = mapping.take("daily-quota").flatMap { reader.integer($0, "`daily-quota`", in: 0...1_000_000_000) }
        mapping.finish(&reader)
        guard let key else { return }
        safetyNet = SafetyNetSettings(apiKey: key, dailyQuota: quota ?? SafetyNetSettings.defaultDailyQuota)
    }

    private mutating func readCertificates(_ node: Node, _ reader: inout DocumentReader) {
        certificates = (reader.texts(node, "`app-signing-certs`") ?? []).map(\.text)
        check(certificates.count, AccountLimits.appSigningCertificates, "app signing certificates", node, &reader)
    }

    private mutating func readRegistrations(_ node: Node, _ reader: inout DocumentReader) {
        guard let entries = reader.sequence(node, "`registrations`") else { return }
        listsRegistrations = true
        check(entries.count, AccountLimits.registrations, "registrations", node, &reader)
        for entry in entries {
            guard var mapping = reader.mapping(entry, "a registration") else { continue }
            _ = mapping.require("app-sig", &reader).flatMap { reader.text($0, "`app-sig`") }
            for key in ["appid", "app-version", "sdk", "label"] {
                if let value = mapping.take(key) { _ = reader.text(value, key.quoted) }
            }
            for key in ["added", "expiry"] {
                if let value = mapping.take(key) { _ = reader.instant(value, key.quoted) }
            }
            mapping.finish(&reader)
        }
    }

    private mutating func readDomains(_ node: Node, _ reader: inout DocumentReader) {
        guard let entries = reader.sequence(node, "`apis`") else { return }
        check(entries.count, AccountLimits.apiDomains, "API domains", node, &reader)
        for entry in entries {
            guard var mapping = reader.mapping(entry, "an API domain") else { continue }
            let domain = mapping.require("domain", &reader)
            let type = mapping.take("type").flatMap {
                reader.choice($0, "`type`", from: APIDomain.Kind.allCases.map(\.rawValue)).flatMap(APIDomain.Kind.init)
            }
            if let domain, let text = reader.text(domain, "`domain`") {
                if apiDomains.contains(where: { $0.name == text }) {
                    reader.error("API domain \(text.quoted) is there already", at: domain.position)
                }
                apiDomains.append(APIDomain(name: text, type: type ?? .account))
            }
            for key in ["alg", "kid"] {
                if let value = mapping.take(key) { _ = reader.text(value, key.quoted) }
            }
            if let pins = mapping.take("pins") {
                let texts = reader.texts(pins, "`pins`") ?? []
                check(texts.count, AccountLimits.pinsPerDomain, "pins of one domain", pins, &reader)
            }
            if let port = mapping.take("monitor-port") { _ = reader.integer(port, "`monitor-port`", in: 1...65_535) }
            mapping.finish(&reader)
        }
    }

    private func check(_ count: Int, _ limit: Int, _ what: String, _ node: Node, _ reader: inout DocumentReader) {
        if count > limit { reader.error("\(count) \(what); there can be at most \(limit)", at: node.position) }
    }
}
