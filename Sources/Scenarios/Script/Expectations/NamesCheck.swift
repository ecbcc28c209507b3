internal import Accounts
internal import Documents
internal import PolicyEngine

/// Of each fetch: exactly these names, in any order.
struct NamesCheck: FetchCheckKind, DecisionCheck {
    // A list of names, or how many devices have each.
    static let forms = NameAspect.allCases.map { aspect in
        let name =
            switch aspect {
            case .flags, .annotations: RuleForms.flag
            case .filters: RuleForms.filterName
            case .rejections:
                JSONSchema.any(of: [
                    RuleForms.flag, .text(matching: "filter:[a-z0-9-]{1,20}|policy:blacklist").naming(.rejection),
                ])
            }
        let either = [JSONSchema.list(of: name), .map(of: .reference(to: "count"), keys: name, atLeast: 1)]
        return (
            key: aspect.rawValue,
            schema: JSONSchema.any(of: aspect == .annotations ? either + [.words(["none"])] : either)
        )
    }
    let aspect: NameAspect
    /// `nil` if there must be no annotation at all (R5.3).
    let names: Set<String>?
    var text: String { names.map { $0.sorted().bracketed } ?? "none" }
    var reach: Set<AccountPart> { [] }

    static func load(_ entry: Node.Entry, _ loader: inout CheckLoader) -> (any FetchCheck)? {
        guard let aspect = NameAspect(rawValue: entry.key) else { return nil }
        let (node, what) = (entry.value, entry.key.quoted)
        let known = loader.names
        let counts = NamedRanges.load(node, what, &loader.reader) { key, reader in
            guard case .scalar(let name, _) = key.content else { return nil }
            known.check(name, at: key.position, aspect, &reader)
            return name
        }
        if let counts { return DeviceCountCheck(aspect: aspect, wanted: counts) }
        if aspect == .annotations, case .scalar("none", _) = node.content {
            return NamesCheck(aspect: aspect, names: nil)
        }
        guard let texts = loader.reader.texts(node, what) else { return nil }
        for (text, position) in texts { known.check(text, at: position, aspect, &loader.reader) }
        return NamesCheck(aspect: aspect, names: Set(texts.map(\.text)))
    }

    func mismatch(_ decision: Decision, in service: SimulatedService) -> ActualValue? {
        guard let names else {
            return decision.annotations == nil ? nil : .list(service.names(of: aspect, in: decision) ?? [])
        }
        // R5.3: an empty list is not the same as none.
        if aspect == .annotations, decision.annotations == nil { return .word("none") }
        let present = service.names(of: aspect, in: decision) ?? []
        return present.exactTexts == names.exactTexts ? nil : .list(present)
    }
}

/// Of all fetches: how many devices have each name.
struct DeviceCountCheck: LookingCheck {
    let aspect: NameAspect
    let wanted: NamedRanges
    var reach: Set<AccountPart> { [] }

    func look(at fetch: ExaminedFetch, in service: SimulatedService, _ findings: inout CheckFindings) {
        // Most fetches carry nothing of what is counted; then no name need be made.
        guard let decision = fetch.decision, decision.carriesAny(of: aspect) else { return }
        let present = service.names(of: aspect, in: decision) ?? []
        for (name, _) in wanted.ranges where present.contains(name) {
            findings.installs[name, default: []].insert(fetch.install)
        }
    }

    func result(_ findings: CheckFindings, _ figures: ExaminedFigures, accounts: [Int]) -> CheckResult {
        var result = wanted.result(findings.installs.mapValues(\.count), vacuity: figures.vacuity)
        // A filter that a count names which would hold without it, too.
        result.reaches = wanted.ranges.filter(\.count.isVacuousAtZero).compactMap { name, _ in
            switch (aspect, Rejection(name)) {
            case (.filters, _): .filter(name, accounts: accounts)
            case (.rejections, .filter(let filter)): .filter(filter.text, accounts: accounts)
            case (.rejections, _), (.flags, _), (.annotations, _): nil
            }
        }
        return result
    }
}

extension Decision {
    /// True if an attestation has any name of a kind.
    fileprivate func carriesAny(of aspect: NameAspect) -> Bool {
        switch aspect {
        case .rejections: !passed
        case .flags: !flags.isEmpty
        case .annotations: annotations?.isEmpty == false
        case .filters: !filters.isEmpty
        }
    }
}
