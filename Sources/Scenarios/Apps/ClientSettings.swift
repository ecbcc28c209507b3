internal import Accounts
internal import Documents
internal import PolicyEngine

/// The settings of an app for the SDK and for its connections: `client` of a group (R17–R19).
struct ClientSettings: Hashable, Sendable {
    /// When the configuration that is built into the app was made; `nil` is the scenario's start (R17.2).
    var builtIn: Instant?
    var handling = ConfigurationHandling.auto
    var reading = PinReading.connection
    /// True if the app starts anew when pins are forced (R18.4).
    var relaunchesOnForce = false
    /// True if the app starts anew when a connection was blocked and newer pins are available (R18.4).
    var relaunchesOnBlocked = false
    /// Pins that are built into the app, by domain in lower case (R18.4).
    var staticPins: [String: [String]] = [:]
    /// True if the app connects to a host without applicable pins (R18.5).
    var acceptsUnpinned = true
    /// True if the app looks for managed trust roots (R18.5).
    var usesRoots = true
    /// The header whose value tokens are bound to (R19.1).
    var bindingHeader: String?
    /// True if the app sends a request with an empty token after any failure, as the plugin of 2018 does (R19.2).
    var sendsOnFailedFetch = false
    /// True if the app signs its messages when it has a key for that (R21.4).
    var signsMessages = true

    /// True if the app reads the configuration notice of a fetch.
    var watchesConfiguration: Bool { handling == .app || reading == .configurationChange || relaunchesOnForce }
}

extension ClientSettings {
    /// The form of settings.
    ///
    /// - Parameters:
    ///   - before: The settings where nothing is said.
    ///   - start: The scenario's start, from which a time without a date counts.
    static func form(_ before: ClientSettings = ClientSettings(), start: Instant) -> ValueForm<ClientSettings> {
        let instant = ValueForm<Instant>(.any(of: [.instant, .duration])) { node, what, reader in
            guard let text = reader.text(node, what) else { return nil }
            return Instant(rfc3339: text) ?? reader.duration(node, what).map { start + $0 }
        }
        return .mapping(
            before,
            [
                .optional("built-in", \.builtIn, instant, "The time of the configuration that is built into the app."),
                .value(
                    "config", \.handling, .word, "Says who stores a new configuration: the SDK, the app, or nobody."),
                .value("read-pins", \.reading, .word, "The time at which the app reads its pins."),
                .value(
                    "on-force", \.relaunchesOnForce, .words("relaunch", "ignore"),
                    "What the app does when pins are forced."),
                .value(
                    "on-blocked", \.relaunchesOnBlocked, .words("relaunch-if-pending", "nothing"),
                    "What the app does after a blocked request."),
                .value("static-pins", \.staticPins, pinsByDomain, "The pins that are built into the app, by domain."),
                .value(
                    "unpinned", \.acceptsUnpinned, .words("accept", "refuse"),
                    "Says if the app connects when no pins apply."),
                .value(
                    "roots", \.usesRoots, .words("used", "ignored"), "Says if the app uses the managed trust roots."),
                .optional("binding-header", \.bindingHeader, .text, "The header whose value tokens are bound to."),
                .value(
                    "on-failed-fetch", \.sendsOnFailedFetch, .words("send", "stop"),
                    "What the app does if it gets no token."),
                .value("sign-messages", \.signsMessages, .boolean, "With false, the app never signs messages."),
            ])
    }

    private static let pinsByDomain = ValueForm<[String: [String]]>(
        .map(of: .list(of: RuleForms.pin, atLeast: 1), keys: RuleForms.domain)
    ) { node, what, reader in
        var pins: [String: [String]] = [:]
        for entry in reader.mapping(node, what)?.entries ?? [] {
            guard let domain = Backends.domain(entry.key, at: entry.keyPosition, &reader),
                let texts = reader.texts(entry.value, entry.key.quoted)
            else { continue }
            if texts.isEmpty { reader.error("\(entry.key.quoted) has no pins", at: entry.value.position) }
            pins[domain] = texts.compactMap { PinLoader.pin($0.text, at: $0.position, &reader) }
        }
        return pins
    }
}

/// The component that stores a new configuration, so that a launch loads it (R17.3). The SDK and the app also fetch the
/// newest at the very first start.
enum ConfigurationHandling: String, Hashable, Sendable, CaseIterable {
    /// The SDK.
    case auto
    /// The app, when it sees that there is one.
    case app
    /// Nobody, so that every launch begins with the revision that is built in.
    case nobody = "none"
}

/// When an app reads its pins (R18.4).
enum PinReading: String, Hashable, Sendable, CaseIterable {
    /// The app reads them for each connection.
    case connection
    /// The app reads them when it is launched, and when it sees a new configuration.
    case configurationChange = "config-change"
    /// The app reads them when it is launched.
    case launch
}
