internal import PolicyEngine

/// The revisions of the configuration that an install has, by their numbers (R17).
struct ConfigurationState: Hashable, Sendable {
    /// When the configuration that is built into the app was made; `nil` is before anything happens.
    var builtIn: Instant?
    var handling: ConfigurationHandling
    var reading: PinReading
    // The revision that a launch loads; here and below ``none`` where there is only the revision that is built in.
    private var stored = Self.none
    /// The revision that the SDK holds.
    private(set) var delivered = Self.none
    // The revision that the app fetched, so that it is no change any more.
    private var fetched = Self.none
    // The revision that the app read last; `nil` before it has read any in this launch.
    private var read: Int?
    // The revision that was forced, as far as this install knows.
    private var forced: Int?

    private static let none = -1

    /// The state of an app that was not started yet.
    init(_ settings: ClientSettings) {
        builtIn = settings.builtIn
        (handling, reading) = (settings.handling, settings.reading)
    }

    /// True if a first start fetches the newest revision when there is network (R17.3).
    var fetchesAtFirstStart: Bool { handling != .nobody }

    /// Starts a new install.
    ///
    /// - Parameter newest: The newest revision, where it was fetched (R17.3).
    mutating func start(fetching newest: Int?) {
        stored = newest ?? Self.none
        launch()
    }

    /// Loads what was stored, as a new start of the app does (R17.3).
    ///
    /// - Returns: True if the app reads its pins then.
    @discardableResult
    mutating func launch() -> Bool {
        // A revision that nobody stored is gone, and so is what came with it (R17.4).
        if handling == .nobody { stored = Self.none }
        (delivered, fetched, forced) = (stored, stored, nil)
        read = reading == .connection ? nil : stored
        return reading != .connection
    }

    /// Takes what an attestation brings (R17.3).
    mutating func deliver(_ newest: Int, forced: Int?) {
        delivered = max(delivered, newest)
        if handling == .auto { stored = delivered }
        self.forced = forced ?? self.forced
    }

    /// Lets the app fetch the configuration, and store it where anybody does (R17.4).
    mutating func fetch() {
        fetched = delivered
        if handling != .nobody { stored = delivered }
    }

    /// Lets the app read its pins.
    mutating func readPins() { read = delivered }

    // Each of these takes the revision that is built into the app.

    /// True if a configuration was delivered that is newer than the app's and that the app has not fetched (R17.4).
    func isChanged(builtIn: Int) -> Bool { max(fetched, builtIn) < delivered }

    /// True if the app is to apply newer pins than it read last (R17.4).
    func forcesPins(builtIn: Int) -> Bool { read.flatMap { read in forced.map { max(read, builtIn) < $0 } } ?? false }

    /// True if a configuration was delivered that is newer than the one whose pins the app read last (R18.4).
    func isPending(builtIn: Int) -> Bool { read.map { max($0, builtIn) < delivered } ?? false }

    /// The revision whose pins the app uses.
    func used(builtIn: Int) -> Int { max(read ?? delivered, builtIn) }
}

/// The notice of a fetch about the configuration (R17.4).
struct ConfigurationNotice: Hashable, Sendable {
    /// `config-changed`.
    var isChanged = false
    /// `force-apply`.
    var isForced = false
}
