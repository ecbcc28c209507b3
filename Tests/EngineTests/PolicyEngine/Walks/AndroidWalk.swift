@testable import PolicyEngine
@testable import TestSupport

/// An Android phone with one app.
struct AndroidWalk: Walk {
    private let alphabet: [AndroidEvent]
    private let setting: Setting
    private var reference: ReferenceAndroid
    private var engine: Engine
    private var account: Account
    private var evidence: DeviceEvidence
    private var platforms = PlatformServices()
    private var keys = 1
    private let numbering: WalkNumbering

    private static let rejecting = PresetFacts.rejecting("strict")
    private static let fingerprint = "C0:F3:15:9B:A5:6C:A8:E1"

    /// The settings that stay as they are during a walk.
    struct Setting: Sendable {
        var dailyQuota = 2
        /// Seconds until a change of the account is in force.
        var propagation = 0
        /// Seconds that pass with every event; more than a minute, so that only the quota of the day is reached.
        var pause = 61
        /// The outcome of SafetyNet if the phone fails.
        var failure = SafetyNetOutcome.failIntegrity
        /// True if it fails from the start.
        var failsAtFirst = false
        /// The quota that the reference assumes; a wrong one must be found out.
        var referenceQuota: Int?
    }

    init(alphabet: [AndroidEvent], length: Int, _ setting: Setting = Setting()) throws {
        self.alphabet = alphabet
        self.setting = setting
        account = try Account.sample("default,strict,default")
        account.propagation = setting.propagation
        account.safetyNet = SafetyNetSettings(apiKey: "key-0", dailyQuota: setting.dailyQuota)
        numbering = WalkNumbering(of: account, installs: length + 1)
        engine = Engine(account: account, source: .simulation, symbols: &numbering.symbols)
        let outcome = setting.failsAtFirst ? setting.failure : .pass
        evidence = DeviceEvidence(
            system: .android, physical: PhysicalDevice(number: 1), safetyNet: outcome, launched: Sample.time)
        reference = ReferenceAndroid(
            key: "key-0", dailyQuota: setting.referenceQuota ?? setting.dailyQuota, propagation: setting.propagation,
            now: Sample.time.secondsSinceEpoch)
        reference.outcome = outcome.rawValue
    }

    var events: [AndroidEvent] { alphabet.filter(canHappen) }

    // True if an event does anything; a sequence with one that does not is the shorter one without it.
    private func canHappen(_ event: AndroidEvent) -> Bool {
        switch event {
        case .keyOff: reference.latest.key != nil
        case .becomesUnavailable: reference.outcome != "unavailable"
        case .becomesPass: reference.outcome != "pass"
        case .becomesFailing: reference.outcome != setting.failure.rawValue
        case .addCertificate: !reference.latest.hasCertificate
        case .removeCertificate: reference.latest.hasCertificate
        default: true
        }
    }

    mutating func apply(_ event: AndroidEvent) throws -> String? {
        var difference: String?
        switch event {
        case .attest: difference = attest(by: .primary)
        case .attestAtFailover: difference = attest(by: .failover)
        case .launch, .reinstall, .factoryReset: start(isReset: event == .factoryReset)
        case .clear:
            reference.clearDeviceState()
            engine.clearDeviceState()
        case .keyOff, .newKey: changeKey(isNew: event == .newKey)
        case .becomesUnavailable: become(.unavailable)
        case .becomesPass: become(.pass)
        case .becomesFailing: become(setting.failure)
        case .nextDay: reference.now += 86_400
        case .addCertificate, .removeCertificate: try changeCertificate(event == .addCertificate)
        }
        reference.now += setting.pause
        return difference ?? differenceInState
    }

    private var now: Instant { Instant(secondsSinceEpoch: reference.now) }

    private var differenceInState: String? {
        let state = engine.deviceState(of: numbering.devices[reference.install])
        return numbering.difference(in: "state is", state, from: reference.state)
    }

    private mutating func attest(by service: TokenService) -> String? {
        let attestation = Attestation(time: now, device: numbering.devices[reference.install])
        let decision = engine.attest(
            attestation, evidence: evidence, by: service, platforms: &platforms, symbols: numbering.symbols)
        evidence.isFirstSinceLaunch = false
        let expected = reference.attest(byFailover: service == .failover)
        let causes = expected.intersection(Self.rejecting)
        if let difference = numbering.difference(in: "flags are", decision.flags, from: expected)
            ?? numbering.difference(in: "rejections are", decision.rejectingFlags, from: causes)
        {
            return difference
        }
        let lifetime = expected.contains("risky-device") ? 120 : 300
        if decision.lifetime != lifetime { return "lifetime is \(decision.lifetime) instead of \(lifetime)" }
        return decision.passed == causes.isEmpty ? nil : "passed is \(decision.passed)"
    }

    private mutating func start(isReset: Bool) {
        evidence.launched = now
        evidence.isFirstSinceLaunch = true
        if isReset { reference.reset() } else { reference.launch() }
    }

    private mutating func changeKey(isNew: Bool) {
        let key = isNew ? "key-\(keys)" : nil
        keys += 1
        reference.change { $0.key = key }
        account.safetyNet?.apiKey = key
        changeAccount()
    }

    private mutating func changeCertificate(_ comes: Bool) throws {
        reference.change { $0.hasCertificate = comes }
        if comes { try account.append(AppSigningCertificate(fingerprint: Self.fingerprint)) }
        if !comes { try account.removeAppSigningCertificate(Self.fingerprint) }
        changeAccount()
    }

    private mutating func changeAccount() { engine.change(to: account, at: now, symbols: &numbering.symbols) }

    private mutating func become(_ outcome: SafetyNetOutcome) {
        reference.outcome = outcome.rawValue
        evidence.safetyNet = outcome
    }
}
