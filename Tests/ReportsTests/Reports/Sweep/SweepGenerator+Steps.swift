import PolicyEngine

@testable import TestSupport

extension SweepGenerator {
    /// Draws what happens, in the order of time.
    mutating func addSteps() throws {
        var time = 0
        for _ in 0..<(8 + chance.below(16)) {
            time += chance.pick([0, 0, 1, 5, 10, 29, 30, 31, 45, 60, 61, 119, 121, 300, 301, 3600, 20_000])
            if chance.happens(2) { time += chance.pick([1, 31, 61]) * Instant.secondsPerDay }
            guard let action = try action(at: time) else { continue }
            var step = SweepStep(time: time, action: action)
            if Self.isRepeatable(action), chance.happens(25) {
                let every = chance.pick([1, 10, 30, 59, 60, 100, 300])
                (step.every, step.until) = (every, time + every * chance.below(6) + chance.below(2))
                // R14.4: launches of one repetition end before the next one begins.
                if case .spread(let groups, let span) = action { step.action = .spread(groups, over: min(span, every)) }
            }
            scenario.steps.append(step)
        }
        scenario.steps.append(SweepStep(time: time + 40, action: .fetch(allGroups, domain: nil)))
    }

    private static func isRepeatable(_ action: SweepAction) -> Bool {
        switch action {
        case .fetch, .launch, .spread, .set: true
        case .command, .reinstall, .factoryReset, .bind, .binding, .network, .outage: false
        }
    }

    private var allGroups: [Int] { Array(scenario.groups.indices) }

    private mutating func action(at time: Int) throws -> SweepAction? {
        let group = chance.below(scenario.groups.count)
        switch chance.below(100) {
        case ..<43: return fetch()
        case ..<66: return try command(at: time).map { .command($0.command, account: $0.account) }
        case ..<73: return .set(group, change(of: scenario.groups[group]))
        case ..<78: return .launch(someGroups())
        case ..<81: return .spread(someGroups(), over: chance.pick([1, 10, 100, 1000]))
        case ..<86: return .reinstall(someGroups(), keepsID: chance.happens(25))
        case ..<89: return .factoryReset(someGroups())
        case ..<91: return .bind(group, chance.pick(["session-1", "session-2"]))
        case ..<92: return .binding(someGroups(), every: chance.pick([1, 60, 100, 301]))
        case ..<95: return .network(someGroups(), chance.pick(["ok", "ok", "none", "poor", "mitm"]))
        default: return outage(at: time)
        }
    }

    private mutating func someGroups() -> [Int] {
        chance.happens(40) ? allGroups : [chance.below(scenario.groups.count)]
    }

    private mutating func fetch() -> SweepAction {
        let named = Self.domains + ["https://api.one.com/shapes", "unknown.example.com", "ftp://api.one.com"]
        return .fetch(someGroups(), domain: chance.happens(70) ? nil : chance.pick(named))
    }

    // One that starts as another ends would be neither one outage nor two.
    private mutating func outage(at time: Int) -> SweepAction? {
        let isTouching = scenario.steps.contains { $0.action == .outage(until: time) }
        if isTouching { return nil }
        return .outage(until: chance.happens(95) ? time + chance.pick([10, 60, 90, 200, 1000, 20_000]) : nil)
    }

    private mutating func change(of group: SweepGroup) -> SweepChange {
        var change = SweepChange()
        if chance.happens(60) { change.flags = flags(of: group) }
        for (key, values) in Self.values where chance.happens(20) { change.attributes[key] = chance.pick(values) }
        // Other characters that clients send are drawn with the installs (R7.8).
        change.attributes["user-property"] = chance.happens(20) ? chance.pick(["gold", "cafe"]) : nil
        if group.capability != nil, chance.happens(30) { change.capability = capability() }
        if group.outcome != nil, chance.happens(30) { change.outcome = outcome() }
        if change == SweepChange() || chance.happens(10) { change.isRegistered = chance.happens(50) }
        return change
    }
}

// MARK: Commands

extension SweepGenerator {
    private mutating func command(at time: Int) throws -> (command: SweepCommand, account: Int)? {
        let index = chance.below(accounts.count)
        let other = others[index].change(of: accounts[index].core)
        guard let command = try command(index, other, at: time) else { return nil }
        command.apply(to: &accounts[index])
        return (command, index)
    }

    private mutating func command(_ index: Int, _ other: ReferenceAccount, at time: Int) throws -> SweepCommand? {
        let account = accounts[index]
        switch chance.below(17) {
        case 0, 1: return .setPolicy(other.policy)
        case 2: return .editPolicy(ReferenceEdit(adds: chance.happens(60), flag: chance.pick(Self.rejectable)))
        case 3: return chance.happens(50) ? .setResponseCodes(chance.happens(50)) : .testPinning(!account.testsPinning)
        case 4, 5: return addDevice(other)
        case 6: return try addLatest(index, at: time)
        case 7:
            // The device of `latest` is not known before the scenario runs.
            let known = account.core.devices.map(\.device).filter(AccountGenerator.devices.contains)
            return known.isEmpty ? nil : .removeDevice(chance.pick(known))
        case 8: return .clearDeviceState
        case 9, 10: return addFilter(other, to: account)
        case 11:
            let names = account.core.filters.map(\.name)
            return names.isEmpty ? nil : .removeFilter(chance.pick(names))
        case 12: return .setSampling(other.sampledThousandths)
        case 13, 14: return deviceCheck(account)
        default: return service(account, at: scenario.start + time)
        }
    }

    private mutating func addDevice(_ other: ReferenceAccount) -> SweepCommand? {
        let ids = scenario.groups.compactMap(\.id) + [SweepAccount.filteredPolicy]
        let id = chance.pick(ids)
        var policy = chance.happens(50) ? other.policy : nil
        policy?.edits = []
        if id == SweepAccount.filteredPolicy {
            return policy.map { .addDevice(id, policy: $0, banMode: nil, pinMode: nil) }
        }
        let banMode: String? = chance.pick(["ban", "ban", "unban", nil])
        let pinMode: String? = chance.pick(["pin", "blockAll", nil, nil, nil, nil])
        return .addDevice(id, policy: policy, banMode: banMode, pinMode: pinMode)
    }

    // R6.2: only where one device attested in the last two minutes.
    private mutating func addLatest(_ index: Int, at time: Int) throws -> SweepCommand? {
        if drawn == nil {
            var beginning = scenario
            beginning.steps = []
            drawn = SweepDrawn(try ScenarioText.load(beginning.yaml))
        }
        guard let drawn else { return nil }
        var reference = SweepReference(scenario, drawn)
        reference.run(until: time)
        let devices = reference.services[index].latestDevices(at: scenario.start + time)
        guard devices.count == 1, let device = devices.first else { return nil }
        return .addLatest(device, banMode: chance.pick(["ban", "ban", "unban"]))
    }

    // A conjunction is no input, and takes inputs that are there.
    private mutating func addFilter(_ other: ReferenceAccount, to account: SweepAccount) -> SweepCommand? {
        let filters = account.core.filters
        let isConjunction = { (filter: ReferenceFilter) in
            if case .conjunction = filter.test { true } else { false }
        }
        let fitting = other.filters.filter { filter in
            // R16.
            guard filters.count < 25 || filters.contains(where: { $0.name == filter.name }) else { return false }
            guard case .conjunction(let inputs) = filter.test else { return true }
            let ordinary = filters.filter { !isConjunction($0) && $0.name != filter.name }.map(\.name)
            let isInput = filters.contains { user in
                if case .conjunction(let inputs) = user.test { inputs.contains(filter.name) } else { false }
            }
            return inputs.allSatisfy(ordinary.contains) && !isInput
        }
        guard !fitting.isEmpty else { return nil }
        var filter = chance.pick(fitting)
        if chance.happens(30) { filter.options.formUnion(chance.some(of: ReferenceFilter.Option.allCases, 30)) }
        return .addFilter(filter)
    }

    private mutating func deviceCheck(_ account: SweepAccount) -> SweepCommand {
        if account.hasDeviceCheckKey, chance.happens(40) { return .removeAuthKey }
        let check = ReferenceDeviceCheck(
            bits: chance.pick(["none", "bit0", "bit1", "both", "both"]), expiry: chance.pick([1, 2, 12]))
        return .addAuthKey(team: chance.pick(["TEAM", "TEAM", "OTHER"]), check)
    }

    private mutating func service(_ account: SweepAccount, at time: Instant) -> SweepCommand? {
        let certificate = "AA:BB:CC:DD:EE:FF:00:11"
        switch chance.below(6) {
        case 0, 1:
            if account.safetyNetKey != nil, chance.happens(40) { return .removeSafetyNetKey }
            keyCount += 1
            return .setSafetyNetKey("new-key-\(keyCount)")
        case 2:
            let isThere = account.certificates.contains(certificate)
            return isThere ? .removeCertificate(certificate) : .addCertificate(certificate)
        case 3:
            let active = (account.registrations ?? []).filter { $0.expiry.map { time < $0 } ?? true }
            return active.isEmpty ? nil : .removeRegistration(chance.pick(active))
        default:
            let domain = SweepDomain(name: chance.pick(Self.domains), isPinOnly: chance.happens(25))
            let isThere = account.domains?.contains { $0.name == domain.name } ?? false
            return isThere ? .removeDomain(domain.name) : .addDomain(domain)
        }
    }
}
