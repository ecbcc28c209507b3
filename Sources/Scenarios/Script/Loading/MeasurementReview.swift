internal import Accounts
package import Documents
internal import PolicyEngine

/// The steps of a scenario that ask for measurements. Each must find encrypted tokens in force whenever it happens, so
/// that nobody on the way can read the measurement, and the feature (R22.1).
struct MeasurementReview {
    /// A moment of a scenario: seconds from its start, and a position in its file. Of one second, the steps from that
    /// position on are still to come.
    typealias Moment = (time: Int, position: SourcePosition)

    // A step that asks for a measurement of a domain, at the position of that.
    fileprivate struct Asking {
        let step: Step
        let groups: [Int]
        let domain: String
        var isRefused = false

        // The first time at which it happens between two moments; `nil` where it does not.
        func time(from start: Moment, until end: Moment) -> Int? {
            let every = step.repetition?.every ?? 1
            let earliest = step.position < start.position ? start.time + 1 : start.time
            let time = step.at + max(0, earliest - step.at + every - 1) / every * every
            return time <= step.lastTime && (time, step.position) < end ? time : nil
        }
    }

    private var steps: [Asking] = []
    // The moment up to which they were checked.
    private var checked: Moment = (0, Self.first)
    // The times at which changes come into force behind that moment, in seconds from the scenario's start.
    private var comingIntoForce = Heap<Int>()

    private static let first = SourcePosition(line: 0, column: 0)

    /// Adds a step, unless it asks for no measurement.
    mutating func add(_ step: Step) {
        guard let action = step.action as? any ExpectingAction,
            let text = (action as? RequestStep)?.target.text ?? action.domain,
            RequestedDomain.asksForMeasurement(text), let domain = RequestedDomain.domain(of: text)
        else { return }
        steps.append(Asking(step: step, groups: action.groups, domain: domain))
    }

    /// Notes a change of an account, which comes into force that many seconds after the scenario's start.
    mutating func note(changeInForceFrom time: Int) { comingIntoForce.insert(time) }

    /// Checks the steps that happen until a moment, once for each account that comes into force until then.
    ///
    /// - Parameters:
    ///   - end: The moment, such as that of the next command; `nil` is the end.
    ///   - histories: The accounts with all changes that are made until then.
    mutating func check(
        until end: Moment?, _ histories: [AccountHistory], of scenario: Scenario, _ reader: inout DocumentReader
    ) {
        let end = end ?? (.max, Self.first)
        var ends: [Moment] = []
        while let time = comingIntoForce.least, time <= end.time {
            _ = comingIntoForce.popLeast()
            ends.append((time, Self.first))
        }
        // Up to each of these moments, the accounts in force stay as they are.
        for end in ends + [end] where checked < end {
            for index in steps.indices where !steps[index].isRefused {
                guard let time = steps[index].time(from: checked, until: end) else { continue }
                let problems = steps[index].problems(at: scenario.start + time, histories, of: scenario)
                for (problem, hint) in problems { reader.error(problem, at: steps[index].step.position, hint: hint) }
                steps[index].isRefused = !problems.isEmpty
            }
            checked = end
        }
    }
}

extension MeasurementReview.Asking {
    fileprivate func problems(
        at time: Instant, _ histories: [AccountHistory], of scenario: Scenario
    ) -> [(message: String, hint: String)] {
        Set(groups.map { scenario.groups[$0].account }).sorted().flatMap { account in
            let history = histories[account]
            return [
                history.account(inForceAt: time).has(.measurement)
                    ? nil
                    : (
                        "a measurement of \(domain.quoted) needs the feature `measurement`",
                        "`features: [measurement]` in the account"
                    ),
                history.encryptsTokens(forDomain: domain, at: time)
                    ? nil
                    : (
                        "a measurement needs encrypted tokens, and those of \(domain.quoted) are not",
                        "`alg: \(APIDomain.encryptionAlgorithm)` of the domain, or `api -add \(domain) -jwe`"
                    ),
            ].compactMap(\.self)
        }
    }
}

extension AccountHistory {
    /// True if tokens for a domain are encrypted at a time: by its type, or by a key of the key set that is for that.
    fileprivate func encryptsTokens(forDomain name: String, at time: Instant) -> Bool {
        let moment = moment(at: time)
        guard access(toDomain: name, at: moment) == .served else { return false }
        let account = account(forTokensOf: name, at: moment)
        guard let domain = account.servedDomain(named: name) else { return false }
        let key = try? account.tokenKey(for: domain)
        return (key?.algorithm.rawValue ?? domain.tokenAlgorithm) == APIDomain.encryptionAlgorithm
    }
}

extension Scenario {
    /// The steps in which a domain gets a chain that has none of the pins which an account then has for it.
    ///
    /// - Complexity: O(steps, repetitions included, up to those that are rehearsed).
    package var rotationsWithoutPin: [(domain: String, position: SourcePosition)] {
        var accounts = accounts.map(\.account)
        var found: [(domain: String, position: SourcePosition)] = []
        var seen: Set<Int> = []
        var backends = backends
        for occurrence in Timeline(steps, drawing: nil).prefix(CommandRehearsal.limit) {
            let step = steps[occurrence.step]
            if let action = step.action as? CommandStep, action.command.changesAccount {
                // A command that fails here is reported when the scenario is loaded or run.
                let context = context(at: start + occurrence.time, backends)
                _ = try? action.command.apply(to: &accounts[action.account], in: context)
            }
            guard let changes = (step.action as? ServeStep)?.changes else { continue }
            backends.apply(changes)
            guard seen.insert(occurrence.step).inserted else { continue }
            found += changes.filter { change in accounts.contains { $0.blocks(change) } }
                .map { ($0.domain, step.position) }
        }
        return found
    }
}

extension Account {
    /// True if the chain that a backend gets has none of the pins of its host.
    fileprivate func blocks(_ change: Backends.Change) -> Bool {
        guard let presented = change.chain?.pins else { return false }
        let applied = PinConfiguration(self).applied(
            to: change.domain, presenting: presented, mode: .pin, usingRoots: true)
        return applied.map { !$0.pins.contains(where: presented.contains) } ?? false
    }
}
