@testable import PolicyEngine
@testable import TestSupport

/// A random account and random phones, evaluated by the engine and by the reference side by side.
struct SimulatedRun {
    private var chance: SplitMix64
    private var accounts: AccountGenerator
    private var services: ServiceGenerator
    private var observations: ObservationGenerator
    private var account: ReferenceAccount
    private var ofAccount: ReferenceServices
    private var phones: [(phone: ReferencePhone, ids: [String])]
    private var reference: ReferenceSimulation
    private var service: SimulatedService
    private var platforms = PlatformServices()
    // Seconds by which time leapt ahead of the observations, and the time of the latest one.
    private var leap = 0
    private var latest: Instant

    /// An attestation and what both made of it.
    struct Step {
        let phone: ReferencePhone
        let observation: Observation
        let isFailover: Bool
        let expected: NamedDecision
        let actual: NamedDecision
        /// The difference in the state of a device or in Apple's bits afterwards.
        let difference: String?
    }

    init(seed: UInt64) throws {
        chance = SplitMix64(seed: ~seed)
        accounts = AccountGenerator(seed: chance.next())
        account = accounts.account()
        observations = ObservationGenerator(seed: chance.next(), declared: account.flags.map(\.name))
        services = ServiceGenerator(seed: chance.next())
        latest = observations.now
        ofAccount = services.services(at: latest)
        phones = services.phones(at: latest)
        let bits = services.bits(at: latest)
        reference = ReferenceSimulation(account, ofAccount, bits: bits)
        service = SimulatedService(try Account(account, ofAccount))
        for (hardware, setting) in bits {
            guard let month = CalendarMonth(year: setting.month / 12, month: setting.month % 12 + 1) else { continue }
            platforms.deviceCheck.update(
                PhysicalDevice(number: UInt32(hardware)), team: ReferenceServices.team, bits: UInt8(setting.count),
                in: month)
        }
    }

    /// Lets something happen to the account and to a phone now and then, and one attestation.
    mutating func step() throws -> Step {
        if chance.happens(6) { try changeAccount() }
        if chance.happens(2) {
            service.clearDeviceState()
            reference.clearDeviceState()
        }
        if chance.happens(3) { leap += chance.pick([1, 31, 61, 400]) * Instant.secondsPerDay }
        var observation = observations.next()
        observation.time = observation.time + leap
        let index = chance.below(phones.count)
        changePhone(index, at: observation.time)
        let phone = phones[index].phone
        observation.device = phone.id
        observation.flags.removeAll { Self.isDerived($0, of: phone) }
        for (key, values) in ServiceGenerator.values.sorted(by: { $0.key < $1.key }) where chance.happens(95) {
            observation.attributes[key] = chance.pick(values)
        }
        latest = observation.time
        let isFailover = chance.happens(15)
        var device = SimulatedDevice(phone, observation)
        let actual = try service.attest(
            &device, at: observation.time, by: isFailover ? .failover : .primary, with: &platforms)
        let expected = reference.attest(phone, observation, byFailover: isFailover)
        phones[index].phone.isFirstSinceLaunch = false
        return Step(
            phone: phone, observation: observation, isFailover: isFailover, expected: expected, actual: actual,
            difference: try differenceInState(of: phone))
    }

    // A flag of a service that is simulated of the phone is derived, and not observed (R2.4).
    private static func isDerived(_ flag: String, of phone: ReferencePhone) -> Bool {
        (phone.capability != nil && flag.hasPrefix("devicecheck-"))
            || (phone.outcome != nil && flag.hasPrefix("safetynet-"))
    }

    private mutating func changeAccount() throws {
        let now = latest
        if chance.happens(60) { account = accounts.change(of: account) }
        if chance.happens(80) { ofAccount = services.change(of: ofAccount, at: now) }
        let changed = try Account(account, ofAccount)
        service.change(at: now) { $0 = changed }
        reference.change(to: account, ofAccount, at: now)
    }

    // Launches lie anywhere between the latest attestation and this one.
    private mutating func changePhone(_ index: Int, at now: Instant) {
        if chance.happens(10) { services.change(&phones[index].phone) }
        let isInstalled = chance.happens(12)
        guard isInstalled || chance.happens(25) else { return }
        phones[index].phone.launched = now + -chance.below(now - latest + 1)
        phones[index].phone.isFirstSinceLaunch = true
        if isInstalled { phones[index].phone.id = chance.pick(phones[index].ids) }
    }

    private mutating func differenceInState(of phone: ReferencePhone) throws -> String? {
        let (state, expected) = (try service.state(of: phone.id), reference.state(of: phone.id))
        if state != expected { return "state is \(state ?? ["not set"]) instead of \(expected ?? ["not set"])" }
        let setting = platforms.deviceCheck.query(
            PhysicalDevice(number: UInt32(phone.hardware)), team: ReferenceServices.team)
        let (found, wanted) = (
            setting.map { "\($0.bits) of \($0.changed)" }, reference.bits[phone.hardware]?.description
        )
        return found == wanted ? nil : "Apple has \(found ?? "nothing") instead of \(wanted ?? "nothing")"
    }
}

extension SimulatedDevice {
    /// The engine's device that a reference phone describes.
    init(_ phone: ReferencePhone, _ observation: Observation) {
        let system: OperatingSystem =
            switch phone.system {
            case "ios": .ios
            case "android": .android
            default: .unknown
            }
        var evidence = DeviceEvidence(
            system: system, physical: PhysicalDevice(number: UInt32(phone.hardware)),
            deviceCheck: phone.capability.flatMap(DeviceCheckCapability.init(rawValue:)),
            safetyNet: phone.outcome.flatMap(SafetyNetOutcome.init(rawValue:)), launched: phone.launched)
        evidence.isFirstSinceLaunch = phone.isFirstSinceLaunch
        evidence.isRegistered = phone.isRegistered
        self.init(id: phone.id, evidence: evidence, flags: observation.flags, attributes: observation.attributes)
    }
}

extension Account {
    /// The engine's account that a reference account and its services describe.
    init(_ reference: ReferenceAccount, _ services: ReferenceServices) throws {
        try self.init(reference)
        if let deviceCheck = services.deviceCheck {
            guard let bits = DeviceCheckSettings.Bits(rawValue: deviceCheck.bits) else {
                throw TestFailure("no bits: \(deviceCheck.bits)")
            }
            self.deviceCheck = DeviceCheckSettings(
                teamID: ReferenceServices.team, keyID: "KEY", bits: bits, expiry: deviceCheck.expiry)
        }
        if let key = services.safetyNetKey {
            safetyNet = SafetyNetSettings(apiKey: key, dailyQuota: services.dailyQuota)
        }
        if services.hasCertificate { try append(AppSigningCertificate(fingerprint: "C0:F3:15:9B:A5:6C:A8:E1")) }
        guard let registrations = services.registrations else { return }
        listRegistrations()
        for registration in registrations {
            try append(
                Registration(
                    signature: registration.signature, package: registration.package, version: registration.version,
                    libraryID: registration.library, sdk: registration.sdk, isBundle: registration.isBundle,
                    expiry: registration.expiry))
        }
    }
}
