@testable import PolicyEngine
@testable import TestSupport

/// One device with one app, the account that evaluates it, Apple and Google, and a clock: what the stories happen to.
struct Phone {
    private(set) var service: SimulatedService
    var device: SimulatedDevice
    var platforms = PlatformServices()
    private(set) var now = Sample.time
    private var installs = 0

    /// The names that the manual uses.
    static let (team, keyID, apiKey) = ("YYYYYYYYY", "XXXXXXXXXX", "google-key")

    init(_ device: SimulatedDevice, _ account: Account) {
        self.device = device
        service = SimulatedService(account)
    }

    /// An iPhone under an account with a DeviceCheck key.
    ///
    /// - Parameter bits: `nil` leaves the account without a key.
    static func iPhone(
        bits: DeviceCheckSettings.Bits? = .bit0, expiry: Int = 12, policy: String = "default,default,all",
        answering capability: DeviceCheckCapability? = .available
    ) throws -> Phone {
        var account = try Account.sample(policy)
        if let bits { account.addAuthKey(keyID, teamID: team, bits: bits, expiry: expiry) }
        return Phone(.iPhone(answering: capability), account)
    }

    /// An Android phone under an account with a SafetyNet key.
    ///
    /// - Parameter quota: `nil` leaves the account without a key.
    static func android(
        answering outcome: SafetyNetOutcome? = .pass, quota: Int? = 10_000, policy: String = "default,default,all"
    ) throws -> Phone {
        var account = try Account.sample(policy)
        if let quota { account.safetyNet = SafetyNetSettings(apiKey: apiKey, dailyQuota: quota) }
        return Phone(.android(answering: outcome), account)
    }

    /// The device's persisted flags, or `nil` when its state has not been set.
    var state: [String]? {
        mutating get throws { try service.state(of: device.id) }
    }

    /// Apple's setting of the hardware for the account's team, such as `1 of 2020-07`; `nil` if it was never set.
    var bits: String? {
        platforms.deviceCheck.query(device.evidence.physical, team: service.account.developerTeam)
            .map { "\($0.bits) of \($0.changed)" }
    }

    /// The app attests.
    @discardableResult
    mutating func attest(by tokens: TokenService = .primary) throws -> NamedDecision {
        try service.attest(&device, at: now, by: tokens, with: &platforms)
    }

    /// Time passes.
    mutating func wait(seconds: Int) { now = now + seconds }

    /// As many months pass to the day; there must be such a day.
    mutating func wait(months: Int) throws {
        let (date, month) = (now.date, now.date.month - 1 + months)
        guard let then = CalendarDate(year: date.year + month / 12, month: month % 12 + 1, day: date.day) else {
            throw TestFailure("no day \(date.day) \(months) months after \(date)")
        }
        wait(seconds: (then.dayNumber - date.dayNumber) * Instant.secondsPerDay)
    }

    /// The app is started again.
    mutating func launch() { device.launch(at: now) }

    /// The app is removed, installed and started, with another device ID or the same.
    mutating func reinstall(keepingID: Bool = false) {
        installs += keepingID ? 0 : 1
        device.reinstall(as: keepingID ? nil : Sample.device(installs), at: now)
    }

    /// The account changes now; without propagation that is in force at once.
    mutating func change(_ change: (inout Account) throws -> Void) rethrows {
        try service.change(at: now, change)
    }

    /// The account gets an entry for the device ID that is there, with a ban mode.
    mutating func setEntry(_ mode: BanMode) throws {
        let id = device.id
        try change { try $0.set($0.entry(id, banMode: mode)) }
    }

    /// The account loses the entry of the device ID that is there.
    mutating func removeEntry() throws {
        guard let id = DeviceID(device.id) else { throw TestFailure("no device ID: \(device.id)") }
        try change { try $0.removeDevice(id) }
    }

    /// The account gets a DeviceCheck key; `nil` removes it.
    mutating func setDeviceCheck(_ bits: DeviceCheckSettings.Bits?) {
        change { account in
            guard let bits else { return account.removeAuthKey() }
            let expiry = account.deviceCheck?.expiry ?? DeviceCheckSettings.defaultExpiry
            account.addAuthKey(Self.keyID, teamID: Self.team, bits: bits, expiry: expiry)
        }
    }

    /// The account gets a SafetyNet key; `nil` removes it.
    mutating func setSafetyNet(_ key: String?) {
        change { account in
            let quota = account.safetyNet?.dailyQuota ?? SafetyNetSettings.defaultDailyQuota
            account.safetyNet = SafetyNetSettings(apiKey: key, dailyQuota: quota)
        }
    }

    /// The state of every device is cleared.
    mutating func clearDeviceState() { service.clearDeviceState() }
}
