internal import Accounts
internal import Documents
internal import PolicyEngine

/// Reads how an app uses the SDK and makes its connections: `client` of a group (R17–R19).
enum ClientLoader {
    /// Reads it.
    ///
    /// - Parameters:
    ///   - node: The node that describes it.
    ///   - before: The value where nothing is said.
    ///   - start: The scenario's start, from which a duration counts.
    ///   - reader: Gets what is wrong.
    static func load(
        _ node: Node, from before: ClientSettings = ClientSettings(), start: Instant, _ reader: inout DocumentReader
    ) -> ClientSettings {
        var client = before
        guard var fields = reader.mapping(node, "`client`") else { return client }
        if let node = fields.take("built-in") { client.builtIn = builtIn(node, start: start, &reader) }
        if let node = fields.take("config") { client.handling = reader.word(node, "`config`") ?? client.handling }
        if let node = fields.take("read-pins") { client.reading = reader.word(node, "`read-pins`") ?? client.reading }
        read("on-force", "relaunch", "ignore", into: &client.relaunchesOnForce, &fields, &reader)
        read("on-blocked", "relaunch-if-pending", "nothing", into: &client.relaunchesOnBlocked, &fields, &reader)
        if let node = fields.take("static-pins") { client.staticPins = staticPins(node, &reader) }
        read("unpinned", "accept", "refuse", into: &client.acceptsUnpinned, &fields, &reader)
        read("roots", "used", "ignored", into: &client.usesRoots, &fields, &reader)
        if let node = fields.take("binding-header") { client.bindingHeader = reader.text(node, "`binding-header`") }
        read("on-failed-fetch", "send", "stop", into: &client.sendsOnFailedFetch, &fields, &reader)
        if let node = fields.take("sign-messages") {
            client.signsMessages = reader.boolean(node, "`sign-messages`") ?? true
        }
        fields.finish(&reader)
        return client
    }

    // Reads one of two words under a key; the first one means true.
    private static func read(
        _ key: String, _ yes: String, _ no: String, into setting: inout Bool, _ fields: inout DocumentMapping,
        _ reader: inout DocumentReader
    ) {
        guard let node = fields.take(key), let word = reader.choice(node, key.quoted, from: [yes, no]) else { return }
        setting = word == yes
    }

    // An instant, or a time from the start as in steps.
    private static func builtIn(_ node: Node, start: Instant, _ reader: inout DocumentReader) -> Instant? {
        guard let text = reader.text(node, "`built-in`") else { return nil }
        if let instant = Instant(rfc3339: text) { return instant }
        return reader.duration(node, "`built-in`").map { start + $0 }
    }

    private static func staticPins(_ node: Node, _ reader: inout DocumentReader) -> [String: [String]] {
        var pins: [String: [String]] = [:]
        for entry in reader.mapping(node, "`static-pins`")?.entries ?? [] {
            guard let domain = BackendLoader.domain(entry.key, at: entry.keyPosition, &reader),
                let texts = reader.texts(entry.value, entry.key.quoted)
            else { continue }
            if texts.isEmpty { reader.error("\(entry.key.quoted) has no pins", at: entry.value.position) }
            pins[domain] = texts.compactMap { PinLoader.pin($0.text, at: $0.position, &reader) }
        }
        return pins
    }
}
