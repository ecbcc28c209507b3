@testable import PolicyEngine
@testable import TestSupport

/// One device with one app, the account that evaluates it, Apple and Google, and a clock.
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

    /// A value by its name; `nil` for `absent`.
    static func value<Value: RawRepresentable<String>>(_ name: String) throws -> Value? {
        if name == "absent" { return nil }
        guard let value = Value(rawValue: name) else { throw TestFailure("no value: \(name)") }
        return value
    }

    /// An iPhone under an account with a DeviceCheck key.
    ///
    /// - Parameter bits: `nil` leaves the account without a key.
    static func iPhone(
        bits: DeviceCheckSettings.Bits? = .bit0, expiry: Int = 12, policy: String = "default,default,all",
        answering capability: DeviceCheckCapability? = .available
    ) throws -> Phone {
        var account = try Account.sample(policy)
        if let bits {
            account.deviceCheck = DeviceCheckSettings(teamID: team, keyID: keyID, bits: bits, expiry: expiry)
        }
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

    /// Apple's setting of the hardware for the account's team, such as `1 of 2020-07`; `nothing` if it was never set.
    var bits: String {
        platforms.deviceCheck.query(device.evidence.physical, team: service.account.developerTeam)
            .map { "\($0.bits) of \($0.changed)" } ?? "nothing"
    }

    /// The app attests.
    @discardableResult
    mutating func attest(by tokens: TokenService = .primary) throws -> NamedDecision {
        try service.attest(&device, at: now, by: tokens, with: &platforms)
    }

    /// Time passes.
    mutating func wait(seconds: Int) { now = now + seconds }

    /// The app is started again.
    mutating func launch() { device.launch(at: now) }

    /// The app is removed, installed and started, with another device ID.
    mutating func reinstall() {
        installs += 1
        device.reinstall(as: Sample.device(installs), at: now)
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
}
