import PolicyEngine

@testable import TestSupport

/// The service's side of one account: its changes, what it knows of devices, what it counted.
struct SweepService {
    private let first: SweepAccount
    private var changes: [Change] = []
    private var evaluator: ReferenceEvaluator
    // The persisted flags of DeviceCheck and SafetyNet, by device ID.
    private var checks: [String: Set<String>] = [:]
    /// The evaluations of the primary service.
    private(set) var evaluated: [SweepEvaluation] = []

    private struct Change {
        let inForceFrom: Instant
        let account: SweepAccount
    }

    init(_ account: SweepAccount) {
        first = account
        evaluator = ReferenceEvaluator(account.core)
    }

    /// The account with every change made so far.
    var latest: SweepAccount { changes.last?.account ?? first }

    /// The devices whose ban holds.
    var bannedCount: Int { evaluator.bannedDeviceCount }

    /// The devices that attested in the last two minutes (R6.2).
    func latestDevices(at time: Instant) -> Set<String> {
        Set(evaluated.filter { time - $0.time <= 120 }.map(\.install.id))
    }

    /// The account in force (R1.5).
    func account(at time: Instant) -> SweepAccount { changes.last { $0.inForceFrom <= time }?.account ?? first }

    /// R1.5; device state is cleared at once.
    mutating func carryOut(_ command: SweepCommand, at time: Instant) {
        if command == .clearDeviceState {
            evaluator.clearDeviceState()
            checks = [:]
            return
        }
        var account = latest
        command.apply(to: &account)
        changes.append(Change(inForceFrom: time + account.core.propagation, account: account))
    }

    /// The number of changes that are made, and of those that are in force.
    typealias Moment = (made: Int, inForce: Int)

    /// The moment of a step: those that follow it in its second are not made yet.
    func moment(at time: Instant) -> Moment {
        (changes.count, (changes.lastIndex { $0.inForceFrom <= time } ?? -1) + 1)
    }

    /// Why there is no token for a domain or URL at a moment; nothing where it is served (R14.2, R14.2a).
    ///
    /// One that was added is there at once, one that was removed stays until that is in force (R1.5).
    func refusal(of domain: String?, at moment: Moment) -> String? {
        guard let text = domain else { return nil }
        let domain = text.replacing("https://", with: "").split(separator: "/")[0]
        if text.contains("://"), !text.hasPrefix("https://") { return "BAD_URL" }
        let accounts = ([first] + changes.map(\.account))[moment.inForce...moment.made]
        if let known = accounts.reversed().lazy.compactMap({ $0.domains?.first { domain == $0.name } }).first {
            return known.isPinOnly ? "UNPROTECTED_URL" : nil
        }
        return accounts.first?.domains == nil ? nil : "UNKNOWN_URL"
    }

    /// R10 of a simulated device.
    mutating func attest(
        _ install: SweepInstall, at time: Instant, byFailover isFailover: Bool, with platforms: inout SweepPlatforms
    ) -> NamedDecision {
        let account = account(at: time)
        var observation = Observation(time: time, device: install.id, attributes: install.sent)
        observation.attributes["attest-reason"] = install.reason(at: time)
        let flags = stepsThreeAndFour(install, account, at: time, byFailover: isFailover, with: &platforms)
        observation.flags = flags.sorted()
        // The evaluator knows the account that is in force only, so that it is in force for it, too.
        let known = account.known(byFailover: isFailover)
        evaluator.change(to: known, at: time + -known.propagation)
        let wasBanned = isBanned(install.id)
        var outcome = evaluator.attest(observation)
        if isFailover { outcome.annotations = nil }
        // R8.4: a ban by a filter; that of the entry was written before.
        let isByEntry = account.core.devices.contains { $0.device == install.id && $0.banMode == "ban" }
        if !wasBanned, isBanned(install.id), !isByEntry { platforms.write("ban", install, account, at: time) }
        if !isFailover {
            evaluated.append(SweepEvaluation(time: time, install: install, outcome: outcome))
        }
        return outcome
    }

    // R17.1, R17.5: domains changed since the start, or the pin mode of the device, which no app has built in.
    private func isOutdated(_ id: String, at time: Instant) -> Bool {
        let mode = { (account: SweepAccount) in account.pinModes[id] ?? "pin" }
        var accounts = [first]
        accounts += changes.filter { $0.inForceFrom <= time }.map(\.account)
        let isChanged = zip(accounts, accounts.dropFirst()).contains { before, after in
            before.domains ?? [] != after.domains ?? [] || mode(before) != mode(after)
        }
        return isChanged || mode(first) != "pin"
    }

    private func isBanned(_ id: String) -> Bool { evaluator.states[id]?.contains("did-ban") ?? false }

    private mutating func stepsThreeAndFour(
        _ install: SweepInstall, _ account: SweepAccount, at time: Instant, byFailover isFailover: Bool,
        with platforms: inout SweepPlatforms
    ) -> Set<String> {
        var flags = install.observed
        if isOutdated(install.id, at: time) { flags.insert("init-config-outdated") }
        let known = evaluator.states[install.id]
        let isUnbanned = flags.contains("did-unban") || (known?.contains("did-unban") ?? false)
        switch account.core.devices.first(where: { $0.device == install.id })?.banMode {
        case "unban":
            checks[install.id]?.remove("devicecheck-ban")
            platforms.write("unban", install, account, at: time)
        // R8.4: a ban that exists already writes nothing again.
        case "ban" where !isUnbanned && !isBanned(install.id):
            platforms.write("ban", install, account, at: time)
        default: break
        }
        checkDevice(install, account, isNew: known == nil, at: time, with: &platforms)
        if !isFailover { checkSafetyNet(install, account, at: time, with: &platforms) }
        flags.formUnion(checks[install.id] ?? [])
        if let missing = Self.missing(install, account, flags) { flags.insert(missing) }
        if !isRegistered(install, account, at: time) { flags.insert("app-not-registered") }
        // R14.3.
        return isFailover ? flags.filter { $0 != "cloned" && !$0.hasPrefix("safetynet-") } : flags
    }

    private static let results: Set<String> = [
        "devicecheck-completed", "devicecheck-failed", "devicecheck-unavailable",
    ]

    // R8.1.
    private mutating func checkDevice(
        _ install: SweepInstall, _ account: SweepAccount, isNew: Bool, at time: Instant,
        with platforms: inout SweepPlatforms
    ) {
        var state = checks[install.id] ?? []
        guard install.system == "ios", platforms.capabilities[install.hardware] != nil, account.hasDeviceCheckKey,
            isNew || install.isFirstSinceLaunch, !state.contains("devicecheck-completed")
        else { return }
        state.subtract(Self.results)
        checks[install.id] = state.union(platforms.check(install, account, at: time))
    }

    // R9.1.
    private mutating func checkSafetyNet(
        _ install: SweepInstall, _ account: SweepAccount, at time: Instant, with platforms: inout SweepPlatforms
    ) {
        var state = checks[install.id] ?? []
        guard install.system == "android", platforms.outcomes[install.hardware] != nil, account.safetyNetKey != nil,
            install.hasSDK(2, 4), !state.contains("safetynet-completed"),
            !state.contains("safetynet-unavailable") || install.isFirstForSafetyNet
        else { return }
        state.remove("safetynet-unavailable")
        let hasCertificates = !self.account(at: install.launched).certificates.isEmpty
        checks[install.id] = state.union(
            platforms.attest(install, account, hasCertificates: hasCertificates, at: time))
    }

    // R4.7.
    private static func missing(_ install: SweepInstall, _ account: SweepAccount, _ flags: Set<String>) -> String? {
        switch install.system {
        case "ios" where account.hasDeviceCheckKey && flags.isDisjoint(with: results): "devicecheck-missing"
        case "android"
        where account.safetyNetKey != nil && flags.isDisjoint(with: ["safetynet-completed", "safetynet-unavailable"]):
            "safetynet-missing"
        default: nil
        }
    }

    // R15.1, R15.2.
    private func isRegistered(_ install: SweepInstall, _ account: SweepAccount, at time: Instant) -> Bool {
        guard let registrations = account.registrations else { return install.isRegistered }
        return registrations.contains { registration in
            if let expiry = registration.expiry, expiry <= time { return false }
            if let package = registration.package, package != install.attributes["appid"] { return false }
            if let version = registration.version, version != install.attributes["app-version"] { return false }
            if let library = registration.library, let sdk = install.attributes["sdkid"], library != sdk {
                return false
            }
            guard Self.isBundle(registration, on: install) else {
                return registration.signature == install.attributes["app-sig"]
            }
            return registration.signature == install.attributes["app-id-sig"] && isSignedAsKnown(install)
        }
    }

    private static func isBundle(_ registration: ReferenceRegistration, on install: SweepInstall) -> Bool {
        if registration.isBundle { return true }
        guard registration.version == nil else { return false }
        return registration.sdk.map { $0.hasPrefix("Android") } ?? (install.system == "android")
    }

    // R1.5: what the account had when the app was launched.
    private func isSignedAsKnown(_ install: SweepInstall) -> Bool {
        guard let certificate = install.attributes["app-cert"] else { return true }
        let known = self.account(at: install.launched).certificates
        return known.contains { certificate.uppercased().hasPrefix($0.uppercased()) }
    }
}

extension SweepAccount {
    /// The account as the evaluator gets it: the failover has neither filters nor sampling, and so no filtered policy
    /// (R14.3).
    fileprivate func known(byFailover isFailover: Bool) -> ReferenceAccount {
        guard isFailover else { return core }
        var known = core
        known.devices.removeAll { $0.device == SweepAccount.filteredPolicy }
        known.filters = []
        known.sampledThousandths = 0
        return known
    }

    /// The pseudo device (R1.2).
    static let filteredPolicy = "++FilteredSecPolicy++w=="
}
