internal import PolicyEngine

/// The rules on simulated devices once more (R4.7, R8, R9, R14.3, R15): step 4 of R10, and what the failover leaves out.
///
/// Everything else is what ``ReferenceEvaluator`` makes of the resulting flags.
struct ReferenceSimulation {
    private var evaluator: ReferenceEvaluator
    private var changes: [Change] = []
    private let first: Change
    // The persisted flags of DeviceCheck and SafetyNet, by device ID.
    private var checks: [String: Set<String>] = [:]
    /// Apple's bits, by hardware.
    private(set) var bits: [Int: ReferenceBits]
    // The uses of a key, by day; the requests of hardware, by minute.
    private var uses: [String: [Int: Int]] = [:]
    private var usesOfHardware: [Int: [Int: Int]] = [:]

    private struct Change {
        let inForceFrom: Instant
        let account: ReferenceAccount
        let services: ReferenceServices
    }

    private static let deviceCheckResults: Set<String> = [
        "devicecheck-completed", "devicecheck-failed", "devicecheck-unavailable",
    ]

    init(_ account: ReferenceAccount, _ services: ReferenceServices, bits: [Int: ReferenceBits]) {
        evaluator = ReferenceEvaluator(account)
        first = Change(inForceFrom: Instant(secondsSinceEpoch: .min), account: account, services: services)
        self.bits = bits
    }

    /// R1.5.
    mutating func change(to account: ReferenceAccount, _ services: ReferenceServices, at time: Instant) {
        changes.append(Change(inForceFrom: time + account.propagation, account: account, services: services))
    }

    /// R6.5.
    mutating func clearDeviceState() {
        evaluator.clearDeviceState()
        checks = [:]
    }

    /// A device's persisted flags in catalogue order, or nothing when its state has not been set.
    func state(of device: String) -> [String]? {
        evaluator.states[device].map { bans in
            let flags = bans.union(checks[device] ?? [])
            return FlagFacts.names.filter(flags.contains)
        }
    }

    /// R10.
    ///
    /// - Parameters:
    ///   - observation: The observation of the phone.
    ///   - isFailover: True if the failover answers.
    mutating func attest(_ phone: ReferencePhone, _ observation: Observation, byFailover isFailover: Bool)
        -> NamedDecision
    {
        let change = change(inForceAt: observation.time)
        var observed = observation
        let isBanned = evaluator.states[phone.id]?.contains("did-ban") == true
        observed.flags = stepFour(phone, observation, change, byFailover: isFailover).sorted()
        tellEvaluator(isFailover ? Self.failover(change.account) : change.account, at: observation.time)
        var outcome = evaluator.attest(observed)
        if isFailover { outcome.annotations = nil }
        // R7.5, R8.4: a ban by a filter that matched; a ban that exists already is not written again.
        let banning = change.account.filters.filter { $0.options.contains(.ban) }.map(\.name)
        if !isBanned, !outcome.flags.contains("did-unban"), outcome.filters.contains(where: banning.contains) {
            tellApple("ban", of: phone, change.services, at: observation.time)
        }
        return outcome
    }

    private mutating func stepFour(
        _ phone: ReferencePhone, _ observation: Observation, _ change: Change, byFailover isFailover: Bool
    ) -> Set<String> {
        var flags = Set(observation.flags)
        let known = evaluator.states[phone.id]
        let isUnbanned = (known ?? []).union(flags).contains("did-unban")
        // Step 3 to Apple (R8.4–R8.6).
        switch change.account.devices.first(where: { $0.device == phone.id })?.banMode {
        case "unban":
            checks[phone.id]?.remove("devicecheck-ban")
            tellApple("unban", of: phone, change.services, at: observation.time)
        case "ban" where !isUnbanned && known?.contains("did-ban") != true:
            tellApple("ban", of: phone, change.services, at: observation.time)
        default: break
        }
        checkDevice(phone, change.services, isNew: known == nil, at: observation.time)
        if !isFailover { checkSafetyNet(phone, change.services, at: observation.time) }
        flags.formUnion(checks[phone.id] ?? [])
        if let missing = missing(of: phone, flags, change.services) { flags.insert(missing) }
        if !isRegistered(phone, observation, change.services) { flags.insert("app-not-registered") }
        guard isFailover else { return flags }
        return flags.filter { $0 != "cloned" && !$0.hasPrefix("safetynet-") }
    }

    // R8.1, R8.2.
    private mutating func checkDevice(
        _ phone: ReferencePhone, _ services: ReferenceServices, isNew: Bool, at time: Instant
    ) {
        var state = checks[phone.id] ?? []
        guard phone.system == "ios", let capability = phone.capability, let deviceCheck = services.deviceCheck,
            isNew || phone.isFirstSinceLaunch, !state.contains("devicecheck-completed")
        else { return }
        state.subtract(Self.deviceCheckResults)
        switch capability {
        case "unavailable": state.insert("devicecheck-unavailable")
        case "invalid": state.insert("devicecheck-failed")
        default:
            state.insert("devicecheck-completed")
            if deviceCheck.check(&bits[phone.hardware], in: Self.month(of: time)) { state.insert("devicecheck-ban") }
        }
        checks[phone.id] = state
    }

    private mutating func tellApple(
        _ mode: String, of phone: ReferencePhone, _ services: ReferenceServices, at time: Instant
    ) {
        guard phone.system == "ios", phone.capability == "available", let deviceCheck = services.deviceCheck else {
            return
        }
        if mode == "ban" {
            deviceCheck.ban(&bits[phone.hardware], in: Self.month(of: time))
        } else {
            deviceCheck.unban(&bits[phone.hardware], in: Self.month(of: time))
        }
    }

    // R9.1, R9.2, R1.5.
    private mutating func checkSafetyNet(_ phone: ReferencePhone, _ services: ReferenceServices, at time: Instant) {
        var state = checks[phone.id] ?? []
        guard phone.system == "android", let outcome = phone.outcome, let key = services.safetyNetKey,
            !state.contains("safetynet-completed"),
            phone.isFirstSinceLaunch || !state.contains("safetynet-unavailable")
        else { return }
        state.remove("safetynet-unavailable")
        if outcome == "unavailable" || !grants(key, quota: services.dailyQuota, to: phone.hardware, at: time) {
            state.insert("safetynet-unavailable")
        } else {
            state.insert("safetynet-completed")
            let isEvaluated = outcome != "fail-cert" || change(inForceAt: phone.launched).services.hasCertificate
            if outcome != "pass", isEvaluated { state.insert("safetynet-\(outcome)") }
        }
        checks[phone.id] = state
    }

    // R9.3.
    private mutating func grants(_ key: String, quota: Int, to hardware: Int, at time: Instant) -> Bool {
        let (day, minute) = (time.secondsSinceEpoch / 86_400, time.secondsSinceEpoch / 60)
        let (used, usedByHardware) = (uses[key]?[day] ?? 0, usesOfHardware[hardware]?[minute] ?? 0)
        guard used < quota, usedByHardware < 5 else { return false }
        uses[key, default: [:]][day] = used + 1
        usesOfHardware[hardware, default: [:]][minute] = usedByHardware + 1
        return true
    }

    // R4.7.
    private func missing(of phone: ReferencePhone, _ flags: Set<String>, _ services: ReferenceServices) -> String? {
        switch phone.system {
        case "ios":
            services.deviceCheck != nil && flags.isDisjoint(with: Self.deviceCheckResults) ? "devicecheck-missing" : nil
        case "android":
            services.safetyNetKey != nil && flags.isDisjoint(with: ["safetynet-completed", "safetynet-unavailable"])
                ? "safetynet-missing" : nil
        default: nil
        }
    }

    // R15.1, R15.2.
    private func isRegistered(
        _ phone: ReferencePhone, _ observation: Observation, _ services: ReferenceServices
    ) -> Bool {
        guard let registrations = services.registrations else { return phone.isRegistered }
        return registrations.contains { registration in
            if let expiry = registration.expiry, expiry <= observation.time { return false }
            if let package = registration.package, package != observation.attributes["appid"] { return false }
            if let version = registration.version, version != observation.attributes["app-version"] { return false }
            if let library = registration.library, let sdk = observation.attributes["sdkid"], library != sdk {
                return false
            }
            guard Self.isBundle(registration, on: phone) else {
                return registration.signature == observation.attributes["app-sig"]
            }
            return registration.signature == observation.attributes["app-id-sig"]
                && isSignedWithKnownCertificate(phone, observation)
        }
    }

    private static func isBundle(_ registration: ReferenceRegistration, on phone: ReferencePhone) -> Bool {
        if registration.isBundle { return true }
        guard registration.version == nil else { return false }
        return registration.sdk.map { $0.hasPrefix("Android") } ?? (phone.system == "android")
    }

    private func isSignedWithKnownCertificate(_ phone: ReferencePhone, _ observation: Observation) -> Bool {
        guard let certificate = observation.attributes["app-cert"] else { return true }
        return change(inForceAt: phone.launched).services.hasCertificate
            && certificate.uppercased().hasPrefix("C0:F3:15:9B:A5:6C:A8:E1")
    }

    private func change(inForceAt time: Instant) -> Change { changes.last { $0.inForceFrom <= time } ?? first }

    // The evaluator gets an account when it affects an attestation, and so that it does at once.
    private mutating func tellEvaluator(_ account: ReferenceAccount, at time: Instant) {
        evaluator.change(to: account, at: time + -account.propagation)
    }

    // R14.3: no filters, no sampling, and so no filtered policy.
    private static func failover(_ account: ReferenceAccount) -> ReferenceAccount {
        var account = account
        account.filters = []
        account.sampledThousandths = 0
        account.devices.removeAll { $0.device == Sample.filteredPolicy }
        return account
    }

    private static func month(of time: Instant) -> Int { time.date.year * 12 + time.date.month - 1 }
}
