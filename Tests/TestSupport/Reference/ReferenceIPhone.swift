/// One iPhone with one app, and what Apple keeps of it, as the rules say (R6, R8), in words and dictionaries.
///
/// Shares no step with the engine.
struct ReferenceIPhone {
    let deviceCheck: ReferenceDeviceCheck
    /// True if the account has a DeviceCheck key.
    var hasKey = true
    /// True if the account has a filter that matches everything and bans.
    var hasBanningFilter = false
    /// The bits that Apple keeps of the phone; `nil` if the answer is "not found".
    var bits: ReferenceBits?
    /// This month, counted from the January of some year.
    var month: Int
    /// The phone's answer to DeviceCheck: `available`, `unavailable` or `invalid`.
    var capability = "available"
    /// The number of the install; each has a device ID of its own.
    private(set) var install = 0
    // The ban modes of the account's entries, by install.
    private var banModes: [Int: String] = [:]
    // The persisted flags, by install; nothing for one that has not attested.
    private var states: [Int: Set<String>] = [:]
    private var isFirstSinceLaunch = true

    private static let results: Set<String> = [
        "devicecheck-completed", "devicecheck-failed", "devicecheck-unavailable",
    ]

    init(_ deviceCheck: ReferenceDeviceCheck, bits: ReferenceBits? = nil, month: Int) {
        self.deviceCheck = deviceCheck
        self.bits = bits
        self.month = month
    }

    /// The persisted flags of the install that is there, or `nil` when its state has not been set.
    var state: Set<String>? { states[install] }

    /// True if the account has an entry for the install that is there.
    var hasEntry: Bool { banModes[install] != nil }

    /// The account gets an entry for the install that is there, with `ban` or `unban`; `nil` removes it.
    mutating func setEntry(_ mode: String?) { banModes[install] = mode }

    /// The app is started.
    mutating func launch() { isFirstSinceLaunch = true }

    /// The app is removed and installed; it gets another device ID (R1.3).
    mutating func reinstall() {
        install += 1
        launch()
    }

    /// R6.5.
    mutating func clearDeviceState() { states = [:] }

    /// The app attests; the result is every flag that the attestation carries.
    mutating func attest(byFailover isFailover: Bool) -> Set<String> {
        let isNew = states[install] == nil
        var state = states[install] ?? []
        applyEntry(to: &state)
        // R8.1.
        if hasKey, isNew || isFirstSinceLaunch, !state.contains("devicecheck-completed") { check(&state) }
        isFirstSinceLaunch = false
        // R7.5, R8.4; the failover has no filters (R14.3).
        if hasBanningFilter, !isFailover, !state.contains("did-unban") {
            ban(&state)
        }
        states[install] = state
        return flags(of: state, isNew: isNew)
    }

    // R6.3, R6.4, R8.4–R8.6.
    private mutating func applyEntry(to state: inout Set<String>) {
        switch banModes[install] {
        case "unban":
            state.insert("did-unban")
            state.remove("devicecheck-ban")
            if reachesApple { deviceCheck.unban(&bits, in: month) }
        case "ban" where !state.contains("did-unban"): ban(&state)
        default: break
        }
    }

    // R8.4: a ban that exists already is not written again.
    private mutating func ban(_ state: inout Set<String>) {
        if state.insert("did-ban").inserted, reachesApple { deviceCheck.ban(&bits, in: month) }
    }

    // Without a token Apple cannot identify the device.
    private var reachesApple: Bool { hasKey && capability == "available" }

    // R8.2.
    private mutating func check(_ state: inout Set<String>) {
        state.subtract(Self.results)
        switch capability {
        case "unavailable": state.insert("devicecheck-unavailable")
        case "invalid": state.insert("devicecheck-failed")
        default:
            state.insert("devicecheck-completed")
            if deviceCheck.check(&bits, in: month) { state.insert("devicecheck-ban") }
        }
    }

    // R10, step 5; R4.7.
    private func flags(of state: Set<String>, isNew: Bool) -> Set<String> {
        var flags = state
        if state.contains("did-unban") { flags.remove("did-ban") }
        if isNew { flags.insert("new-did") }
        if hasKey, state.isDisjoint(with: Self.results) { flags.insert("devicecheck-missing") }
        return flags
    }
}
