internal import Accounts
internal import Documents
internal import PolicyEngine
internal import Replay

extension ScenarioLoader {
    /// Reads the expectations of a step: a list, or a single one.
    mutating func expectations(_ node: Node, of action: StepAction) -> [FetchExpectation] {
        guard case .fetch(let groups, let domain) = action else {
            reader.error("`expect` goes with `fetch` only", at: node.position)
            return []
        }
        var nodes = [node]
        if case .sequence(let list) = node.content { nodes = list }
        if nodes.isEmpty { reader.error("`expect` expects nothing", at: node.position) }
        // Without a group there is nothing to expect of; that was noted.
        guard !groups.isEmpty else { return [] }
        let fetching = Set(groups)
        let all = names(ofAccounts: Set(groups.map { scenario.groups[$0].account }))
        return nodes.compactMap { expectation($0, groups: fetching, domain: domain, names: all) }
    }

    private mutating func expectation(
        _ node: Node, groups: Set<Int>, domain: String?, names all: Names
    ) -> FetchExpectation? {
        guard var fields = reader.mapping(node, "an expectation") else { return nil }
        guard let target = target(&fields, groups: groups) else { return nil }
        let allowsVacuous = allowsVacuous(&fields)
        var names = all
        if case .group(let index) = target { names = self.names(ofAccounts: [scenario.groups[index].account]) }
        var checks: [FetchExpectation.Check] = []
        for entry in fields.entries where !Self.besideChecks.contains(entry.key) {
            guard let condition = condition(entry, names, domain: domain) else { continue }
            checks.append(.init(name: entry.key, position: entry.keyPosition, condition: condition))
        }
        fields.allow(Self.checkNames)
        fields.finish(&reader)
        if fields.entries.allSatisfy({ Self.besideChecks.contains($0.key) }) {
            reader.error("the expectation says nothing to check", at: node.position)
        }
        return FetchExpectation(
            target: target, position: node.position, checks: checks, allowsVacuous: allowsVacuous)
    }

    // The keys of an expectation that check nothing.
    private static let besideChecks = ["group", "device", "vacuous"]

    /// Whether an expectation says that it may hold because nothing happened.
    mutating func allowsVacuous(_ fields: inout DocumentMapping) -> Bool {
        guard let node = fields.take("vacuous") else { return false }
        return reader.choice(node, "`vacuous`", from: ["allowed"]) != nil
    }

    // What expectations may name: what any of the accounts knows whose devices fetch.
    private struct Names {
        let accounts: [Account]
        let filters: Set<String>
    }

    private func names(ofAccounts indices: Set<Int>) -> Names {
        Names(
            accounts: indices.sorted().map { scenario.accounts[$0].account },
            filters: indices.reduce(into: []) { $0.formUnion(filterNames[$1]) })
    }

    private static let checkNames = [
        "verdict", "pass", "fail", "attested", "cached", "result", "policy", "rejections", "flags", "annotations",
        "filters", "lifetime", "arc", "token",
    ]

    private mutating func target(_ fields: inout DocumentMapping, groups: Set<Int>) -> FetchExpectation.Target? {
        let (groupNode, deviceNode) = (fields.take("group"), fields.take("device"))
        if let groupNode {
            if let deviceNode { reader.error("`device` cannot go with `group`", at: deviceNode.position) }
            if case .scalar("all", _) = groupNode.content { return .all }
            guard let index = group(groupNode) else { return nil }
            guard groups.contains(index) else {
                reader.error("group \(scenario.groups[index].name.quoted) does not fetch here", at: groupNode.position)
                return nil
            }
            return .group(index)
        }
        guard let deviceNode else { return .all }
        guard let text = reader.text(deviceNode, "`device`") else { return nil }
        if let index = groupIndices[ExactText(text)], scenario.groups[index].count == 1 {
            if groups.contains(index) { return .group(index) }
            reader.error("group \(text.quoted) does not fetch here", at: deviceNode.position)
            return nil
        }
        guard let id = DeviceLoader.id(deviceNode, &reader) else { return nil }
        return .device(id)
    }

    // `nil` after noting an error, and for a key that is none.
    private mutating func condition(
        _ entry: Node.Entry, _ known: Names, domain: String?
    ) -> FetchExpectation.Condition? {
        let (node, what) = (entry.value, entry.key.quoted)
        if let kind = FetchExpectation.CountKind(rawValue: entry.key) {
            return count(node, what).map { .count(kind, $0) }
        }
        if let aspect = FetchExpectation.Aspect(rawValue: entry.key) { return names(node, aspect, known) }
        switch entry.key {
        case "verdict":
            return reader.choice(node, what, from: ["pass", "fail"]).map { .verdict(passed: $0 == "pass") }
        case "result":
            let names = FetchResult.allCases.map(\.rawValue)
            return reader.choice(node, what, from: names).flatMap(FetchResult.init).map { .result($0) }
        case "policy": return reader.text(node, what).flatMap { policy($0, node, known.accounts) }
        case "lifetime": return reader.duration(node, what).map { .lifetime($0) }
        case "arc": return responseCode(node, known.accounts).map { .responseCode($0) }
        case "token":
            let token = token(node, domain: domain) { $0.checkFlag($1, at: $2, known) }
            return token.map { .token($0) }
        default: return nil
        }
    }

    /// A count: a number, or bounds.
    mutating func count(_ node: Node, _ what: String) -> CountRange? {
        guard case .mapping = node.content else {
            return reader.integer(node, what, in: 0...Int.max).map { CountRange($0) }
        }
        guard var fields = reader.mapping(node, what) else { return nil }
        let (least, most, about) = (fields.take("at-least"), fields.take("at-most"), fields.take("about"))
        fields.finish(&reader)
        if let about {
            if least != nil || most != nil { reader.error("`about` stands alone", at: about.position) }
            return self.about(about)
        }
        guard least != nil || most != nil else {
            reader.error("\(what) needs a number, `at-least`, `at-most` or `about`", at: node.position)
            return nil
        }
        let low = least.map { reader.integer($0, "`at-least`", in: 0...Int.max) } ?? 0
        let high = most.map { reader.integer($0, "`at-most`", in: 0...Int.max) } ?? Int.max
        guard let low, let high else { return nil }
        guard low <= high else {
            reader.error("\(what) can never be at least \(low) and at most \(high)", at: node.position)
            return nil
        }
        return CountRange(atLeast: low, atMost: high)
    }

    private mutating func about(_ node: Node) -> CountRange? {
        guard var fields = reader.mapping(node, "`about`") else { return nil }
        let limit = 0...1_000_000_000_000
        let value = fields.require("value", &reader).flatMap { reader.integer($0, "`value`", in: limit) }
        let within = fields.require("within", &reader).flatMap { reader.integer($0, "`within`", in: limit) }
        fields.finish(&reader)
        guard let value, let within else { return nil }
        return CountRange(atLeast: max(0, value - within), atMost: value + within)
    }

    // A list means exactly these of each fetch, a map how many devices have each.
    private mutating func names(
        _ node: Node, _ aspect: FetchExpectation.Aspect, _ known: Names
    ) -> FetchExpectation.Condition? {
        if case .mapping(let entries) = node.content {
            var counts: [(name: String, count: CountRange)] = []
            if entries.isEmpty { reader.error("`\(aspect.rawValue)` says nothing to check", at: node.position) }
            for entry in entries {
                check(entry.key, at: entry.keyPosition, aspect, known)
                if let count = count(entry.value, entry.key.quoted) { counts.append((entry.key, count)) }
            }
            return .devices(aspect, counts)
        }
        if aspect == .annotations, case .scalar("none", _) = node.content { return .noAnnotations }
        guard let texts = reader.texts(node, "`\(aspect.rawValue)`") else { return nil }
        for (text, position) in texts { check(text, at: position, aspect, known) }
        return .exactly(aspect, Set(texts.map(\.text)))
    }

    // A name that nothing can have would make an expectation of 0 hold for ever.
    private mutating func check(
        _ name: String, at position: SourcePosition, _ aspect: FetchExpectation.Aspect, _ known: Names
    ) {
        switch aspect {
        case .flags, .annotations: checkFlag(name, at: position, known)
        case .filters: checkFilter(name, at: position, among: known.filters)
        case .rejections:
            switch Rejection(name) {
            case .flag: checkFlag(name, at: position, known)
            case .filter(let filter): checkFilter(filter.text, at: position, among: known.filters)
            case .blacklist: break
            }
        }
    }

    private mutating func checkFlag(_ name: String, at position: SourcePosition, _ known: Names) {
        _ = FlagLoader.flag(name, at: position, among: known.accounts.map(\.catalogue), &reader)
    }

    /// Checks that a filter exists at some time.
    private mutating func checkFilter(_ name: String, at position: SourcePosition, among filters: Set<String>) {
        guard !filters.contains(name) else { return }
        reader.error(
            "unknown filter \(name.quoted)", at: position, hint: Suggestion.hint(for: name, among: filters.sorted()))
    }

    private mutating func policy(
        _ text: String, _ node: Node, _ accounts: [Account]
    ) -> FetchExpectation.Condition? {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        // `custom` cannot be set, but it can be applied (R4.4).
        let isCustom = parts.count == 3 && parts[1] == RejectionPolicy.customName
        let known = isCustom ? "\(parts[0]),default,\(parts[2])" : text
        let problems = accounts.map { Self.problem(ofPolicy: known, in: $0) }
        guard problems.allSatisfy({ $0 != nil }), let problem = problems.first ?? nil else { return .policy(text) }
        reader.error(problem, at: node.position)
        return nil
    }

    private static func problem(ofPolicy text: String, in account: Account) -> PolicyError? {
        do throws(PolicyError) {
            // The filtered policy may have rules that the account lacks (R3.2).
            _ = try account.filteredSecurityPolicy(text)
            return nil
        } catch {
            return error
        }
    }
}
