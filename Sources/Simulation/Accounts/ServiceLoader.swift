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
        if let node = mapping.take("keys"), let path = reader.text(node, "`keys`") {
            account.keyFile = path
            KeyFile.load(path, at: node.position, into: &account, &reader)
        }
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
        for entry in reader.sequence(node, "`app-signing-certs`") ?? [] {
            guard let (certificate, position) = certificate(entry, &reader) else { continue }
            do throws(ServiceError) {
                try account.append(certificate)
            } catch {
                reader.error(error.description, at: position)
            }
        }
    }

    // A fingerprint, or a mapping that says more.
    private static func certificate(
        _ node: Node, _ reader: inout DocumentReader
    ) -> (AppSigningCertificate, SourcePosition)? {
        guard case .mapping = node.content else {
            let fingerprint = reader.text(node, "an entry of `app-signing-certs`")
            return fingerprint.map { (AppSigningCertificate(fingerprint: $0), node.position) }
        }
        guard var mapping = reader.mapping(node, "a certificate") else { return nil }
        let fingerprint = mapping.require("fingerprint", &reader)
        let text = fingerprint.flatMap { reader.text($0, "`fingerprint`") }
        let subject = mapping.take("subject").flatMap { reader.text($0, "`subject`") }
        let expiry = mapping.take("expiry").flatMap { reader.instant($0, "`expiry`") }
        mapping.finish(&reader)
        guard let text, let position = fingerprint?.position else { return nil }
        return (AppSigningCertificate(fingerprint: text, subject: subject, expiry: expiry), position)
    }

    private static func readDomains(_ node: Node, into account: inout Account, _ reader: inout DocumentReader) {
        guard let entries = reader.sequence(node, "`apis`") else { return }
        // R14.2a: an empty list is a list.
        account.listAPIDomains()
        for entry in entries {
            guard let (domain, position) = domain(entry, &reader) else { continue }
            do throws(ServiceError) {
                try account.append(domain)
            } catch {
                reader.error(error.description, at: position)
            }
        }
    }

    private static func domain(_ node: Node, _ reader: inout DocumentReader) -> (APIDomain, SourcePosition)? {
        guard var mapping = reader.mapping(node, "an API domain") else { return nil }
        let nameNode = mapping.require("domain", &reader)
        let type = mapping.take("type").flatMap {
            reader.choice($0, "`type`", from: APIDomain.Kind.allCases.map(\.rawValue)).flatMap(APIDomain.Kind.init)
        }
        let algorithm = mapping.take("alg").flatMap { reader.text($0, "`alg`") }
        let keyID = mapping.take("kid").flatMap { reader.text($0, "`kid`") }
        let pins = mapping.take("pins").map { self.pins($0, &reader) }
        let port = mapping.take("monitor-port").flatMap {
            reader.integer($0, "`monitor-port`", in: AccountLimits.ports)
        }
        mapping.finish(&reader)
        guard let nameNode, let name = reader.text(nameNode, "`domain`") else { return nil }
        let domain = APIDomain(
            name: name, type: type ?? .account, algorithm: algorithm, keyID: keyID, pins: pins ?? [],
            monitorPort: port)
        return (domain, nameNode.position)
    }

    private static func pins(_ node: Node, _ reader: inout DocumentReader) -> [String] {
        let (pins, limit) = (reader.texts(node, "`pins`") ?? [], AccountLimits.pinsPerDomain)
        if pins.count > limit {
            reader.error("\(pins.count) pins of one domain; there can be at most \(limit)", at: node.position)
        }
        return pins.map(\.text)
    }
}
