import PolicyEngine

@testable import TestSupport

/// Draws scenarios from a seed.
struct SweepGenerator {
    var chance: SplitMix64
    var scenario: SweepScenario
    /// The accounts with every command so far.
    var accounts: [SweepAccount]
    /// The generators of further settings, by account.
    var others: [AccountGenerator]
    var keyCount = 0
    /// The values drawn for the installs, once they were asked for.
    var drawn: SweepDrawn?

    static let domains = ["api.one.com", "api.two.com", "pins.example.com"]
    static let rejectable = [
        "rooted", "root-risk", "xposed", "jailbroken", "frida", "cloned", "automated", "debug", "pinning-tampered",
        "emulator", "risky-device", "safetynet-fail-integrity", "init-config-outdated",
    ]

    /// Draws a whole scenario.
    static func scenario(seed: UInt64) throws -> SweepScenario {
        var generator = SweepGenerator(seed: seed)
        try generator.addSteps()
        return generator.scenario
    }

    private init(seed: UInt64) {
        var chance = SplitMix64(seed: seed)
        // Not long before the end of a leap February, so that days and months turn.
        let start = Instant(secondsSinceEpoch: 1_582_934_400 - chance.pick([300, 3600, 20_000]) + chance.below(120))
        let count = chance.happens(25) ? 2 : 1
        others = (0..<count).map { _ in AccountGenerator(seed: chance.next()) }
        accounts = []
        scenario = SweepScenario(seed: seed, start: start, accounts: [])
        self.chance = chance
        // Quota and use belong to the key, and so to all accounts that have it (R9.3).
        let quota = self.chance.pick([10_000, 10_000, 10_000, 3, 1, 0])
        for index in others.indices {
            var account = account(index, at: start)
            account.dailyQuota = quota
            if count > 1 { account.label = ["first", "second"][index] }
            accounts.append(account)
        }
        scenario.accounts = accounts
        addGroups()
    }

    private mutating func account(_ index: Int, at start: Instant) -> SweepAccount {
        var account = SweepAccount(core: others[index].account())
        account.core.policy.edits = Self.distinct(account.core.policy.edits)
        for index in account.core.devices.indices {
            account.core.devices[index].policy?.edits = []
            // R3.2.
            if account.core.devices[index].device == SweepAccount.filteredPolicy, chance.happens(15) {
                account.core.devices[index].policy?.rules = "no-such-rules"
            }
        }
        if account.core.filters.count < 25, chance.happens(30) { account.core.filters += reasonFilter() }
        account.hasResponseCodes = chance.happens(70)
        account.billingDay = chance.pick([1, 1, 28, 15])
        account.testsPinning = chance.happens(40)
        for entry in account.core.devices where entry.device != SweepAccount.filteredPolicy && chance.happens(15) {
            account.pinModes[entry.device] = chance.pick(["pin", "unpin", "block", "blockAll", "blockAll"])
        }
        var services = ServiceGenerator(seed: chance.next())
        let has = services.services(at: start)
        if let check = has.deviceCheck {
            (account.team, account.deviceCheck) = (chance.pick(["TEAM", "TEAM", "OTHER"]), check)
            account.hasDeviceCheckKey = true
        } else if chance.happens(30) {
            account.team = "TEAM"
        }
        account.safetyNetKey = has.safetyNetKey
        if has.hasCertificate { account.certificates = ["C0:F3:15:9B:A5:6C:A8:E1"] }
        account.registrations = chance.happens(60) ? nil : has.registrations
        if chance.happens(40) {
            account.domains = chance.some(of: Self.domains, 60).map {
                SweepDomain(name: $0, isPinOnly: $0.hasPrefix("pins"))
            }
        }
        return account
    }

    // R14.2b; its name is none of the others'.
    private mutating func reasonFilter() -> [ReferenceFilter] {
        let options = chance.some(of: [ReferenceFilter.Option.reject, .risky, .executesFilteredPolicy], 30)
        let value = chance.pick(["launch", "expiry", "change"])
        let test = ReferenceFilter.Test.exact(key: "attest-reason", value: value)
        return [ReferenceFilter(name: "reason", test: test, options: Set(options))]
    }

    /// The edits without those of a flag that is edited again: a file names each flag once.
    private static func distinct(_ edits: [ReferenceEdit]) -> [ReferenceEdit] {
        edits.enumerated().filter { index, edit in
            !edits[(index + 1)...].contains { $0.flag == edit.flag }
        }.map(\.element)
    }
}

// MARK: Groups

extension SweepGenerator {
    private mutating func addGroups() {
        // Phones that groups may share: they run one system and can do what they can.
        let phones = ["pear", "plum"].map { name in
            SweepGroup(
                name: name, system: chance.pick(["ios", "ios", "android"]), hardware: name,
                capability: capability(), bits: bits(), outcome: outcome())
        }
        var (ids, used) = (chance.shuffled(AccountGenerator.devices), Set<String>())
        for index in 0..<chance.pick([1, 2, 2, 3, 4]) {
            var group = SweepGroup(name: "group-\(index)", account: chance.below(accounts.count))
            group.count = chance.pick([1, 1, 1, 2, 3, 5])
            if group.count == 1, chance.happens(70) { group.id = ids.removeLast() }
            if chance.happens(30) {
                share(chance.pick(phones), in: &group, isFirst: &used)
            } else {
                group.system = chance.pick(["ios", "ios", "android", "android", nil])
                if group.system != "android", chance.happens(85) { group.capability = capability() }
                if group.capability == "available", chance.happens(50) { group.bits = bits() }
                if group.system != "ios", chance.happens(85) { group.outcome = outcome() }
            }
            group.isRegistered = chance.happens(90)
            group.isCompromised = chance.happens(20)
            group.flags = flags(of: group)
            for flag in Self.rejectable where chance.happens(5) { group.rates[flag] = chance.pick([20, 50, 100]) }
            group.attributes = attributes()
            scenario.groups.append(group)
        }
    }

    private mutating func share(_ phone: SweepGroup, in group: inout SweepGroup, isFirst used: inout Set<String>) {
        let isFirst = used.insert(phone.name).inserted
        (group.hardware, group.system) = (phone.hardware, phone.system)
        // The capabilities of the phone need not be given twice (R14.2c); only the first of a group's phones is surely
        // shared.
        let isSaid = isFirst || group.count > 1 || chance.happens(70)
        if phone.system == "ios" {
            if isSaid { group.capability = phone.capability }
            if isFirst { group.bits = phone.bits }
        } else if isSaid {
            group.outcome = phone.outcome
        }
    }

    mutating func capability() -> String {
        chance.pick(["available", "available", "available", "unavailable", "invalid"])
    }

    mutating func outcome() -> String {
        chance.pick(["pass", "pass", "fail-token", "fail-integrity", "fail-profile", "fail-cert", "unavailable"])
    }

    private mutating func bits() -> ReferenceBits? {
        guard chance.happens(60) else { return nil }
        return ReferenceBits(count: chance.below(4), month: 2020 * 12 + 1 - chance.below(15))
    }

    /// Flags that may be observed of a group: those of a service that is simulated of it are derived (R2.4).
    mutating func flags(of group: SweepGroup) -> [String] {
        guard chance.happens(60) else { return [] }
        let declared = accounts[group.account].core.flags.map(\.name)
        var flags = chance.some(of: Self.rejectable + declared, 12)
        if group.hardware != nil || group.capability != nil || group.outcome != nil {
            flags.removeAll { $0.hasPrefix("safetynet-") }
        } else if chance.happens(10) {
            flags.append(chance.pick(["devicecheck-failed", "safetynet-completed", "devicecheck-ban"]))
        }
        if chance.happens(15) { flags.append(chance.pick(Self.observable)) }
        if chance.happens(5) { flags.append(chance.pick(["did-ban", "did-unban", "app-not-registered"])) }
        return flags
    }

    private static let observable = FlagFacts.names.filter { name in
        !["did-", "new-did", "devicecheck-", "safetynet-"].contains { name.hasPrefix($0) }
    }

    private mutating func attributes() -> [String: [String]] {
        var attributes: [String: [String]] = [:]
        for (key, values) in Self.values where chance.happens(70) {
            let texts = Array(chance.shuffled(values).prefix(chance.pick([1, 1, 2])))
            // The list to choose from must not be empty.
            attributes[key] = texts.contains("") ? [""] : texts
        }
        if attributes["ip"] != nil, chance.happens(30) { attributes["ip"] = ["10.0.0.0/8", "1.2.3.4"] }
        return attributes
    }

    // In the order of names, so that equal seeds draw alike.
    static let values = AccountGenerator.values.merging(ServiceGenerator.values) { $1 }
        .merging(["sdk-version": ["2.3.9", "2.4.0-bitcode", "2.4.9", "2.5", "2.10.0"]]) { $1 }
        .sorted { $0.key < $1.key }
}
