/// The steps of a scenario in the order of time, what repeats laid among the others; equal times in file order.
struct Timeline: Sequence, IteratorProtocol {
    private let steps: [Step]
    private var upcoming = 0
    private var repeating: [Occurrence] = []

    /// One time at which a step happens.
    struct Occurrence: Hashable {
        /// The step by its place in the scenario.
        let step: Int
        /// Seconds from the scenario's start.
        let time: Int
        /// Whether the step happens no more after this.
        let isLast: Bool
    }

    init(_ steps: [Step]) {
        self.steps = steps
    }

    mutating func next() -> Occurrence? {
        let soonest = repeating.indices.min { isBefore(repeating[$0], repeating[$1]) }
        if upcoming < steps.count {
            let first = occurrence(of: upcoming, at: steps[upcoming].at)
            guard let soonest, isBefore(repeating[soonest], first) else {
                upcoming += 1
                scheduleNext(after: first)
                return first
            }
        }
        guard let soonest else { return nil }
        let occurrence = repeating.remove(at: soonest)
        scheduleNext(after: occurrence)
        return occurrence
    }

    private mutating func scheduleNext(after occurrence: Occurrence) {
        guard !occurrence.isLast, let repetition = steps[occurrence.step].repetition else { return }
        repeating.append(self.occurrence(of: occurrence.step, at: occurrence.time + repetition.every))
    }

    private func occurrence(of step: Int, at time: Int) -> Occurrence {
        Occurrence(step: step, time: time, isLast: time >= steps[step].lastTime)
    }

    private func isBefore(_ left: Occurrence, _ right: Occurrence) -> Bool {
        (left.time, left.step) < (right.time, right.step)
    }
}
