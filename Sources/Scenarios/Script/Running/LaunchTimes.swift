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

    /// - Parameter seed: The seed by which times are drawn.
    init(_ scenario: Scenario, seed: UInt64) { (self.scenario, self.seed) = (scenario, seed) }

    /// Draws the launches of a step that begins once more.
    ///
    /// - Parameters:
    ///   - step: The step by its index.
    ///   - start: When it begins, in seconds from the scenario's start.
    /// - Returns: `nil` for a step that spreads no launches.
    /// - Complexity: O(*n* log *n*) in the installs.
    func round(of step: Int, from start: Int) -> Round? {
        guard let action = scenario.steps[step].action as? any SpreadAction, let span = action.over
        else { return nil }
        var launches: [Round.Timed] = []
        launches.reserveCapacity(action.groups.reduce(0) { $0 + scenario.groups[$1].count })
        for (place, group) in action.groups.enumerated() {
            for number in 0..<scenario.groups[group].count {
                let offset = offset(of: number, in: group, step: step, start: start, span: span)
                launches.append(Round.Timed(offset: UInt32(offset), place: UInt32(place), number: UInt32(number)))
            }
        }
        launches.sort { ($0.offset, $0.place, $0.number) < ($1.offset, $1.place, $1.number) }
        return Round(start: start, groups: action.groups, launches: launches)
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
        fileprivate let groups: [Int]
        fileprivate let launches: [Timed]
        fileprivate var next = 0

        /// When an install launches, in seconds from the beginning; and its group by the place among those of the step.
        fileprivate struct Timed {
            let offset, place, number: UInt32
        }

        /// The longest time over which launches can be spread, in seconds.
        static let longestSpan = Int(UInt32.max)

        /// The second in which the next install launches; `nil` where all did.
        var nextTime: Int? { next < launches.count ? start + Int(launches[next].offset) : nil }

        /// Takes the installs that launch in the next second.
        mutating func popNext() -> [Launch] {
            let first = next
            while next < launches.count, launches[next].offset == launches[first].offset { next += 1 }
            return launches[first..<next].map { Launch(group: groups[Int($0.place)], number: Int($0.number)) }
        }
    }
}
