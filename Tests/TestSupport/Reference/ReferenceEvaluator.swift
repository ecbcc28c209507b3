internal import PolicyEngine

/// The rules once more, short and slow, in words and sets of words: what the engine is compared with.
///
/// Shares no step with the engine; the tables of flags and presets are the copies of the tests.
struct ReferenceEvaluator {
    private var changes: [(inForceFrom: Instant, account: ReferenceAccount)] = []
    private let first: ReferenceAccount
    /// The persisted flags of every device that attested.
    private(set) var states: [String: Set<String>] = [:]
    // The names in catalogue order (R2.3).
    private var order: [String]
    private var draws: [String: UInt64] = [:]
    /// The decided rule that is read as the manual could be read, too; `nil` for none.
    var otherReading: DecidedRule?

    init(_ account: ReferenceAccount) {
        first = account
        order = FlagFacts.names + account.flags.map(\.name)
    }

    /// R1.5.
    mutating func change(to account: ReferenceAccount, at time: Instant) {
        changes.append((time + account.propagation, account))
    }

    /// R6.5.
    mutating func clearDeviceState() { states = [:] }

    /// R6.3, R6.4.
    var bannedDeviceCount: Int {
        states.values.filter { $0.contains("did-ban") && !$0.contains("did-unban") }.count
    }

    /// A device's persisted flags in catalogue order, or nothing when its state has not been set.
    func state(of device: String) -> [String]? { states[device].map(ordered) }

    /// R10, step by step.
    mutating func attest(_ observation: Observation) -> NamedDecision {
        let account = changes.last { $0.inForceFrom <= observation.time }?.account ?? first
        order += observation.flags.filter { !order.contains($0) }
        let entry = account.devices.first { $0.device == observation.device }
        var flags = observedAndPersisted(observation, entry: entry)
        if flags.contains(where: { isRisk($0, account) }) { flags.insert("risky-device") }
        let matched = filters(of: account, matching: observation, flags: flags)
        let actions = Set(matched.flatMap(\.options))
        act(actions, on: observation.device, &flags)
        let policy = policy(for: observation, entry: entry, account: account, actions: actions)
        return outcome(of: observation, account: account, policy: policy, flags: flags, matched: matched)
    }

    // Steps 2, 3 and 5.
    private mutating func observedAndPersisted(_ observation: Observation, entry: ReferenceDevice?) -> Set<String> {
        var flags = Set(observation.flags).subtracting(["risky-device"])
        if states[observation.device] == nil { flags.insert("new-did") }
        var state = states[observation.device] ?? []
        if entry?.banMode == "unban" { state.insert("did-unban") }
        let isUnbanned = state.contains("did-unban") || flags.contains("did-unban")
        if entry?.banMode == "ban", !isUnbanned { state.insert("did-ban") }
        states[observation.device] = state
        flags.formUnion(state)
        if isUnbanned { flags.remove("did-ban") }
        return flags
    }

    private func isRisk(_ flag: String, _ account: ReferenceAccount) -> Bool {
        FlagFacts.risks.contains(flag) || account.flags.contains { $0.name == flag && $0.isRisk }
    }

    // Step 7 (R7.2, R7.4, R7.7).
    private func filters(
        of account: ReferenceAccount,
        matching observation: Observation,
        flags: Set<String>
    ) -> [ReferenceFilter] {
        var values = observation.attributes
        let listed = ordered(flags.subtracting(["new-did", "risky-device"])).joined(separator: ",")
        values["flags-all"] = listed
        values["public-flags"] = listed
        let candidates = account.filters.filter { !$0.options.contains(.newDevicesOnly) || flags.contains("new-did") }
        let ordinary = candidates.filter { matches($0.test, values) }.map(\.name)
        return candidates.filter { filter in
            guard case .conjunction(let inputs) = filter.test else { return ordinary.contains(filter.name) }
            return inputs.allSatisfy(ordinary.contains)
        }
    }

    private func matches(_ test: ReferenceFilter.Test, _ values: [String: String]) -> Bool {
        switch test {
        case .exact(let key, let value): values[key].map { Array($0.utf8) } == Array(value.utf8)
        case .regex(let key, let pattern): values[key].map(pattern.isFound) ?? false
        case .conjunction: false
        }
    }

    // Step 8 (R7.5).
    private mutating func act(_ actions: Set<ReferenceFilter.Option>, on device: String, _ flags: inout Set<String>) {
        if actions.contains(.risky) { flags.insert("risky-device") }
        if actions.contains(.ban), !flags.contains("did-unban") {
            states[device, default: []].insert("did-ban")
            flags.insert("did-ban")
        }
    }

    // Step 9 (R7.3, R7.6).
    private mutating func policy(
        for observation: Observation,
        entry: ReferenceDevice?,
        account: ReferenceAccount,
        actions: Set<ReferenceFilter.Option>
    ) -> ReferencePolicy {
        let filtered = filteredPolicy(for: observation, account: account, actions: actions)
        if otherReading == .orderOfPolicies, let filtered { return filtered }
        if let own = entry?.policy { return own }
        if otherReading == .deviceEntries, entry != nil { return first.policy }
        return filtered ?? account.policy
    }

    private mutating func filteredPolicy(
        for observation: Observation, account: ReferenceAccount, actions: Set<ReferenceFilter.Option>
    ) -> ReferencePolicy? {
        let pseudo = account.devices.first { $0.device == Sample.filteredPolicy }
        guard let filtered = pseudo?.policy, filtered.rules != account.policy.rules,
            filtered.rules == "default" || ReferenceAccount.declaredRules.contains(filtered.rules)
        else { return nil }
        return actions.contains(.executesFilteredPolicy) || isSampled(observation, account) ? filtered : nil
    }

    private mutating func isSampled(_ observation: Observation, _ account: ReferenceAccount) -> Bool {
        let text = "\(observation.device)|\(observation.time.date)|\(account.name)"
        let known = draws[text] ?? SHA256.digest(text).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        draws[text] = known
        let draw = otherReading == .samplingHash ? ~known : known
        // draw < share × 2^64 where share is in 100 000ths, so draw × 100 000 is above share × 2^64 − 1 or not.
        return draw.multipliedFullWidth(by: 100_000).high < UInt64(account.sampledThousandths)
    }

    // Steps 10 to 12 (R4, R5, R11).
    private func outcome(
        of observation: Observation,
        account: ReferenceAccount,
        policy: ReferencePolicy,
        flags: Set<String>,
        matched: [ReferenceFilter]
    ) -> NamedDecision {
        let rejections = rejections(policy, flags: flags, matched: matched)
        let isShort = policy.preset == "allow-raj-only-short-lifetime"
        let lifetime = isShort ? 45 : flags.contains("risky-device") ? 120 : 300
        return NamedDecision(
            passed: rejections.isEmpty,
            rejections: rejections,
            flags: ordered(flags),
            filters: matched.map(\.name),
            annotations: annotations(policy.annotation, flags: flags),
            policy: policy.text,
            lifetime: lifetime,
            expires: observation.time + (lifetime + (isShort ? 15 : account.grace))
        )
    }

    private func rejections(_ policy: ReferencePolicy, flags: Set<String>, matched: [ReferenceFilter]) -> [String] {
        if policy.preset == "blacklist" { return ["policy:blacklist"] }
        var rejecting = PresetFacts.rejecting(policy.preset)
        var unlessXposed = PresetFacts.rejectingUnlessXposed(policy.preset)
        for edit in policy.edits {
            unlessXposed.remove(edit.flag)
            if edit.adds { rejecting.insert(edit.flag) } else { rejecting.remove(edit.flag) }
        }
        let causes = flags.filter { flag in
            rejecting.contains(flag) || (unlessXposed.contains(flag) && !flags.contains("xposed"))
        }
        let isWhitelist = policy.preset == "whitelist" && otherReading != .bansUnderWhitelist
        let bans = otherReading == .bansUnderWhitelist ? flags.intersection(["did-ban", "devicecheck-ban"]) : []
        let byFilter = isWhitelist ? [] : matched.filter { $0.options.contains(.reject) }
        let rejected = policy.preset == "whitelist" ? causes.union(bans) : causes
        return ordered(rejected) + byFilter.map { "filter:\($0.name)" }
    }

    private func annotations(_ policy: String, flags: Set<String>) -> [String]? {
        let named: Set<String>
        switch policy {
        case "default": return nil
        case "info": named = ["risky-device", "xposed", "automated", "automated-launch", "non-standard-launch"]
        case "risk": named = ["risky-device"]
        case "all": named = flags
        default: named = Set(policy.split(separator: "+").map(String.init))
        }
        return flags.intersection(named).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    private func ordered(_ flags: Set<String>) -> [String] { order.filter(flags.contains) }
}
