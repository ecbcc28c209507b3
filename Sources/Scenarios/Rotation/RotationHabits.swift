internal import Documents
internal import PolicyEngine

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

    /// Seconds from the start to the rotation: each app was launched once, and the account was made to fit before where that is
    /// the plan.
    var rotation: Int { max(launches.longest, -min(reaction, 0)) + requests.longest }

    /// The number of times at which a group launches the app, fetches, or makes requests.
    func rounds(of group: String, to domain: RotatedDomain) -> Double {
        let (before, after) = (Double(rotation), Double(duration))
        let fetching = domain.domain.type == .pinOnly ? before + after : before
        let requesting = after - Double(min(reaction, 0))
        return (before + after) / Double(launches[group]) + (fetching + requesting) / Double(requests[group])
    }

    /// The launches, fetches and requests of all groups.
    func steps(to domain: RotatedDomain, of scenario: Scenario) -> [Step] {
        let end = rotation + duration
        return scenario.groups.enumerated().flatMap { index, group -> [Step] in
            guard let target = RequestTarget(domain.domain.name) else { return [] }
            let (every, launching) = (requests[group.name], launches[group.name])
            // Tokens bring the news about pins. For a domain that gets none, those of others do.
            let lastFetch = domain.domain.type == .pinOnly ? end : rotation
            // Before that, commands that come first could do harm.
            let start = rotation + min(reaction, 0) + every
            return [
                Step(every: launching, until: end, LaunchStep(groups: [index], over: launching)),
                Step(every: every, until: lastFetch, FetchStep(groups: [index], domain: nil)),
                Step(
                    at: start, every: every, until: max(end, start),
                    RequestStep(groups: [index], target: target)),
            ]
        }
    }
}

extension Step {
    /// A step that no file has.
    init(at time: Int = 0, every: Int? = nil, until end: Int = 0, _ action: any StepAction) {
        self.init(
            at: time, position: SourcePosition(line: 1, column: 1), action: action,
            repetition: every.map { Repetition(every: $0, until: end) })
    }
}
