internal import Accounts
internal import Documents
internal import PolicyEngine

/// A management command, as it was typed.
struct CommandStep: StepAction {
    static let key = "approov"
    static let help = "A management command, as you would type it."
    // Alone, `account` cancels one.
    static let companions = [
        (
            name: "account",
            schema: JSONSchema.any(of: [
                .text.naming(.account), .map(of: CancelStep.words.schema, atLeast: 1).namingKeys(.account),
            ]).described(as: CancelStep.help)
        )
    ]
    let command: ManagementCommand
    let line: String
    /// The account that it is given to, by its index.
    let account: Int
    var reach: Set<AccountPart> { [.policy, .propagation] }

    static func form(_ scope: ScenarioScope) -> ValueForm<CommandStep> {
        ValueForm(.reference(to: "command")) { node, what, reader in
            let account = scope.account(scope.companions["account"], for: what, at: scope.position, &reader)
            guard let line = reader.text(node, what) else { return nil }
            if let warning = CommandMisprint.warning(ofLine: line) { reader.warning(warning, at: node.position) }
            let command = reader.attempt(at: node.position) { () throws(CommandError) in try ManagementCommand(line) }
            return command.map { CommandStep(command: $0, line: line, account: account) }
        }
    }

    func perform(in run: inout ScenarioRun) -> [String] {
        let (time, service, scenario) = (run.time, run.services[account], run.scenario)
        var changed = service.engine.history.latest
        var context = scenario.context(at: time, run.requests.backends)
        context.latest = { service.latestDevices(at: time) }
        context.configurationSince = service.configurations.start(ofNewestAt: time)
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
    static let help = "The account of the command; with cancelled, the service no longer answers its apps."
    /// The account by its index.
    let account: Int
    var reach: Set<AccountPart> { [] }

    fileprivate static let words = ValueForm<String>.word(["cancelled"])

    // `cancelled`, or by its name `{NAME: cancelled}`.
    static func form(_ scope: ScenarioScope) -> ValueForm<CancelStep> {
        ValueForm(words.schema) { node, what, reader in
            guard case .mapping(let entries) = node.content, entries.count == 1, let entry = entries.first else {
                guard words.read(node, what, &reader) != nil else { return nil }
                return CancelStep(account: scope.account(nil, for: "`account: cancelled`", at: node.position, &reader))
            }
            let index = scope.account(entry.keyNode, for: what, at: node.position, &reader)
            return words.read(entry.value, entry.key.quoted, &reader).map { _ in CancelStep(account: index) }
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
                kind: Self.key, words: "account cancelled", rule: "R20", name: "service",
                line: "the service does not answer the apps of the account any more"))
    }
}
