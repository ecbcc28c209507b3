import Testing

@testable import PolicyEngine
@testable import TestSupport

/// A story of one device: what happens, and what is expected on the way.
struct PhoneStory: LabelledRow {
    let label: String
    let steps: [PhoneStep]

    static let fingerprint = "C0:F3:15:9B:A5:6C:A8:E1"

    /// Lets the story happen to a phone, and compares at every step that looks at something.
    func play(on phone: inout Phone) throws {
        for (number, step) in steps.enumerated() {
            let index: Comment = "step \(number): \(step)"
            switch step {
            case .attests(let flags, let rejections):
                let outcome = try phone.attest()
                #expect(outcome.flags == flags, index)
                #expect(outcome.rejections == rejections, index)
                #expect(outcome.passed == rejections.isEmpty, index)
            case .keeps(let flags): #expect(try phone.state == flags, index)
            case .apple(let bits): #expect(phone.bits == bits, index)
            default: try Self.happen(step, &phone)
            }
        }
    }

    private static func happen(_ step: PhoneStep, _ phone: inout Phone) throws {
        switch step {
        case .launch: phone.launch()
        case .reinstall: phone.reinstall()
        case .reinstallKeepingID: phone.reinstall(keepingID: true)
        case .ban: try phone.setEntry(.ban)
        case .unban: try phone.setEntry(.unban)
        case .removeEntry: try phone.removeEntry()
        case .clear: phone.clearDeviceState()
        case .wait(let months): try phone.wait(months: months)
        case .nextDay: phone.wait(seconds: Instant.secondsPerDay)
        case .deviceCheck(let bits): phone.setDeviceCheck(bits)
        case .safetyNet(let key): phone.setSafetyNet(key)
        case .answers(let capability): phone.device.evidence.deviceCheck = capability
        case .comesTo(let outcome): phone.device.evidence.safetyNet = outcome
        case .banningFilter(true): try phone.change { try $0.set(.regex("ban-all", "flags-all", "", .ban)) }
        case .banningFilter(false): try phone.change { try $0.removeFilter(named: "ban-all") }
        case .certificate(true): try phone.change { try $0.addAppSigningCertificate(fingerprint) }
        case .certificate(false): try phone.change { try $0.removeAppSigningCertificate(fingerprint) }
        case .attests, .keeps, .apple: break
        }
    }
}

/// A step in a story of a ``Phone``: an event, or a check.
enum PhoneStep: Sendable {
    /// An attestation: every flag that it carries, and the rejections.
    case attests([String], rejecting: [String] = [])
    /// The persisted flags of the device ID; `nil` if its state has not been set.
    case keeps([String]?)
    /// Apple's setting, such as `1 of 2020-07`.
    case apple(String?)
    case launch
    case reinstall
    case reinstallKeepingID
    case ban
    case unban
    case removeEntry
    case clear
    case wait(months: Int)
    case nextDay
    case deviceCheck(DeviceCheckSettings.Bits?)
    case safetyNet(String?)
    /// From now on the device answers so.
    case answers(DeviceCheckCapability)
    case comesTo(SafetyNetOutcome)
    /// The account gets a filter that matches everything and bans, or loses it.
    case banningFilter(Bool)
    /// The account gets an app signing certificate, or loses it.
    case certificate(Bool)
}

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
