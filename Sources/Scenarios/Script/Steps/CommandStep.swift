internal import Accounts
internal import Documents
internal import PolicyEngine

/// A management command, as it was typed.
struct CommandStep: StepAction {
    static let key = "approov"
    static let companions: [(name: String, schema: JSONSchema)] = [
        // Alone, it is cancelled.
        (
            "account",
            .any(of: [
                .text.naming(.account), .map(of: CancelStep.schema, atLeast: 1).namingKeys(.account),
            ])
        )
    ]
    let command: ManagementCommand
    let line: String
    /// The account that it is given to, by its index.
    let account: Int
    var reach: Set<AccountPart> { [.policy, .propagation] }

    static var schema: JSONSchema {
        .reference(to: "command")
    }

    static func load(_ node: Node, _ fields: StepFields, _ loader: inout ScenarioLoader) -> CommandStep? {
        let account = loader.account(fields["account"], for: "`approov`", at: fields.position)
        guard let line = loader.reader.text(node, "`approov`") else { return nil }
        if let warning = CommandMisprint.warning(ofLine: line) { loader.reader.warning(warning, at: node.position) }
        let command = loader.reader.attempt(at: node.position) { () throws(CommandError) in
            try ManagementCommand(line)
        }
        return command.map { CommandStep(command: $0, line: line, account: account) }
    }

    func perform(in run: inout ScenarioRun) -> [String] {
        let (time, service, scenario) = (run.time, run.services[account], run.scenario)
        var changed = service.engine.history.latest
        var context = scenario.context(at: time, run.requests.backends)
        context.latest = { service.latestDevices(at: time) }
        context.chance = .seeded("\(run.seed)|\(account)|\(time)")
        do throws(CommandError) {
            let effect = try command.apply(to: &changed, in: context)
            let answer = try effect.query.map { query throws(CommandError) in
                try service.answer(query, in: scenario.zone)
            }
            let printed = effect.printed + (answer ?? [])
            if effect.clearsDeviceState { service.clearDeviceState() }
            if effect.forcesPins { service.forcePins(at: time) }
            if effect.resumesNotifications { run.mail.resume(account: account) }
            run.result.mail += effect.mail
            run.rulesOfCommands.formUnion(effect.decidedRules)
            if command.changesAccount { service.change(to: changed, at: time) }
            run.result.printed += printed
            return ["approov \(line)"] + printed
        } catch {
            run.diagnostics.add(Diagnostic(error, in: scenario.file, at: scenario.steps[run.step].position))
            return []
        }
    }

    func event(in _: Scenario) -> StepEvent {
        .account(account, EventTrace.Event(kind: Self.key, rule: "R1.5", name: "command", line: line))
    }
}

/// An account is cancelled: the service does not answer its apps any more (R20).
struct CancelStep: StepAction {
    static let key = "account"
    /// The account by its index.
    let account: Int
    var reach: Set<AccountPart> { [] }

    static var schema: JSONSchema { .words(["cancelled"]) }

    // `cancelled`, or by its name `{NAME: cancelled}`.
    static func load(_ node: Node, _: StepFields, _ loader: inout ScenarioLoader) -> CancelStep? {
        guard case .mapping(let entries) = node.content, entries.count == 1, let entry = entries.first else {
            guard loader.reader.choice(node, "`account`", from: ["cancelled"]) != nil else { return nil }
            return CancelStep(account: loader.account(nil, for: "`account: cancelled`", at: node.position))
        }
        let index = loader.account(entry.keyNode, for: "`account`", at: node.position)
        return loader.reader.choice(entry.value, entry.key.quoted, from: ["cancelled"]).map { _ in
            CancelStep(account: index)
        }
    }

    func perform(in run: inout ScenarioRun) -> [String] {
        run.cancelled.insert(account)
        return ["account \(run.scenario.accounts[account].account.name) cancelled"]
    }

    func event(in _: Scenario) -> StepEvent {
        .account(
            account,
            EventTrace.Event(
                kind: Self.key, subject: "account cancelled", rule: "R20", name: "service",
                line: "the service does not answer the apps of the account any more"))
    }
}
