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
        requestedHosts.check(scenario, &reader)
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
        // An outage has an end of its own.
        let isOutage = fields.entries.contains { $0.key == OutageStep.key }
        let until = isOutage ? fields.take("until") : nil
        let action = self.action(&fields, at: at ?? 0, until: until)
        let everyNode = fields.entries.first { $0.key == "every" }?.value
        let repetition = isOutage ? nil : self.repetition(&fields, at: at ?? 0)
        let expect = fields.take("expect")
        fields.finish(&reader)
        guard let action else { return nil }
        requestedHosts.add(action, to: fields.entries.first { $0.key == "to" }?.value, expecting: expect)
        var step = Step(at: at ?? latest, position: node.position, action: action, repetition: repetition)
        if let span = step.launchSpan, let repetition, let everyNode, span > repetition.every {
            reader.error("`every` is shorter than `over`, so that launches would overlap", at: everyNode.position)
        }
        // Also a step that is wrong otherwise is rehearsed, so that others are not blamed for what it would have done; at the
        // position of the part that may be wrong because of the commands before it.
        let part = fields.entries.first { ["approov", "domain", "to"].contains($0.key) }?.value
        step.position = part?.position ?? fields.position
        rehearsal.add(step)
        step.position = node.position
        return at.map { _ in (step, expect) }
    }

    private mutating func checkOrder(_ at: Int, after latest: inout Int, at position: SourcePosition) {
        if at < latest {
            reader.error(
                "step at \(DurationText.text(at)) comes after one at \(DurationText.text(latest))", at: position,
                hint: "steps have to be in the order of time")
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

    private mutating func action(
        _ fields: inout DocumentMapping, at: Int, until: Node?
    ) -> (any StepAction)? {
        fields.allow(StepKinds.keys)
        fields.allow(StepKinds.companions)
        let given = StepKinds.given(by: fields.entries)
        let companions = StepKinds.companions(of: fields.entries)
        var rest = StepFields(position: fields.position, at: at, companions: companions)
        if let until { rest.companions["until"] = until }
        guard let (kind, node) = given.first else {
            if let account = companions[CancelStep.key] { return CancelStep.load(account, rest, &self) }
            let names = (StepKinds.keys + [CancelStep.key]).map(\.quoted).joined(separator: ", ")
            reader.error("a step needs one of \(names)", at: fields.position)
            return nil
        }
        if given.count > 1 {
            reader.error(
                "\(given[1].kind.key.quoted) cannot be combined with \(kind.key.quoted)", at: given[1].node.position)
        }
        for other in StepKinds.all where !companions.isEmpty && other != kind {
            let names = other.companions.map(\.name)
            guard let first = names.lazy.compactMap({ companions[$0] }).first else { continue }
            let words = names.dropLast().map(\.quoted).joined(separator: ", ") + (names.count > 1 ? " and " : "")
            reader.error(
                "\(words)\(names.suffix(1).map(\.quoted).joined()) \(names.count > 1 ? "go" : "goes") with \(other.key.quoted) only",
                at: first.position)
        }
        return kind.load(node, rest, &self)
    }

    // MARK: Groups

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
