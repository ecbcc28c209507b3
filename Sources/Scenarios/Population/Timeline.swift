/// The steps of a scenario in the order of time, what repeats laid among the others; equal times in file order.
struct Timeline: Sequence, IteratorProtocol {
    private let steps: [Step]
    private var upcoming = 0
    // The next time of each step that is being repeated.
    private var repeating = Heap<Occurrence>()

    /// One time at which a step happens.
    struct Occurrence: Hashable, Comparable {
        /// The step by its index in the scenario.
        let step: Int
        /// Seconds from the scenario's start.
        let time: Int
        /// Whether the step happens no more after this.
        let isLast: Bool

        static func < (left: Occurrence, right: Occurrence) -> Bool {
            (left.time, left.step) < (right.time, right.step)
        }
    }

    init(_ steps: [Step]) {
        self.steps = steps
    }

    /// The next time at which something happens.
    ///
    /// - Complexity: O(log *n*) in the number of steps that are being repeated.
    mutating func next() -> Occurrence? {
        let first = upcoming < steps.count ? occurrence(of: upcoming, at: steps[upcoming].at) : nil
        let occurrence: Occurrence?
        if let first, repeating.least.map({ first < $0 }) ?? true {
            upcoming += 1
            occurrence = first
        } else {
            occurrence = repeating.popLeast()
        }
        if let occurrence { scheduleNext(after: occurrence) }
        return occurrence
    }

    private mutating func scheduleNext(after occurrence: Occurrence) {
        guard !occurrence.isLast, let repetition = steps[occurrence.step].repetition else { return }
        repeating.insert(self.occurrence(of: occurrence.step, at: occurrence.time + repetition.every))
    }

    private func occurrence(of step: Int, at time: Int) -> Occurrence {
        Occurrence(step: step, time: time, isLast: time >= steps[step].lastTime)
    }
}

/// Values of which the least is at hand.
struct Heap<Value: Comparable> {
    // INVARIANT: no value is less than the one at half its index, counted from 1.
    private var values: [Value] = []

    /// The least value; `nil` where there is none.
    var least: Value? { values.first }

    /// Adds a value.
    ///
    /// - Complexity: O(log *n*).
    mutating func insert(_ value: Value) {
        values.append(value)
        var index = values.count - 1
        while index > 0, values[index] < values[(index - 1) / 2] {
            values.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    /// Takes the least value away.
    ///
    /// - Complexity: O(log *n*).
    mutating func popLeast() -> Value? {
        guard !values.isEmpty else { return nil }
        values.swapAt(0, values.count - 1)
        let least = values.popLast()
        var index = 0
        while let child = lesserChild(of: index), values[child] < values[index] {
            values.swapAt(index, child)
            index = child
        }
        return least
    }

    private func lesserChild(of index: Int) -> Int? {
        let (left, right) = (2 * index + 1, 2 * index + 2)
        guard left < values.count else { return nil }
        return right < values.count && values[right] < values[left] ? right : left
    }
}
