package import Accounts
internal import Documents
internal import PolicyEngine

/// The commands of a scenario that change accounts, carried out on copies, so that mistakes are found before anything
/// runs.
struct CommandRehearsal {
    /// By account: every filter that it has at some time.
    private(set) var filterNames: [Set<String>]
    // The accounts with the changes by the commands so far, and what backends present then.
    private var histories: [AccountHistory]
    private var backends = Backends()
    private var steps: [Step] = []
    // The accounts that a command for `latest` left without a device which they may have.
    private var hasUnknownDevice: Set<Int> = []
    private var measurements = MeasurementReview()

    /// The number of steps that are rehearsed, repetitions included; later ones are checked when they are carried out.
    static let limit = 20_000

    /// - Parameter accounts: The accounts as they are at the start.
    init(_ accounts: [Account]) {
        histories = accounts.map { AccountHistory($0) }
        filterNames = accounts.map { Set($0.filters.map(\.name)) }
    }

    /// Adds a step, if it is a command that changes an account, affects what commands do, or depends on what they did.
    mutating func add(_ step: Step) {
        measurements.add(step)
        let action = step.action as? CommandStep
        guard action?.command.changesAccount ?? (step.action is ServeStep) else { return }
        if let action, case .add(let filter)? = action.command.value as? FilterTopic {
            filterNames[action.account].insert(filter.name)
        }
        steps.append(step)
    }

    /// The filters that commands add, each with the position of its command.
    var addedFilters: [(filter: Filter, position: SourcePosition)] {
        steps.compactMap { step in
            guard case .add(let filter)? = (step.action as? CommandStep)?.command.value as? FilterTopic else {
                return nil
            }
            return (filter, step.position)
        }
    }

    /// Carries the commands out in the order of time, as they will be when the scenario runs.
    ///
    /// - Parameters:
    ///   - scenario: The scenario of the commands; it says when it starts, and in which folder files are looked for.
    ///   - reader: Gets what is wrong with them.
    mutating func run(for scenario: Scenario, _ reader: inout DocumentReader) {
        var reached: Set<Int> = []
        backends = scenario.backends
        for occurrence in Timeline(steps, drawing: nil).prefix(Self.limit) {
            reached.insert(occurrence.step)
            let (step, time) = (steps[occurrence.step], occurrence.time)
            measurements.check(until: (time, step.position), histories, of: scenario, &reader)
            rehearse(step, at: time, of: scenario, &reader)
        }
        measurements.check(until: nil, histories, of: scenario, &reader)
        for index in steps.indices where !reached.contains(index) {
            evaluateAlone(
                steps[index], in: scenario.context(at: scenario.start + steps[index].at, backends), &reader)
        }
    }

    private mutating func rehearse(
        _ step: Step, at time: Int, of scenario: Scenario, _ reader: inout DocumentReader
    ) {
        if let action = step.action as? ServeStep { backends.apply(action.changes) }
        guard let action = step.action as? CommandStep, isRehearsable(action.command, account: action.account) else {
            return
        }
        var account = histories[action.account].latest
        let context = scenario.context(at: scenario.start + time, backends)
        Self.apply(action.command, to: &account, in: context, at: step.position, &reader)
        histories[action.account].change(to: account, at: scenario.start + time)
        measurements.note(changeInForceFrom: time + account.propagation)
    }

    // A command that is not reached, if it is right or wrong whatever the commands before it did.
    private func evaluateAlone(_ step: Step, in context: CommandContext, _ reader: inout DocumentReader) {
        guard let action = step.action as? CommandStep, action.command.changesPolicyOnly else { return }
        var account = histories[action.account].latest
        Self.apply(action.command, to: &account, in: context, at: step.position, &reader)
    }

    private static func apply(
        _ command: ManagementCommand, to account: inout Account, in context: CommandContext,
        at position: SourcePosition, _ reader: inout DocumentReader
    ) {
        let effect = reader.attempt(at: position) { () throws(CommandError) in
            try command.apply(to: &account, in: context)
        }
        guard let effect else { return }
        for warning in effect.warnings + (effect.confirmation?.cautions ?? []) { reader.warning(warning, at: position) }
    }

    // `latest` is known only when the scenario runs, and so is whether a later command finds its device.
    private mutating func isRehearsable(_ command: ManagementCommand, account index: Int) -> Bool {
        switch command.value as? DeviceTopic {
        case .add(.latest, _):
            hasUnknownDevice.insert(index)
            return false
        case .removeMatching: return !hasUnknownDevice.contains(index)
        case .remove(let id):
            return !hasUnknownDevice.contains(index) || histories[index].latest.devices.contains { $0.id == id }
        default: return true
        }
    }
}

extension Scenario {
    /// The chains that API domains present (R18.6).
    ///
    /// - Parameter time: Seconds from its start; steps of that second have happened.
    package func presentedChains(at time: Int = 0) -> KnownChains {
        var backends = backends
        for step in steps where step.at <= time {
            if let action = step.action as? ServeStep { backends.apply(action.changes) }
        }
        return backends.presented()
    }

    /// The context of a step's command: all that it needs to know beside the account.
    ///
    /// - Parameters:
    ///   - time: When it is given.
    ///   - backends: The backends as they are then.
    func context(at time: Instant, _ backends: Backends) -> CommandContext {
        var context = CommandContext(time: time, folder: folder)
        (context.boundary, context.chains, context.zone) = (boundary, backends.presented(), zone)
        return context
    }
}
