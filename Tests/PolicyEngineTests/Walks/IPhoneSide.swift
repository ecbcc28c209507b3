@testable import PolicyEngine
@testable import TestSupport

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
        account.addAuthKey("KEY", teamID: "TEAM", bits: bits, expiry: 12)
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
