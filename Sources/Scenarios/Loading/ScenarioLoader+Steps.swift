internal import Accounts
internal import Documents
internal import PolicyEngine

extension ScenarioLoader {
    /// Reads the steps, rehearses their commands, and reads what the steps expect.
    mutating func readSteps() {
        guard let node = mapping.take("steps") else { return }
        var latest = 0
        var expected: [(step: Int, expectations: Node)] = []
        for entry in reader.sequence(node, "`steps`") ?? [] {
            guard let (step, expectations) = step(entry, after: &latest) else { continue }
            if let expectations { expected.append((scenario.steps.count, expectations)) }
            scenario.steps.append(step)
        }
        rehearsal.run(for: scenario, &reader)
        // Only now is every filter known that some command adds; a repeated fetch may meet it.
        for (index, node) in expected {
            scenario.steps[index].expectations = expectations(node, of: scenario.steps[index].action)
        }
    }

    private mutating func step(
        _ node: Node, after latest: inout Int
    ) -> (step: Step, expectations: Node?)? {
        guard var fields = reader.mapping(node, "a step") else { return nil }
        let at = fields.require("at", &reader).flatMap { reader.duration($0, "`at`") }
        if let at { checkOrder(at, after: &latest, at: node.position) }
        let isOutage = fields.entries.contains { $0.key == "outage" }
        let until = isOutage ? fields.take("until") : nil
        let action = self.action(&fields, at: at ?? 0, until: until)
        let everyNode = fields.entries.first { $0.key == "every" }?.value
        let repetition = isOutage ? nil : self.repetition(&fields, at: at ?? 0)
        if let span = action?.launchSpan, let repetition, let everyNode, span > repetition.every {
            reader.error("`every` is shorter than `over`, so that launches would overlap", at: everyNode.position)
        }
        if let action { rehearse(action, at: at ?? latest, repetition, of: fields) }
        let expect = fields.take("expect")
        fields.finish(&reader)
        guard let at, let action else { return nil }
        return (Step(at: at, position: node.position, action: action, repetition: repetition), expect)
    }

    // Also a step that is wrong otherwise is rehearsed, so that others are not blamed for what it would have done.
    private mutating func rehearse(
        _ action: StepAction, at time: Int, _ repetition: Step.Repetition?, of fields: DocumentMapping
    ) {
        // The position of the part that may be wrong because of the commands before it.
        let position = fields.entries.first { ["approov", "domain", "to"].contains($0.key) }?.value.position
        rehearsal.add(Step(at: time, position: position ?? fields.position, action: action, repetition: repetition))
    }

    private mutating func checkOrder(_ at: Int, after latest: inout Int, at position: SourcePosition) {
        if at < latest {
            reader.error(
                "step at \(DurationText.print(at)) comes after one at \(DurationText.print(latest))", at: position,
                hint: "steps stand in the order of time")
        }
        latest = max(latest, at)
    }

    // `every` and `until`.
    private mutating func repetition(_ fields: inout DocumentMapping, at: Int) -> Step.Repetition? {
        let (everyNode, untilNode) = (fields.take("every"), fields.take("until"))
        switch (everyNode, untilNode) {
        case (nil, nil): return nil
        case (let every?, nil):
            reader.error("`every` needs `until`", at: every.position)
        case (nil, let until?):
            reader.error("`until` needs `every`", at: until.position)
        case (let every?, let until?):
            guard let seconds = reader.duration(every, "`every`"), let end = reader.duration(until, "`until`") else {
                return nil
            }
            if seconds == 0 {
                reader.error("`every` must be at least `1s`", at: every.position)
            } else if end < at {
                reader.error("`until` lies before `at`", at: until.position)
            } else {
                return Step.Repetition(every: seconds, until: end)
            }
        }
        return nil
    }

    // The fields that belong to a request beside its groups.
    struct RequestFields {
        let target, data, header, sender: Node?

        fileprivate init(_ fields: inout DocumentMapping) {
            (target, data) = (fields.take("to"), fields.take("data"))
            (header, sender) = (fields.take("header"), fields.take("as"))
        }

        fileprivate var first: Node? { target ?? data ?? header ?? sender }
    }

    // `until` is that of an outage, which has an end of its own.
    private mutating func action(_ fields: inout DocumentMapping, at: Int, until: Node?) -> StepAction? {
        let given = StepKind.allCases.compactMap { kind in fields.take(kind).map { (kind: kind, node: $0) } }
        let (domain, account) = (fields.take("domain"), fields.take("account"))
        let request = RequestFields(&fields)
        guard let (kind, node) = given.first else {
            if let account { return cancellation(account) }
            let names = (StepKind.allCases.keys + ["account"]).map(\.quoted).joined(separator: ", ")
            reader.error("a step needs one of \(names)", at: fields.position)
            return nil
        }
        if given.count > 1 {
            reader.error(
                "\(given[1].kind.rawValue.quoted) cannot go with \(kind.rawValue.quoted)", at: given[1].node.position)
        }
        if let domain, kind != .fetch { reader.error("`domain` goes with `fetch` only", at: domain.position) }
        if let account, kind != .approov {
            reader.error("`account` goes with `approov` only", at: account.position)
        }
        if let other = request.first, kind != .request {
            reader.error("`to`, `data`, `header` and `as` go with `request` only", at: other.position)
        }
        switch kind {
        case .fetch: return fetch(node, domain: domain)
        case .request: return self.request(node, request)
        case .serve: return .serve(BackendLoader.changes(node, &reader))
        case .approov: return command(node, account: account, at: fields.position)
        case .set: return set(node)
        case .launch: return launch(node)
        case .reinstall: return reinstall(node)
        case .factoryReset: return groups(node, kind.rawValue.quoted).map { .factoryReset(groups: $0) }
        case .bind: return bind(node)
        case .binding: return binding(node)
        case .network: return network(node)
        case .outage: return outage(node, at: at, until: until)
        case .secureString: return secureString(node)
        case .customToken: return customToken(node)
        case .prove: return proof(node)
        }
    }

    private mutating func fetch(_ node: Node, domain: Node?) -> StepAction? {
        let domainText = domain.flatMap { reader.text($0, "`domain`") }
        let groups = groups(node, "`fetch`")
        return groups.map { .fetch(groups: $0, domain: domainText) }
    }

    private mutating func command(_ node: Node, account: Node?, at position: SourcePosition) -> StepAction? {
        let index = self.account(account, for: "`approov`", at: position)
        guard let line = reader.text(node, "`approov`") else { return nil }
        if let warning = CommandMisprint.warning(ofLine: line) { reader.warning(warning, at: node.position) }
        let command = reader.attempt(at: node.position) { () throws(CommandError) in try ManagementCommand(line) }
        return command.map { .approov($0, line: line, account: index) }
    }

    private mutating func outage(_ node: Node, at: Int, until: Node?) -> StepAction? {
        guard let kind: Outages.Kind = reader.word(node, "`outage`") else { return nil }
        guard let until else { return .outage(kind, until: nil) }
        guard let end = reader.duration(until, "`until`") else { return nil }
        guard end > at else {
            reader.error("`until` must lie after `at`", at: until.position)
            return nil
        }
        return .outage(kind, until: end)
    }

    private mutating func set(_ node: Node) -> StepAction? {
        guard var fields = reader.mapping(node, "`set`") else { return nil }
        let index = fields.require("group", &reader).flatMap { group($0) }
        let target: DeviceGroup? = index.map { scenario.groups[$0] }
        let catalogue = scenario.accounts[target?.account ?? 0].account.catalogue
        var change = DeviceChange()
        if let node = fields.take("flags") { change.flags = flags(node, catalogue) }
        if let node = fields.take("attributes") {
            change.attributes = AttributeLoader.load(node, isChecked: isChecked, &reader)
        }
        if let node = fields.take("devicecheck") {
            change.deviceCheck = PlatformLoader.capability(node, os: target?.operatingSystem, &reader)
        }
        if let node = fields.take("safetynet") {
            change.safetyNet = PlatformLoader.outcome(node, os: target?.operatingSystem, &reader)
        }
        if let node = fields.take("registered") { change.isRegistered = reader.boolean(node, "`registered`") }
        if let node = fields.take("dev-key"), let text = reader.text(node, "`dev-key`") {
            // R21.5: the SDK takes a key away again, too.
            change.developmentKey = .some(text == "none" ? nil : text)
        }
        if let node = fields.take("client"), let index { change.client = update(index, to: node) }
        if fields.entries.allSatisfy({ $0.key == "group" }) {
            reader.error(
                "`set` says nothing to set", at: node.position, hint: "it takes `flags`, `attributes` and more")
        }
        fields.finish(&reader)
        return index.map { StepAction.set(group: $0, change) }
    }

    // R14.4.
    private mutating func launch(_ node: Node) -> StepAction? {
        guard case .mapping = node.content else {
            return groups(node, "`launch`").map { .launch(groups: $0, over: nil) }
        }
        guard var fields = reader.mapping(node, "`launch`") else { return nil }
        let groups = fields.require("group", &reader).flatMap { self.groups($0, "`group`") }
        let over = fields.require("over", &reader).flatMap { interval($0, "`over`") }
        fields.finish(&reader)
        guard let groups, let over else { return nil }
        return .launch(groups: groups, over: over)
    }

    // R19.1a.
    private mutating func binding(_ node: Node) -> StepAction? {
        guard var fields = reader.mapping(node, "`binding`") else { return nil }
        let groups = fields.require("group", &reader).flatMap { self.groups($0, "`group`") }
        let every = fields.require("every", &reader).flatMap { interval($0, "`every`") }
        fields.finish(&reader)
        guard let groups, let every else { return nil }
        return .binding(groups: groups, every: every)
    }

    // A duration that is not zero.
    private mutating func interval(_ node: Node, _ what: String) -> Int? {
        guard let seconds = reader.duration(node, what) else { return nil }
        guard 1...LaunchTimes.Round.longestSpan ~= seconds else {
            reader.error(
                "\(what) must be at least `1s`\(seconds == 0 ? "" : ", and at most `136y`")", at: node.position)
            return nil
        }
        return seconds
    }

    private mutating func reinstall(_ node: Node) -> StepAction? {
        guard case .mapping = node.content else {
            return groups(node, "`reinstall`").map { .reinstall(groups: $0, keepsID: false) }
        }
        guard var fields = reader.mapping(node, "`reinstall`") else { return nil }
        let groups = fields.require("group", &reader).flatMap { self.groups($0, "`group`") }
        let keepsID = fields.take("keep-id").flatMap { reader.boolean($0, "`keep-id`") } ?? false
        fields.finish(&reader)
        return groups.map { .reinstall(groups: $0, keepsID: keepsID) }
    }

    private mutating func bind(_ node: Node) -> StepAction? {
        guard var fields = reader.mapping(node, "`bind`") else { return nil }
        let index = fields.require("group", &reader).flatMap { group($0) }
        let data = fields.require("data", &reader).flatMap { reader.text($0, "`data`") }
        fields.finish(&reader)
        guard let index, let data else { return nil }
        return .bind(group: index, data: data)
    }

    /// A group, a list of groups, or `all`, by their indices.
    mutating func groups(_ node: Node, _ what: String) -> [Int]? {
        if case .sequence(let nodes) = node.content {
            let indices = nodes.compactMap { group($0) }
            if nodes.isEmpty { reader.error("\(what) names no group", at: node.position) }
            if Set(indices).count < indices.count { reader.error("\(what) names a group twice", at: node.position) }
            return indices.count == nodes.count && !nodes.isEmpty ? indices : nil
        }
        guard let text = reader.text(node, what) else { return nil }
        guard text == "all" else { return group(node).map { [$0] } }
        if scenario.groups.isEmpty { reader.error("there are no devices", at: node.position) }
        return Array(scenario.groups.indices)
    }

    /// A group by its index.
    mutating func group(_ node: Node) -> Int? {
        guard let text = reader.text(node, "a group") else { return nil }
        if let index = groupIndices[ExactText(text)] { return index }
        let names = scenario.groups.map(\.name)
        let known = names.isEmpty ? "there are no groups" : "there are \(names.map(\.quoted).joined(separator: ", "))"
        reader.error(
            "unknown group \(text.quoted)", at: node.position, hint: Suggestion.hint(for: text, among: names) ?? known)
        return nil
    }
}
