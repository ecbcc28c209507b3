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
    /// For each connection.
    case connection
    /// When it is launched, and when it sees a new configuration.
    case configurationChange = "config-change"
    /// When it is launched.
    case launch
}
