internal import Accounts
package import Documents
package import PolicyEngine
internal import Replay

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

    /// Runs all of them.
    ///
    /// - Parameters:
    ///   - jobs: The number of runs at a time; the results do not depend on it.
    ///   - progress: Gets the share that is done.
    ///   - diagnostics: Gets what makes a run invalid.
    /// - Returns: For each domain, in the order of the account, the rotations that its chain can have.
    /// - Complexity: O(rotations × requests of all devices).
    package func run(jobs: Int, progress: Progress, _ diagnostics: inout Diagnostics) -> [RehearsedRotation] {
        let planned = account.apiDomains.compactMap { RotatedDomain($0, of: account, scenario.backends) }
            .flatMap { domain in
                rotations.compactMap { rotation in
                    domain.change(by: rotation).map { Planned(rotation: rotation, domain: domain, change: $0) }
                }
            }
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
            return RehearsedRotation(planned, rotated, thief: thief, scenario.groups, names)
        }
    }

    /// A rotation of a domain that is to be rehearsed.
    fileprivate struct Planned {
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
        let isPlanned = habits.reaction < 0
        let reaction =
            isPlanned && planned.rotation == .stolenKey ? RotationHabits.usualReaction : habits.reaction
        let rotation = habits.rotation
        var steps = habits.steps(to: planned.domain, of: scenario)
        if let chain {
            steps.append(
                step(at: rotation, ServeStep(changes: [Backends.Change(domain: planned.domain.host, chain: chain)])))
        }
        steps += planned.change.commands.map {
            step(at: rotation + reaction, CommandStep(command: $0, line: $0.text, account: 0))
        }
        copy.steps = steps.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map(
            \.element)
        return copy
    }
}

/// The times at which people use an app around a rotation, and at which the account is made to fit.
package struct RotationHabits: Sendable {
    /// Seconds from one request of a device to its next.
    package var requests = Spread(usual: 900)
    /// Seconds from one launch of the app to the next on average, at times of each device's own.
    package var launches = Spread(usual: Instant.secondsPerDay)
    /// Seconds from the rotation to the commands that make the account fit; negative where they come before it.
    package var reaction = usualReaction
    /// The same where nothing is said, and after a theft, which nobody plans.
    package static let usualReaction = 3_600
    /// Seconds from the rotation to the end.
    package var duration = 7 * Instant.secondsPerDay

    package init() {}

    /// The groups that have a number of their own.
    package var groups: [String] { (Array(requests.groups.keys) + launches.groups.keys).sorted() }

    /// The seconds that may lie between requests, and between launches.
    package static let intervals = 1...LaunchTimes.Round.longestSpan

    /// A number of seconds, which may be another one for some groups.
    package struct Spread: Sendable {
        fileprivate var usual: Int
        fileprivate var groups: [String: Int] = [:]

        fileprivate init(usual: Int) { self.usual = usual }

        /// The number for a group by its name; `nil` is that for all others.
        package subscript(group: String?) -> Int {
            get { group.flatMap { groups[$0] } ?? usual }
            set {
                if let group { groups[group] = newValue } else { usual = newValue }
            }
        }

        fileprivate var longest: Int { max(usual, groups.values.max() ?? 0) }
    }

    // Each app was launched once, and the account was made to fit before where that is the plan.
    fileprivate var rotation: Int {
        max(launches.longest, -min(reaction, 0)) + requests.longest
    }

    fileprivate func steps(to domain: RotatedDomain, of scenario: Scenario) -> [Step] {
        let end = rotation + duration
        return scenario.groups.enumerated().flatMap { index, group -> [Step] in
            guard let target = RequestTarget(domain.domain.name) else { return [] }
            let (every, launching) = (requests[group.name], launches[group.name])
            // Tokens bring the news about pins. For a domain that gets none, those of others do.
            let lastFetch = domain.domain.type == .pinOnly ? end : rotation
            // Before that, commands that come first could do harm.
            let start = rotation + min(reaction, 0) + every
            return [
                step(every: launching, until: end, LaunchStep(groups: [index], over: launching)),
                step(every: every, until: lastFetch, FetchStep(groups: [index], domain: nil)),
                step(
                    at: start, every: every, until: max(end, start),
                    RequestStep(groups: [index], target: target)),
            ]
        }
    }
}

private func step(at time: Int = 0, every: Int? = nil, until end: Int = 0, _ action: any StepAction) -> Step {
    Step(
        at: time, position: SourcePosition(line: 1, column: 1), action: action,
        repetition: every.map { Step.Repetition(every: $0, until: end) })
}

/// The result of a rotation of a domain.
package struct RehearsedRotation: Sendable {
    package let domain: String
    package let rotation: Rotation
    /// The chain that the backend presents from then on, the leaf first, by names of keys or as pins.
    package let chain: [String]
    /// The key of the chain of which the account has a pin, by its name or as a pin; `nil` where it has none.
    package let match: String?
    /// True if pins apply to the domain.
    package let isPinned: Bool
    /// The management commands by which the account is made to fit; none where it fits.
    package let commands: [String]
    /// By group; only groups that made requests.
    package let groups: [Group]
    /// The number of devices that, at the end, connect to somebody with the stolen key; `nil` for other rotations.
    package let trustingThief: Int?

    /// The devices of a group.
    package struct Group: Sendable {
        package let devices: Int
        package let requests: RequestFigures
    }

    /// True if apps with the pins of the account connect as before.
    package var survives: Bool { match != nil || !isPinned }
    /// The number of devices.
    package var devices: Int { groups.reduce(0) { $0 + $1.devices } }
    /// The figures of all groups.
    package var requests: RequestFigures {
        groups.reduce(into: RequestFigures()) { $0.merge($1.requests) }
    }

    fileprivate init(
        _ planned: RotationRehearsal.Planned, _ rotated: ScenarioResult, thief: ScenarioResult?,
        _ groups: [DeviceGroup],
        _ names: KeyNames
    ) {
        (domain, rotation) = (planned.domain.domain.name, planned.rotation)
        chain = planned.change.chain.keys.map(names.name)
        (match, isPinned) = (planned.change.match.map(names.name), planned.change.isPinned)
        commands = planned.change.commands.map(\.text)
        func figures(_ result: ScenarioResult) -> [Group] {
            result.requests.compactMap { requests in
                groups.first { $0.name == requests.group }.map { Group(devices: $0.count, requests: requests) }
            }
        }
        self.groups = figures(rotated)
        let trusting = thief.map { thief in
            figures(thief).reduce(0) { sum, group in
                sum + (group.requests[.accepted] == 0 ? 0 : group.devices - group.requests.stillBlocked)
            }
        }
        trustingThief = planned.rotation == .stolenKey ? trusting ?? 0 : nil
    }
}
