internal import PolicyEngine

/// Draws what accounts have beside policies, filters and entries, and the phones that attest, from a seed.
struct ServiceGenerator {
    private var chance: SplitMix64

    /// The values of the attributes by which apps are registered.
    static let values = [
        "app-sig": ["sig-one=", "sig-two="], "appid": ["com.example.one", "com.example.two"],
        "app-version": ["1.0(1)", "1.0(2)", "2.0"], "app-id-sig": ["sig-one=", "sig-two="], "sdkid": ["4000", "4505"],
        "app-cert": ["C0:F3:15:9B:A5:6C:A8:E1", "c0:f3:15:9b:a5:6c:a8:e1:00", "00:11:22:33:44:55:66:77"],
    ]
    private static let capabilities = ["available", "available", "available", "unavailable", "invalid"]
    private static let outcomes = [
        "pass", "pass", "fail-token", "fail-integrity", "fail-profile", "fail-cert", "fail-cert", "unavailable",
    ]

    init(seed: UInt64) {
        chance = SplitMix64(seed: seed)
    }

    /// All that an account has.
    ///
    /// - Parameter now: Registrations that end do so around then.
    mutating func services(at now: Instant) -> ReferenceServices {
        var services = ReferenceServices()
        if chance.happens(75) {
            services.deviceCheck = ReferenceDeviceCheck(
                bits: chance.pick(["none", "bit0", "bit1", "both", "both"]), expiry: chance.pick([1, 2, 12]))
        }
        if chance.happens(75) { services.safetyNetKey = chance.pick(["google-one", "google-two"]) }
        services.dailyQuota = chance.pick([10_000, 10_000, 3, 1, 0])
        services.hasCertificate = chance.happens(50)
        if chance.happens(50) { services.registrations = registrations(at: now) }
        return services
    }

    /// The settings of an account with some of them drawn anew.
    mutating func change(of services: ReferenceServices, at now: Instant) -> ReferenceServices {
        let other = self.services(at: now)
        var changed = services
        if chance.happens(40) { changed.deviceCheck = other.deviceCheck }
        if chance.happens(40) { changed.safetyNetKey = other.safetyNetKey }
        if chance.happens(20) { changed.dailyQuota = other.dailyQuota }
        if chance.happens(40) { changed.hasCertificate = other.hasCertificate }
        if chance.happens(40) { changed.registrations = other.registrations }
        return changed
    }

    /// Phones, each with device IDs of its own to have in turn; some are one hardware with two apps.
    mutating func phones(at now: Instant) -> [(phone: ReferencePhone, ids: [String])] {
        let ids = chance.shuffled(AccountGenerator.devices)
        let shares = [Array(ids[0..<3]), Array(ids[3..<5]), Array(ids[5...])]
        return shares.enumerated().map { number, ids in
            var phone = ReferencePhone(
                system: chance.pick(["ios", "ios", "ios", "android", "android", "android", "unknown"]),
                hardware: chance.happens(25) ? 0 : number, id: ids[0], launched: now)
            if chance.happens(90) { phone.capability = chance.pick(Self.capabilities) }
            if chance.happens(90) { phone.outcome = chance.pick(Self.outcomes) }
            return (phone, ids)
        }
    }

    /// Draws the answers and results of a phone from now on.
    mutating func change(_ phone: inout ReferencePhone) {
        if phone.capability != nil { phone.capability = chance.pick(Self.capabilities) }
        if phone.outcome != nil { phone.outcome = chance.pick(Self.outcomes) }
        phone.isRegistered = chance.happens(70)
    }

    /// Apple's bits at the start.
    mutating func bits(at now: Instant) -> [Int: ReferenceBits] {
        let month = now.date.year * 12 + now.date.month - 1
        var bits: [Int: ReferenceBits] = [:]
        for hardware in 0..<3 where chance.happens(40) {
            bits[hardware] = ReferenceBits(count: chance.below(4), month: month - chance.below(15))
        }
        return bits
    }

    private mutating func registrations(at now: Instant) -> [ReferenceRegistration] {
        (0..<chance.below(4)).map { _ in
            ReferenceRegistration(
                signature: value(of: "app-sig"), package: chance.happens(80) ? value(of: "appid") : nil,
                version: chance.happens(60) ? value(of: "app-version") : nil,
                library: chance.happens(40) ? value(of: "sdkid") : nil,
                sdk: chance.happens(60) ? chance.pick(["Android(2.6.0)", "iOS(2.6.0)"]) : nil,
                isBundle: chance.happens(25),
                expiry: chance.happens(40) ? now + chance.pick([0, 0, 1, 10, 30, 300, 3600]) : nil)
        }
    }

    private mutating func value(of key: String) -> String { chance.pick(Self.values[key] ?? []) }
}
