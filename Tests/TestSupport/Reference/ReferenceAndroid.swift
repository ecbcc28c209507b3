/// One Android phone with one app under an account with a SafetyNet key, and what Google counts, as the rules say
/// (R1.5, R4.7, R6.5, R9, R14.3), in words and dictionaries.
///
/// Shares no step with the engine.
struct ReferenceAndroid {
    let dailyQuota: Int
    let propagation: Int
    /// Seconds since 1970.
    var now: Int
    /// The result of SafetyNet: `pass`, `fail-token`, `fail-integrity`, `fail-profile`, `fail-cert` or `unavailable`.
    var outcome = "pass"
    /// The number of the device ID; a factory reset changes it (R1.3).
    private(set) var install = 0
    private var changes: [Change] = []
    // The persisted flags, by install; nothing for one that has not attested.
    private var states: [Int: Set<String>] = [:]
    private var launched: Int
    private var isFirstSinceLaunch = true
    // The uses of a key, by day.
    private var uses: [String: [Int: Int]] = [:]
    // The requests of the phone, by minute.
    private var usesOfPhone: [Int: Int] = [:]

    /// The settings of the account from some time on.
    struct Change {
        var inForceFrom: Int
        var key: String?
        var hasCertificate = false
    }

    /// The prefix of the flags that the failover leaves out (R14.3).
    private static let prefix = "safetynet-"

    init(key: String?, dailyQuota: Int, propagation: Int, now: Int) {
        self.dailyQuota = dailyQuota
        self.propagation = propagation
        self.now = now
        launched = now
        changes = [Change(inForceFrom: .min, key: key)]
    }

    /// The account with every change made so far.
    var latest: Change { changes[changes.count - 1] }

    /// The persisted flags of the device ID that is there, or `nil` when its state has not been set.
    var state: Set<String>? { states[install] }

    /// The account changes; in force after its propagation (R1.5).
    mutating func change(_ change: (inout Change) -> Void) {
        var changed = latest
        change(&changed)
        changed.inForceFrom = now + propagation
        changes.append(changed)
    }

    /// The app is started, or removed and installed: that keeps the device ID (R1.3).
    mutating func launch() {
        launched = now
        isFirstSinceLaunch = true
    }

    /// The phone is reset; the app gets another device ID.
    mutating func reset() {
        install += 1
        launch()
    }

    /// R6.5.
    mutating func clearDeviceState() { states = [:] }

    /// The app attests; the result is every flag that the attestation carries.
    mutating func attest(byFailover isFailover: Bool) -> Set<String> {
        let isNew = states[install] == nil
        var state = states[install] ?? []
        let key = account(at: now).key
        if let key, !isFailover, isDue(state) { check(&state, key: key) }
        isFirstSinceLaunch = false
        states[install] = state
        var flags = state
        if key != nil, !state.contains("safetynet-completed"), !state.contains("safetynet-unavailable") {
            flags.insert("safetynet-missing")
        }
        if isFailover { flags = flags.filter { !$0.hasPrefix(Self.prefix) } }
        if isNew { flags.insert("new-did") }
        if !flags.isDisjoint(with: FlagFacts.risks) { flags.insert("risky-device") }
        return flags
    }

    // R9.1.
    private func isDue(_ state: Set<String>) -> Bool {
        if state.contains("safetynet-completed") { return false }
        return !state.contains("safetynet-unavailable") || isFirstSinceLaunch
    }

    private mutating func check(_ state: inout Set<String>, key: String) {
        state.remove("safetynet-unavailable")
        guard outcome != "unavailable", grants(key) else {
            state.insert("safetynet-unavailable")
            return
        }
        // R9.2: a failed one is completed as well; the certificate is looked at where the app knew of one (R1.5).
        state.insert("safetynet-completed")
        let isCertificate = outcome == "fail-cert"
        if outcome != "pass", !isCertificate || account(at: launched).hasCertificate {
            state.insert(Self.prefix + outcome)
        }
    }

    // R9.3.
    private mutating func grants(_ key: String) -> Bool {
        let (day, minute) = (now / 86_400, now / 60)
        let (used, usedByPhone) = (uses[key]?[day] ?? 0, usesOfPhone[minute] ?? 0)
        guard used < dailyQuota, usedByPhone < 5 else { return false }
        uses[key, default: [:]][day] = used + 1
        usesOfPhone[minute] = usedByPhone + 1
        return true
    }

    private func account(at time: Int) -> Change {
        changes.last { $0.inForceFrom <= time } ?? changes[0]
    }
}
