internal import Documents

/// Draws when each install launches, where a step spreads launches over some time (R14.4).
struct LaunchTimes: Sendable {
    private let scenario: Scenario
    private let seed: UInt64

    /// An install that launches.
    struct Launch: Hashable, Sendable {
        /// The group by its index.
        let group: Int
        /// The install's number within the group.
        let number: Int
    }

    /// - Parameters:
    ///   - scenario: The scenario of the steps.
    ///   - seed: The seed by which times are drawn.
    init(_ scenario: Scenario, seed: UInt64) { (self.scenario, self.seed) = (scenario, seed) }

    /// Draws the launches of a step that begins once more.
    ///
    /// - Parameters:
    ///   - step: The step by its index.
    ///   - start: When it begins, in seconds from the scenario's start.
    /// - Returns: `nil` for a step that spreads no launches.
    /// - Complexity: O(*n* log *n*) in the installs.
    func round(of step: Int, from start: Int) -> Round? {
        guard let action = scenario.steps[step].action as? LaunchStep, let span = action.over else { return nil }
        let groups = action.groups
        var launches: [UInt64] = []
        launches.reserveCapacity(groups.reduce(0) { $0 + scenario.groups[$1].count })
        for group in groups {
            for number in 0..<scenario.groups[group].count {
                let offset = offset(of: number, in: group, step: step, start: start, span: span)
                launches.append(UInt64(offset) << Round.bits | UInt64(launches.count))
            }
        }
        launches.sort()
        return Round(start: start, groups: groups.map { ($0, scenario.groups[$0].count) }, launches: launches)
    }

    /// Draws when an install launches, in seconds from the beginning of the step. Another step, and the same step when it
    /// begins again, draws another time.
    func offset(of number: Int, in group: Int, step: Int, start: Int, span: Int) -> Int {
        var generator = SeededGenerator(
            seed: seed, path: "launch", scenario.groups[group].name, "\(number)", "step \(step)", "\(start)")
        return generator.next(below: span)
    }

    /// The launches of a step from one beginning on, in the order of time; those of one second in the order of installs.
    struct Round: Sendable {
        /// Seconds from the scenario's start.
        let start: Int
        private let groups: [(index: Int, count: Int)]
        // In the upper half seconds from the beginning, in the lower half the install's number over all groups.
        private let launches: [UInt64]
        private var next = 0

        fileprivate static let bits = 32
        /// The longest time over which launches can be spread, in seconds.
        static let longestSpan = Int(UInt32.max)

        fileprivate init(start: Int, groups: [(index: Int, count: Int)], launches: [UInt64]) {
            (self.start, self.groups, self.launches) = (start, groups, launches)
        }

        /// The second in which the next install launches; `nil` where all did.
        var nextTime: Int? { next < launches.count ? start + Int(launches[next] >> Self.bits) : nil }

        /// Takes the installs that launch in the next second.
        mutating func popNext() -> [Launch] {
            guard let time = nextTime else { return [] }
            var taken: [Launch] = []
            while nextTime == time {
                taken.append(launch(Int(UInt32(truncatingIfNeeded: launches[next]))))
                next += 1
            }
            return taken
        }

        private func launch(_ number: Int) -> Launch {
            var number = number
            for group in groups {
                if number < group.count { return Launch(group: group.index, number: number) }
                number -= group.count
            }
            // Numbers are those of the groups' installs.
            return Launch(group: 0, number: 0)
        }
    }
}
