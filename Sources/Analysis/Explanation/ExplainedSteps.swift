internal import Documents
internal import PolicyEngine
internal import Replay

/// Puts the steps of an attestation into words.
struct ExplainedSteps {
    let engine: Engine
    let symbols: SymbolTable
    let decision: Decision
    let attestation: Attestation
    let steps: [AttestationStep]
    /// The redactor that hides values of attributes; `nil` shows them.
    var redactor: Redactor?

    /// The steps in the order of R10; every one is there, also where nothing happened.
    var explained: [Explanation.Step] {
        [
            step(1, "account", account), step(2, "device", device), step(3, "ban", ban),
            step(4, "services", services), step(5, "memory", memory), step(6, "risk", risk),
            step(7, "filters", filters), step(8, "actions", actions), step(9, "policy", policy),
            step(10, "verdict", verdict), step(11, "lifetime", lifetime), step(12, "annotations", annotations),
            step(13, "code", code),
        ]
    }

    private func step(_ number: Int, _ name: String, _ lines: [String]) -> Explanation.Step {
        Explanation.Step(number: number, name: name, lines: lines)
    }

    private func names(_ flags: FlagSet) -> String {
        flags.isEmpty ? "none" : symbols.catalogue.names(of: flags).joined(separator: ", ")
    }

    private func filterNames(_ filters: FilterSet) -> String {
        engine.filterNames(filters, of: decision).joined(separator: ", ")
    }

    private var inForce: Account { engine.history.revisions[decision.revision].account }
}

// MARK: Steps 1 to 6

extension ExplainedSteps {
    private var account: [String] { ["\(inForce.name), policy \(inForce.policy)"] }

    private var device: [String] {
        for case .observed(let flags, let isFirst) in steps {
            let observed = attestation.flags.subtracting([.riskyDevice])
            let seen =
                isFirst
                ? "not seen before, so `new-did`"
                : flags.contains(.newDevice) ? "seen before, but captured with `new-did`" : "seen before"
            return [seen, "observed: \(names(observed))"] + unknown(observed)
        }
        return []
    }

    // R2.2.
    private func unknown(_ flags: FlagSet) -> [String] {
        let unknown = FlagSet(flags.filter { Int($0.index) >= symbols.catalogue.namedCount })
        return unknown.isEmpty ? [] : ["no policy knows \(names(unknown))"]
    }

    private var ban: [String] {
        for case .pendingBan(let mode) in steps {
            switch mode {
            case .ban: return ["the device's entry bans it: `did-ban` persists"]
            case .unban: return ["the device's entry unbans it: `did-unban` persists, for good"]
            case nil:
                let entry = inForce.devices.first { $0.id == symbols.devices[decision.device] }
                guard let entry else { return ["the device has no entry"] }
                return entry.banMode == .ban
                    ? ["the device's entry bans it, but it was unbanned once, which always wins"]
                    : ["the device's entry has no ban mode"]
            }
        }
        return []
    }

    private var services: [String] {
        steps.contains(.removedRegistration)
            ? ["the registration of the app was removed, so `app-not-registered`"]
            : ["as captured: DeviceCheck, SafetyNet and registrations are not evaluated again"]
    }

    private var memory: [String] {
        for case .persisted(let added, let removed) in steps where !added.isEmpty || !removed.isEmpty {
            var lines: [String] = []
            if !added.isEmpty { lines.append("remembered of the device: \(names(added))") }
            if !removed.isEmpty { lines.append("\(names(removed)) does not count, since the device was unbanned") }
            return lines
        }
        return ["no remembered flag of the device applies"]
    }

    private var risk: [String] {
        for case .risk(let causes) in steps where !causes.isEmpty {
            return ["\(names(causes)): risk flags, so `risky-device`"]
        }
        return ["no risk flag"]
    }
}

// MARK: Steps 7 to 13

extension ExplainedSteps {
    private var filters: [String] {
        let all = inForce.filters
        guard !all.isEmpty else { return ["the account has none"] }
        return all.indices.map { "\(all[$0].name): \(evaluation(of: all[$0], at: $0))" }
    }

    private func evaluation(of filter: Filter, at index: Int) -> String {
        let isMatched = decision.filters.contains(index)
        let isSkipped = filter.options.contains(.newDevicesOnly) && !decision.isNewDevice
        if isSkipped { return "for new devices only" }
        if decision.limitHits.contains(index) { return "its search hit a limit, which counts as no match" }
        if let inputs = filter.inputs { return conjunction(inputs, isMatched: isMatched) }
        guard let key = filter.key else { return "" }
        let value = value(of: key)
        let shown = value.map { redactor?.value($0, of: key) ?? $0 }
        return "\(key) is \(shown.map(Self.shortened) ?? "absent"), \(comparison(by: filter, isMatched: isMatched))"
    }

    // With what a filter compares a value; a hidden value leaves that of the filter hidden, too.
    private func comparison(by filter: Filter, isMatched: Bool) -> String {
        let plain = isMatched ? "which matches" : "which does not match"
        guard redactor == nil else { return plain }
        return switch filter.test {
        case .exact(_, let value): isMatched ? plain : "not \(Self.shortened(value))"
        case .regex(_, let pattern): "\(plain) \(Self.shortened(pattern.source))"
        case .conjunction: plain
        }
    }

    private func conjunction(_ inputs: [String], isMatched: Bool) -> String {
        if isMatched { return "all of \(inputs.joined(separator: ", ")) match" }
        let names = inForce.filters.map(\.name)
        if let missing = inputs.first(where: { !names.contains($0) }) {
            return "its input \(missing) is missing, so it never matches"
        }
        let matched = Set(engine.filterNames(decision.filters, of: decision))
        let unmatched = inputs.filter { !matched.contains($0) }
        return "\(unmatched.joined(separator: ", ")) \(unmatched.count.agreeing("does", "do")) not match"
    }

    // The value of an attribute as filters saw it: flags before the filters themselves added any (R7.7).
    private func value(of key: String) -> String? {
        guard ["flags-all", "public-flags"].contains(key) else {
            guard let key = symbols.attributes.existingKey(named: key) else { return nil }
            let value = attestation.value(of: key)
            return value == .absent ? nil : symbols.attributes.text(of: value, for: key)
        }
        var flags = decision.flags.subtracting([.newDevice, .riskyDevice])
        for case .actions(_, let banning) in steps where !banning.isEmpty && !hadBan { flags.remove(.deviceBan) }
        return symbols.catalogue.names(of: flags).joined(separator: ",")
    }

    private var hadBan: Bool {
        for case .persisted(let added, _) in steps where added.contains(.deviceBan) { return true }
        return attestation.flags.contains(.deviceBan)
    }

    private static func shortened(_ value: String) -> String {
        value.isEmpty ? "empty" : value.count > 60 ? "\(value.prefix(60))…" : value
    }

    private var actions: [String] {
        for case .actions(let risky, let banning) in steps {
            var lines: [String] = []
            if !risky.isEmpty { lines.append("\(filterNames(risky)): `risky-device`") }
            if !banning.isEmpty { lines.append("\(filterNames(banning)): `did-ban` persists") }
            if !decision.rejectingFilters.isEmpty { lines.append("\(filterNames(decision.rejectingFilters)): rejects") }
            return lines.isEmpty ? ["none"] : lines
        }
        return []
    }

    private var policy: [String] {
        let text = engine.policy(of: decision).description
        for case .policy(_, let reason) in steps {
            switch reason {
            case .ownEntry: return ["\(text), of the device's own entry"]
            case .filters(let filters): return ["\(text), the filtered policy, by \(filterNames(filters))"]
            case .sampled: return ["\(text), the filtered policy, as the device is sampled today"]
            case .account: return ["\(text), the account's"]
            }
        }
        return [text]
    }

    private var verdict: [String] {
        if decision.passed { return ["pass: the policy rejects on none of \(names(decision.flags))"] }
        return ["fail: " + engine.rejections(of: decision, catalogue: symbols.catalogue).joined(separator: ", ")]
    }

    private var lifetime: [String] {
        let policy = engine.policy(of: decision).rejection
        let why =
            policy.fixedLifetime != nil
            ? "as \(policy.base.rawValue) has it" : decision.flags.contains(.riskyDevice) ? "risky device" : "usual"
        return ["\(decision.lifetime) s (\(why)); the token expires at \(decision.expires)"]
    }

    private var annotations: [String] {
        guard let annotations = decision.annotations else { return ["none: the policy names none"] }
        let names = symbols.catalogue.annotationNames(of: annotations)
        return [names.isEmpty ? "empty" : names.joined(separator: ", ")]
    }

    private var code: [String] {
        guard inForce.isResponseCodeOn else { return ["off"] }
        return [ResponseCodec(account: inForce).code(passed: decision.passed, flags: decision.flags)]
    }
}
