internal import PolicyEngine

/// What an install has of the configuration, by numbers of revisions (R17).
struct ConfigurationState: Hashable, Sendable {
    /// When the configuration that is built into the app was made; `nil` is before anything happens.
    var builtIn: Instant?
    var handling: ConfigurationHandling
    var reading: PinReading
    // Each `none` where there is none but that which is built in.
    private var stored = Self.none
    /// What the SDK holds.
    private(set) var delivered = Self.none
    // What the app fetched, so that it is no change any more.
    private var fetched = Self.none
    // What the app read last; `nothing` before it has read any in this launch.
    private var read = Self.nothing
    // What was forced, as far as this install knows.
    private var forced = Self.none

    private static let none: Int32 = -1
    private static let nothing: Int32 = -2

    /// Of an app that was not started yet.
    init(_ settings: ClientSettings) {
        builtIn = settings.builtIn
        (handling, reading) = (settings.handling, settings.reading)
    }

    /// Starts a new install.
    ///
    /// - Parameter newest: The newest revision, where the SDK can fetch it (R17.3).
    mutating func start(fetching newest: Int?) {
        stored = handling == .auto ? newest.map(Int32.init) ?? Self.none : Self.none
        forced = Self.none
        launch()
    }

    /// Loads what was stored, as a new start of the app does (R17.3).
    ///
    /// - Returns: Whether the app reads its pins then.
    @discardableResult
    mutating func launch() -> Bool {
        (delivered, fetched) = (stored, stored)
        read = reading == .connection ? Self.nothing : stored
        return reading != .connection
    }

    /// Takes what an attestation brings (R17.3).
    mutating func deliver(_ newest: Int, forced: Int?) {
        delivered = max(delivered, Int32(newest))
        if handling == .auto { stored = delivered }
        if let forced { self.forced = Int32(forced) }
    }

    /// Lets the app fetch the configuration; it stores it (R17.4).
    mutating func fetch() {
        (fetched, stored) = (delivered, delivered)
    }

    /// Lets the app read its pins.
    mutating func readPins() { read = delivered }

    /// Whether there is a configuration that the app has not fetched (R17.4).
    var isChanged: Bool { fetched < delivered }

    /// Whether it knows that pins were ever forced.
    var knowsForcing: Bool { forced != Self.none }

    /// Whether the app is to apply newer pins than it read last (R17.4).
    ///
    /// - Parameter builtIn: The revision that is built into the app.
    func forcesPins(builtIn: Int) -> Bool {
        forced != Self.none && read != Self.nothing && max(read, Int32(builtIn)) < forced
    }

    /// Whether the app could read newer pins than those that it read last.
    var isPending: Bool { read != Self.nothing && read < delivered }

    /// The revision whose pins the app uses, and whether it was delivered rather than built in.
    ///
    /// - Parameter builtIn: The revision that is built into the app.
    func used(builtIn: Int) -> (revision: Int, isDelivered: Bool) {
        let known = read == Self.nothing ? delivered : read
        return known >= Int32(builtIn) ? (Int(known), true) : (builtIn, false)
    }
}
