internal import Accounts
package import Documents
package import PolicyEngine

/// Lets the certificates of a scenario's API domains change in every way, one at a time, and counts whose apps are blocked.
///
/// The steps of the scenario are left out. In their place, each device fetches tokens and launches its app as often as
/// ``RotationHabits`` say, and from the rotation on it makes requests to the domain, whose backend asks for no token.
package struct RotationRehearsal: Sendable {
    private let scenario: Scenario
    private let account: Account
    private let habits: RotationHabits
    /// The rotations that are rehearsed.
    package var rotations = Rotation.allCases
    /// Goes before the scenario's own seed.
    package var seed: UInt64?

    /// - Parameters:
    ///   - scenario: A scenario with one account, whose backends say their chains.
    ///   - account: The account that is in its place.
    package init(_ scenario: Scenario, account: Account, habits: RotationHabits) {
        (self.scenario, self.account) = (scenario.replacingAccount(by: account), account)
        self.habits = habits
    }

    /// The domains of the account of which no backend says the chain, so that nothing is rehearsed.
    package var unknownDomains: [String] {
        account.apiDomains.filter { !$0.holdsManagedRoots && RotatedDomain($0, of: account, scenario.backends) == nil }
            .map(\.name)
    }

    private var domains: [RotatedDomain] {
        account.apiDomains.compactMap { RotatedDomain($0, of: account, scenario.backends) }
    }

    private var planned: [Planned] {
        domains.flatMap { domain in
            rotations.compactMap { rotation in
                domain.change(by: rotation).map { Planned(rotation: rotation, domain: domain, change: $0) }
            }
        }
    }

    /// The rotations that are not rehearsed, because the chain of a domain cannot have them.
    package var leftOut: [LeftOut] {
        domains.flatMap { domain in
            rotations.compactMap { rotation in
                rotation.missing(in: domain.chain.keys).map {
                    LeftOut(domain: domain.domain.name, rotation: rotation, reason: $0)
                }
            }
        }
    }

    /// A rotation that the chain of a domain cannot have.
    package struct LeftOut: Sendable {
        package let domain: String
        package let rotation: Rotation
        /// The certificate that is missing, in words.
        package let reason: String
    }

    // The work of about a minute: a launch, a fetch or a request of a device counts as one, and each time at which a group has some as
    // six more.
    private static let (mostWork, workOfTime) = (100_000_000.0, 6.0)

    /// The number of launches, fetches and requests of all devices, if they take longer than about a minute; `nil` otherwise.
    package var excess: Int? {
        var (times, events) = (0.0, 0.0)
        for planned in planned {
            for group in scenario.groups {
                let rounds = habits.rounds(of: group.name, to: planned.domain) * (planned.meetsThief ? 2 : 1)
                times += rounds
                events += rounds * Double(group.count)
            }
        }
        return events + Self.workOfTime * times > Self.mostWork ? Int(min(events, 1e18)) : nil
    }

    /// Runs all of them.
    ///
    /// - Parameters:
    ///   - jobs: The number of runs at a time; the results do not depend on it.
    ///   - progress: Gets the share that is done.
    ///   - diagnostics: Gets what makes a run invalid.
    /// - Returns: For each domain, in the order of the account, the rotations that its chain can have.
    /// - Complexity: O(rotations × requests of all devices).
    package func run(jobs: Int, progress: Progress, _ diagnostics: inout Diagnostics) -> [RehearsedRotation] {
        let planned = planned
        var runner = ScenarioRunner(seed: seed)
        (runner.jobs, runner.progress) = (jobs, progress)
        let scenarios = planned.flatMap { planned -> [Scenario] in
            let rotated = scenario(planned, serving: planned.change.chain)
            return planned.meetsThief ? [rotated, scenario(planned, serving: nil)] : [rotated]
        }
        var results = runner.run(scenarios, diagnostics: &diagnostics)[...]
        guard results.count == scenarios.count else { return [] }
        return planned.compactMap { planned in
            guard let rotated = results.popFirst() else { return nil }
            let thief = planned.meetsThief ? results.popFirst() : nil
            let names = KeyNames(scenario.chains + [planned.change.chain])
            return RehearsedRotation(planned, rotated, thief: thief, of: scenario.groups, names)
        }
    }

    /// A rotation of a domain that is to be rehearsed.
    struct Planned {
        let rotation: Rotation
        let domain: RotatedDomain
        let change: RotatedDomain.Change

        /// True if devices can meet somebody with the stolen key; managed pins follow the chain away from it at once (R18.2a).
        var meetsThief: Bool { rotation == .stolenKey && domain.domain.type != .restricted }
    }

    // The scenario with habits in place of its steps, and the rotation; without a chain the old one stays, as somebody
    // presents it who has stolen the key.
    private func scenario(_ planned: Planned, serving chain: KeyChain?) -> Scenario {
        var copy = scenario
        copy.finalExpectations = []
        copy.backends.apply(Backends.Change(domain: planned.domain.host, answers: true, requiresToken: false))
        let isTheft = planned.rotation == .stolenKey
        let reaction = isTheft && habits.reaction < 0 ? RotationHabits.usualReaction : habits.reaction
        let rotation = habits.rotation
        var steps = habits.steps(to: planned.domain, of: scenario)
        if let chain {
            let change = Backends.Change(domain: planned.domain.host, chain: chain)
            steps.append(Step(at: rotation, ServeStep(changes: [change])))
        }
        steps += planned.change.commands.map {
            Step(at: rotation + reaction, CommandStep(command: $0, line: $0.text, account: 0))
        }
        let order = steps.indices.sorted { (steps[$0].at, $0) < (steps[$1].at, $1) }
        copy.steps = order.map { steps[$0] }
        return copy
    }
}
