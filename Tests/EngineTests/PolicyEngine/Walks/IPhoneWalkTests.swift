import Testing

@testable import PolicyEngine
@testable import TestSupport

@Suite("R6, R8 Every short story of one iPhone") struct IPhoneWalkTests {
    /// Everything that one account and one iPhone can go through.
    static let everything: [IPhoneEvent] = [
        .attest, .ban, .unban, .removeEntry, .reinstall, .launch, .clear, .keyOff, .keyOn, .monthsPass,
    ]

    @Test("R6, R8 every story of some events", arguments: DeviceCheckSettings.Bits.allCases)
    func everyStory(bits: DeviceCheckSettings.Bits) throws {
        let length = Exhaustive.count(4, whole: 6)
        let result = try IPhoneWalk(bits: bits, alphabet: Self.everything, length: length).walk(length)
        #expect(result.difference == nil)
        // Eight can happen at any time, among them one of the key's, and an entry that is there can go.
        #expect(result.sequences >= Exhaustive.power(8, length))
    }

    /// With other answers, the failover and bans by filter.
    static let answers: [IPhoneEvent] = [
        .attest, .attestAtFailover, .unban, .filterComes, .filterGoes, .reinstall, .launch, .clear, .nowAvailable,
        .nowUnavailable, .nowInvalid,
    ]

    @Test("R7.5, R8.2, R14.3 with answers, filters and the failover", arguments: DeviceCheckSettings.Bits.allCases)
    func everyAnswer(bits: DeviceCheckSettings.Bits) throws {
        let length = Exhaustive.count(4, whole: 5)
        let result = try IPhoneWalk(bits: bits, alphabet: Self.answers, length: length).walk(length)
        #expect(result.difference == nil)
        // Nine can happen at any time: one of the filter's and two of the answers can not.
        expect(result.sequences, equals: Exhaustive.power(9, length))
    }

    /// Apple's setting at the start.
    struct Start: LabelledRow {
        let count: Int
        let month: Int

        var testDescription: String { ReferenceBits(count: count, month: month).description }
    }

    static let starts = (0...3).flatMap { count in
        [0, 12, 13].map { Start(count: count, month: IPhoneWalk.firstMonth - $0) }
    }.rows(12)

    @Test("R8.3 whatever Apple has at the start", arguments: starts, DeviceCheckSettings.Bits.allCases)
    func everyStart(start: Start, bits: DeviceCheckSettings.Bits) throws {
        let walk = try IPhoneWalk(
            bits: bits, alphabet: Self.everything, length: 3,
            start: ReferenceBits(count: start.count, month: start.month))
        let result = try walk.walk(3)
        #expect(result.difference == nil)
        #expect(result.sequences >= 512)
    }

    /// The wrong settings that the reference assumes, and the first story that shows the mistake.
    struct Mistake: LabelledRow {
        let label: String
        let bits: DeviceCheckSettings.Bits
        let reference: ReferenceDeviceCheck
        let difference: String
    }

    static let mistakes = [
        Mistake(
            label: "another bit", bits: .bit0, reference: ReferenceDeviceCheck(bits: "bit1"),
            difference: "attest, attest, attest, ban, attest: Apple has 1 of 2020-07 instead of 2 of 2020-07"),
        Mistake(
            label: "no bits", bits: .bit1, reference: ReferenceDeviceCheck(bits: "none"),
            difference: "attest, attest, attest, ban, attest: Apple has 2 of 2020-07 instead of nothing"),
        Mistake(
            label: "a counter", bits: .bit1, reference: ReferenceDeviceCheck(bits: "both"),
            difference: "attest: Apple has nothing instead of 0 of 2020-07"),
        Mistake(
            label: "a longer expiry, with a bit", bits: .bit0,
            reference: ReferenceDeviceCheck(bits: "bit0", expiry: 13),
            difference: "ban, attest, reinstall, monthsPass, attest: flags are [devicecheck-completed,new-did] "
                + "instead of [devicecheck-ban,devicecheck-completed,new-did]"),
        Mistake(
            label: "a longer expiry, with a counter", bits: .both,
            reference: ReferenceDeviceCheck(bits: "both", expiry: 13),
            difference: "attest, attest, reinstall, monthsPass, attest: "
                + "Apple has 0 of 2021-08 instead of 1 of 2021-08"),
    ]

    @Test("a walk finds what differs, and the events before it", arguments: mistakes)
    func differencesAreFound(_ row: Mistake) throws {
        let walk = try IPhoneWalk(bits: row.bits, alphabet: Self.everything, length: 5, reference: row.reference)
        try expect(walk.walk(5).difference, equals: row.difference)
    }
}

/// An iPhone with one app.
struct IPhoneWalk: Walk {
    private let alphabet: [IPhoneEvent]
    private var side: IPhoneSide
    private var platforms = PlatformServices()
    private var now = Sample.time

    /// 2020-07, months since January of the year 0.
    static let firstMonth = 2020 * 12 + 6
    /// The seconds of 13 months from any month's 23rd to another's, but for a few days.
    static let months = (count: 13, seconds: 396 * 86_400)

    /// Starts a walk.
    ///
    /// - Parameters:
    ///   - bits: The bits that the account uses.
    ///   - alphabet: The events that happen.
    ///   - length: The number of events of a sequence.
    ///   - start: What Apple has of the phone at the start.
    ///   - reference: What the reference takes the account for; another one than it is must be found out.
    init(
        bits: DeviceCheckSettings.Bits, alphabet: [IPhoneEvent], length: Int, start: ReferenceBits? = nil,
        reference: ReferenceDeviceCheck? = nil
    ) throws {
        self.alphabet = alphabet
        let deviceCheck = reference ?? ReferenceDeviceCheck(bits: bits.rawValue)
        side = try IPhoneSide(
            bits: bits, reference: ReferenceIPhone(deviceCheck, bits: start, month: Self.firstMonth),
            installs: length + 1, at: now)
        guard let start else { return }
        guard let month = CalendarMonth(year: start.month / 12, month: start.month % 12 + 1) else {
            throw TestFailure("no month: \(start)")
        }
        platforms.deviceCheck.update(PhysicalDevice(number: 1), team: "TEAM", bits: UInt8(start.count), in: month)
    }

    var events: [IPhoneEvent] { alphabet.filter(side.canHappen) }

    mutating func apply(_ event: IPhoneEvent) throws -> String? {
        if event == .monthsPass {
            now = now + Self.months.seconds
            side.updateReference(month: side.reference.month + Self.months.count, bits: side.reference.bits)
        }
        return try side.apply(event, at: now, &platforms) ?? side.difference(platforms)
    }
}

/// An iPhone's app under the account that evaluates it: the engine's view of it and the reference's.
struct IPhoneSide {
    private(set) var reference: ReferenceIPhone
    private var engine: Engine
    private var account: Account
    private var evidence: DeviceEvidence
    private let numbering: WalkNumbering

    private static let rejecting = PresetFacts.rejecting("strict")

    /// An app that was just installed, under an account of the team `TEAM` with a DeviceCheck key.
    ///
    /// - Parameters:
    ///   - bits: The bits that the account uses, to the engine.
    ///   - reference: The phone and the account to the reference.
    ///   - firstDevice: The number of its device ID; that of every later install is higher by 1.
    ///   - installs: How many installs there can be.
    ///   - now: When that is.
    init(
        bits: DeviceCheckSettings.Bits, reference: ReferenceIPhone, firstDevice: Int = 0, installs: Int, at now: Instant
    ) throws {
        self.reference = reference
        account = try Account.sample("default,strict,default")
        account.deviceCheck = DeviceCheckSettings(teamID: "TEAM", keyID: "KEY", bits: bits, expiry: 12)
        numbering = WalkNumbering(of: account, first: firstDevice, installs: installs)
        engine = Engine(account: account, source: .simulation, symbols: &numbering.symbols)
        evidence = DeviceEvidence(
            system: .ios, physical: PhysicalDevice(number: 1), deviceCheck: .available, launched: now)
    }

    /// True if an event does anything; a sequence with one that does not is the shorter one without it.
    func canHappen(_ event: IPhoneEvent) -> Bool {
        switch event {
        case .removeEntry: reference.hasEntry
        case .filterComes: !reference.hasBanningFilter
        case .filterGoes: reference.hasBanningFilter
        case .keyOff: reference.hasKey
        case .keyOn: !reference.hasKey
        case .nowAvailable: reference.capability != "available"
        case .nowUnavailable: reference.capability != "unavailable"
        case .nowInvalid: reference.capability != "invalid"
        default: true
        }
    }

    /// Lets an event happen to both.
    ///
    /// - Returns: In what the attestation differs, if the event is one and it does.
    mutating func apply(_ event: IPhoneEvent, at now: Instant, _ platforms: inout PlatformServices) throws -> String? {
        switch event {
        case .attest: return attest(by: .primary, at: now, &platforms)
        case .attestAtFailover: return attest(by: .failover, at: now, &platforms)
        case .ban, .unban, .removeEntry: try changeEntry(event, at: now)
        case .filterComes, .filterGoes: try changeFilter(event == .filterComes, at: now)
        case .keyOff, .keyOn: changeKey(event == .keyOn, at: now)
        case .reinstall, .launch: start(isInstalled: event == .reinstall, at: now)
        case .clear:
            reference.clearDeviceState()
            engine.clearDeviceState()
        case .nowAvailable: answer(.available)
        case .nowUnavailable: answer(.unavailable)
        case .nowInvalid: answer(.invalid)
        case .monthsPass: break
        }
        return nil
    }

    /// The reference learns the month, and what Apple has that another account may have changed.
    mutating func updateReference(month: Int, bits: ReferenceBits?) {
        reference.month = month
        reference.bits = bits
    }

    /// In what the persisted flags and Apple's bits differ; `nil` where they agree.
    func difference(_ platforms: PlatformServices) -> String? {
        let state = engine.deviceState(of: numbering.devices[reference.install])
        if let difference = numbering.difference(in: "state is", state, from: reference.state) { return difference }
        let setting = platforms.deviceCheck.query(evidence.physical, team: "TEAM")
        let month = reference.bits.flatMap { CalendarMonth(year: $0.month / 12, month: $0.month % 12 + 1) }
        if setting?.changed == month, setting.map({ Int($0.bits) }) == reference.bits?.count { return nil }
        let found = setting.map { "\($0.bits) of \($0.changed)" } ?? "nothing"
        return "Apple has \(found) instead of \(reference.bits?.description ?? "nothing")"
    }

    private mutating func attest(
        by service: TokenService, at now: Instant, _ platforms: inout PlatformServices
    ) -> String? {
        let expected = reference.attest(byFailover: service == .failover)
        let attestation = Attestation(time: now, device: numbering.devices[reference.install])
        let decision = engine.attest(
            attestation, evidence: evidence, by: service, platforms: &platforms, symbols: numbering.symbols)
        evidence.isFirstSinceLaunch = false
        let causes = expected.intersection(Self.rejecting)
        if let difference = numbering.difference(in: "flags are", decision.flags, from: expected)
            ?? numbering.difference(in: "rejections are", decision.rejectingFlags, from: causes)
        {
            return difference
        }
        return decision.passed == causes.isEmpty ? nil : "passed is \(decision.passed)"
    }

    private mutating func changeEntry(_ event: IPhoneEvent, at now: Instant) throws {
        let id = numbering.id(ofInstall: reference.install)
        if event == .removeEntry {
            reference.setEntry(nil)
            try account.removeDevice(id)
        } else {
            reference.setEntry(event == .ban ? "ban" : "unban")
            try account.set(DeviceEntry(id: id, banMode: event == .ban ? .ban : .unban))
        }
        changeAccount(at: now)
    }

    private mutating func changeFilter(_ comes: Bool, at now: Instant) throws {
        reference.hasBanningFilter = comes
        if comes { try account.set(.regex("ban-all", "flags-all", "", .ban)) }
        if !comes { try account.removeFilter(named: "ban-all") }
        changeAccount(at: now)
    }

    private mutating func changeKey(_ comes: Bool, at now: Instant) {
        reference.hasKey = comes
        account.deviceCheck?.keyID = comes ? "KEY" : nil
        changeAccount(at: now)
    }

    private mutating func changeAccount(at now: Instant) {
        engine.change(to: account, at: now, symbols: &numbering.symbols)
    }

    private mutating func start(isInstalled: Bool, at now: Instant) {
        if isInstalled { reference.reinstall() } else { reference.launch() }
        evidence.launched = now
        evidence.isFirstSinceLaunch = true
    }

    private mutating func answer(_ capability: DeviceCheckCapability) {
        reference.capability = capability.rawValue
        evidence.deviceCheck = capability
    }
}

/// An event of an iPhone, its app or the account that evaluates it.
enum IPhoneEvent: Hashable, Sendable, CaseIterable {
    case attest
    /// The failover answers (R14.3).
    case attestAtFailover
    /// The account gets an entry for the device ID that is there.
    case ban, unban
    case removeEntry
    /// The account gets a filter that matches everything and bans, and loses it.
    case filterComes, filterGoes
    case reinstall, launch
    /// The state of every device is cleared.
    case clear
    case keyOff, keyOn
    /// 13 months pass.
    case monthsPass
    /// The phone's answer to DeviceCheck changes.
    case nowAvailable, nowUnavailable, nowInvalid
}
