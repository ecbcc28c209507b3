import Testing

@testable import PolicyEngine
@testable import TestSupport

/// A story of one phone: what happens, and what is expected on the way.
struct PhoneStory: LabelledRow {
    let label: String
    /// The phone as it is at the start (``Phone/init(_:)``); empty in stories of records.
    let phone: String
    let steps: [String]

    /// The stories of a ``TextTable``: a line that begins with a system is the phone, the others have steps between semicolons.
    static func table(_ text: String) -> [PhoneStory] {
        let table = TextTable(text)
        func isPhone(_ line: Substring) -> Bool { line.hasPrefix("iPhone") || line.hasPrefix("Android") }
        return table.rows.map { name, lines in
            let phone = (lines + table.usual).first(where: isPhone) ?? ""
            let steps = lines.filter { !isPhone($0) && !$0.hasPrefix("#") }.flatMap { $0.split(separator: "; ") }
            return PhoneStory(label: name, phone: String(phone), steps: steps.map(String.init))
        }
    }

    /// Lets the story happen to the phone, and compares at every step that looks at something.
    func play() throws {
        var phone = try Phone(phone)
        for (number, step) in steps.enumerated() { try Self.play(step, on: &phone, "step \(number): \(step)") }
    }

    private static func play(_ step: String, on phone: inout Phone, _ index: Comment) throws {
        let words = step.split(separator: " ").dropFirst().map(String.init)
        let first = words.first ?? ""
        switch step.prefix(while: { $0 != " " }) {
        // Every flag of an attestation, those with an exclamation mark as its rejections.
        case "attests":
            let outcome = try phone.attest()
            let rejections = words.filter { $0.hasSuffix("!") }.map { String($0.dropLast()) }
            #expect(outcome.flags == words.map { $0.replacing("!", with: "") }, index)
            #expect(outcome.rejections == rejections, index)
            #expect(outcome.passed == rejections.isEmpty, index)
        // The persisted flags of the device ID; `unset` if its state has not been set.
        case "keeps": #expect(try phone.state == (words == ["unset"] ? nil : words), index)
        // Apple's setting, such as `1 of 2020-07`.
        case "apple": #expect(phone.bits == (words == ["unset"] ? nil : words.joined(separator: " ")), index)
        case "launch": phone.launch()
        case "reinstall": phone.reinstall(keepingID: first == "keeping")
        case "ban": try phone.setEntry(.ban)
        case "unban": try phone.setEntry(.unban)
        case "remove": try phone.removeEntry()
        case "clear": phone.clearDeviceState()
        case "wait": try phone.wait(months: #require(Int(first)))
        case "next-day": phone.wait(seconds: Instant.secondsPerDay)
        case "devicecheck": phone.setDeviceCheck(try Phone.value(first))
        case "safetynet": phone.setSafetyNet(first == "absent" ? nil : first)
        // From now on the device answers so.
        case "answers": phone.device.evidence.deviceCheck = try Phone.value(first)
        case "comes-to": phone.device.evidence.safetyNet = try Phone.value(first)
        // The account gets a filter that matches everything and bans, or loses it.
        case "filter" where first == "on": try phone.change { try $0.set(.regex("ban-all", "flags-all", "", .ban)) }
        case "filter": try phone.change { try $0.removeFilter(named: "ban-all") }
        default: throw TestFailure("unknown step: \(step)")
        }
    }
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

    /// A phone in words: `iPhone bits=both answering=unavailable`, or `Android quota=1 answering=fail-token`.
    init(_ description: String) throws {
        let words = description.split(separator: " ")
        let pairs = words.dropFirst().map { $0.split(separator: "=") }
        let options = Dictionary(uniqueKeysWithValues: pairs.map { ($0[0], String($0[1])) })
        if words.first == "iPhone" {
            self = try .iPhone(
                bits: Self.value(options["bits"] ?? "bit0"), answering: Self.value(options["answering"] ?? "available"))
        } else {
            let quota = options["quota"] ?? "10000"
            self = try .android(
                answering: Self.value(options["answering"] ?? "pass"), quota: quota == "absent" ? nil : Int(quota))
        }
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
