internal import PolicyEngine

/// Reads what an account says of other services: DeviceCheck, SafetyNet, API domains and keys; and of apps.
enum ServiceLoader {
    /// Reads them from the mapping of an account.
    static func load(_ mapping: inout DocumentMapping, into account: inout Account, _ reader: inout DocumentReader) {
        account.deviceCheck = deviceCheck(mapping.take("devicecheck"), team: mapping.take("team"), &reader)
        if let node = mapping.take("safetynet") { account.safetyNet = safetyNet(node, &reader) }
        if let node = mapping.take("app-signing-certs") { readCertificates(node, into: &account, &reader) }
        if let node = mapping.take("registrations") { RegistrationLoader.load(node, into: &account, &reader) }
        if let node = mapping.take("apis") { readDomains(node, into: &account, &reader) }
        if let node = mapping.take("keys") { _ = reader.text(node, "`keys`") }
    }

    private static func deviceCheck(
        _ node: Node?, team: Node?, _ reader: inout DocumentReader
    ) -> DeviceCheckSettings? {
        guard node != nil || team != nil else { return nil }
        var settings = DeviceCheckSettings(teamID: team.flatMap { reader.text($0, "`team`") })
        guard let node, var mapping = reader.mapping(node, "`devicecheck`") else { return settings }
        if let id = mapping.take("team-id"), let text = reader.text(id, "`team-id`") {
            if let other = settings.teamID, other != text {
                reader.error("`team-id` is \(text.quoted), but `team` is \(other.quoted)", at: id.position)
            }
            settings.teamID = text
        }
        let keyID = mapping.take("key-id")
        settings.keyID = keyID.flatMap { reader.text($0, "`key-id`") }
        if let bits = mapping.take("bits"),
            let text = reader.choice(bits, "`bits`", from: DeviceCheckSettings.Bits.allCases.map(\.rawValue))
        {
            settings.bits = DeviceCheckSettings.Bits(rawValue: text) ?? settings.bits
        }
        if let expiry = mapping.take("expiry") {
            settings.expiry =
                reader.integer(expiry, "`expiry`", in: AccountLimits.deviceCheckExpiry) ?? settings.expiry
        }
        mapping.finish(&reader)
        if keyID == nil {
            reader.warning("`devicecheck` without `key-id` is off until a key is added", at: node.position)
        }
        return settings
    }

    private static func safetyNet(_ node: Node, _ reader: inout DocumentReader) -> SafetyNetSettings? {
        guard var mapping = reader.mapping(node, "`safetynet`") else { return nil }
        let keyNode = mapping.take("api-key")
        let key = keyNode.flatMap { reader.text($0, "`api-key`") }
        let quota = mapping.take("daily-quota").flatMap { reader.integer($0, "`daily-quota`", in: 0...1_000_000_000) }
        mapping.finish(&reader)
        if keyNode == nil {
            reader.warning("`safetynet` without `api-key` is off until a key is set", at: node.position)
        }
        return SafetyNetSettings(apiKey: key, dailyQuota: quota ?? SafetyNetSettings.defaultDailyQuota)
    }

    private static func readCertificates(_ node: Node, into account: inout Account, _ reader: inout DocumentReader) {
        for (text, position) in reader.texts(node, "`app-signing-certs`") ?? [] {
            do throws(ServiceError) {
                try account.addAppSigningCertificate(text)
            } catch {
                reader.error(error.description, at: position)
            }
        }
    }

    private static func readDomains(_ node: Node, into account: inout Account, _ reader: inout DocumentReader) {
        for entry in reader.sequence(node, "`apis`") ?? [] {
            guard var mapping = reader.mapping(entry, "an API domain") else { continue }
            let domain = mapping.require("domain", &reader)
            let type = mapping.take("type").flatMap {
                reader.choice($0, "`type`", from: APIDomain.Kind.allCases.map(\.rawValue)).flatMap(APIDomain.Kind.init)
            }
            checkDomainOptions(&mapping, &reader)
            mapping.finish(&reader)
            guard let domain, let name = reader.text(domain, "`domain`") else { continue }
            do throws(ServiceError) {
                try account.append(APIDomain(name: name, type: type ?? .account))
            } catch {
                reader.error(error.description, at: domain.position)
            }
        }
    }

    // What bears on the tokens themselves, and not on whether there is one.
    private static func checkDomainOptions(_ mapping: inout DocumentMapping, _ reader: inout DocumentReader) {
        for key in ["alg", "kid"] {
            if let value = mapping.take(key) { _ = reader.text(value, key.quoted) }
        }
        if let pins = mapping.take("pins") {
            let (count, limit) = ((reader.texts(pins, "`pins`") ?? []).count, AccountLimits.pinsPerDomain)
            if count > limit {
                reader.error("\(count) pins of one domain; there can be at most \(limit)", at: pins.position)
            }
        }
        if let port = mapping.take("monitor-port") { _ = reader.integer(port, "`monitor-port`", in: 1...65_535) }
    }
}
