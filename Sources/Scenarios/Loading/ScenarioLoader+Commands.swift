internal import Accounts
internal import Documents
internal import PolicyEngine

// Commands are rehearsed on copies of the accounts, so that mistakes are found before anything runs.
extension ScenarioLoader {
    /// How many commands are rehearsed, repetitions included; later ones are checked when they are carried out.
    static let rehearsalLimit = 20_000

    /// Understands a command.
    mutating func command(_ node: Node, account: Node?, at position: SourcePosition) -> StepAction? {
        let index = self.account(account, for: "`approov`", at: position)
        guard let line = reader.text(node, "`approov`") else { return nil }
        do throws(CommandError) {
            let command = try ManagementCommand(line)
            if case .filter(.add(let filter)) = command { filterNames[index].insert(filter.name) }
            return .approov(command, line: line, account: index)
        } catch {
            reader.error(error, at: node.position)
            return nil
        }
    }

    /// Keeps a step for the rehearsal, if it changes an account; also one that is wrong otherwise, so that others are not
    /// blamed for what it would have done.
    mutating func noteCommand(
        _ action: StepAction, at time: Int, _ repetition: Step.Repetition?, of fields: DocumentMapping
    ) {
        guard case .approov(let command, _, _) = action, command.changesAccount else { return }
        let position = fields.entries.first { $0.key == "approov" }?.value.position
        commands.append(
            Step(at: time, position: position ?? fields.position, action: action, repetition: repetition))
    }

    /// Carries the commands out in the order of time, as they will be when the scenario runs.
    mutating func rehearse() {
        var reached: Set<Int> = []
        for occurrence in Timeline(commands).prefix(Self.rehearsalLimit) {
            reached.insert(occurrence.step)
            rehearse(commands[occurrence.step], at: scenario.start + occurrence.time)
        }
        for index in commands.indices where !reached.contains(index) { evaluateAlone(commands[index]) }
    }

    private mutating func rehearse(_ step: Step, at time: Instant) {
        guard case .approov(let command, _, let index) = step.action, isRehearsable(command, account: index) else {
            return
        }
        rehearsed[index] = applying(command, to: rehearsed[index], at: time, step.position)
    }

    // A command that is not reached, if it is right or wrong whatever the commands before it did.
    private mutating func evaluateAlone(_ step: Step) {
        guard case .approov(let command, _, let index) = step.action, command.dependsOnDeclarationsOnly else { return }
        _ = applying(command, to: rehearsed[index], at: scenario.start + step.at, step.position)
    }

    // The account as a command leaves it; as before, after noting an error.
    private mutating func applying(
        _ command: ManagementCommand, to account: Account, at time: Instant, _ position: SourcePosition
    ) -> Account {
        var account = account
        var context = CommandContext(time: time, folder: scenario.folder)
        context.boundary = scenario.boundary
        do throws(CommandError) {
            for warning in try command.apply(to: &account, in: context).warnings {
                reader.warning(warning, at: position)
            }
        } catch {
            reader.error(error, at: position)
        }
        return account
    }

    // `latest` is known only when the scenario runs, and so is whether a later command finds its device.
    private mutating func isRehearsable(_ command: ManagementCommand, account index: Int) -> Bool {
        switch command {
        case .device(.add(.latest, _)):
            hasUnknownDevice.insert(index)
            return false
        case .device(.removeMatching): return !hasUnknownDevice.contains(index)
        case .device(.remove(let id)):
            return !hasUnknownDevice.contains(index) || rehearsed[index].devices.contains { $0.id == id }
        default: return true
        }
    }
}
