internal import Accounts
internal import Documents
internal import PolicyEngine

/// The settings of an app for the SDK and for its connections: `client` of a group (R17–R19).
enum ClientFields {
    // A time without a date counts from the scenario's start.
    private static func all(start: Instant) -> [Field<ClientSettings>] {
        [
            .optional("built-in", \.builtIn, .instant(from: start)), .value("config", \.handling, .word),
            .value("read-pins", \.reading, .word),
            .value("on-force", \.relaunchesOnForce, .words("relaunch", "ignore")),
            .value("on-blocked", \.relaunchesOnBlocked, .words("relaunch-if-pending", "nothing")),
            .value("static-pins", \.staticPins, .pinsByDomain),
            .value("unpinned", \.acceptsUnpinned, .words("accept", "refuse")),
            .value("roots", \.usesRoots, .words("used", "ignored")),
            .optional("binding-header", \.bindingHeader, .text),
            .value("on-failed-fetch", \.sendsOnFailedFetch, .words("send", "stop")),
            .value("sign-messages", \.signsMessages, .boolean),
        ]
    }

    /// Reads the settings.
    ///
    /// - Parameters:
    ///   - node: The node that describes them.
    ///   - before: The settings where nothing is said.
    ///   - start: The scenario's start, from which a duration counts.
    ///   - reader: Gets what is wrong.
    static func load(
        _ node: Node, from before: ClientSettings = ClientSettings(), start: Instant, _ reader: inout DocumentReader
    ) -> ClientSettings {
        all(start: start).read(node, "`client`", from: before, &reader) ?? before
    }

    static var schema: JSONSchema { all(start: Scenario(file: "").start).schema() }
}

extension ValueForm<Instant> {
    // An instant, or a time from the start as in steps.
    fileprivate static func instant(from start: Instant) -> ValueForm {
        ValueForm(.any(of: [.instant, .duration])) { node, what, reader in
            guard let text = reader.text(node, what) else { return nil }
            return Instant(rfc3339: text) ?? reader.duration(node, what).map { start + $0 }
        }
    }
}

extension ValueForm<[String: [String]]> {
    fileprivate static var pinsByDomain: ValueForm {
        ValueForm(.map(of: .list(of: RuleForms.pin, atLeast: 1), keys: RuleForms.domain)) { node, what, reader in
            var pins: [String: [String]] = [:]
            for entry in reader.mapping(node, what)?.entries ?? [] {
                guard let domain = BackendLoader.domain(entry.key, at: entry.keyPosition, &reader),
                    let texts = reader.texts(entry.value, entry.key.quoted)
                else { continue }
                if texts.isEmpty { reader.error("\(entry.key.quoted) has no pins", at: entry.value.position) }
                pins[domain] = texts.compactMap { PinLoader.pin($0.text, at: $0.position, &reader) }
            }
            return pins
        }
    }
}
