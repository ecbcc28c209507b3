/// The steps of a scenario in the order of time, what repeats or is spread laid among the others; equal times in file order.
struct Timeline: Sequence, IteratorProtocol {
    private let steps: [Step]
    private let launches: LaunchTimes?
    private var upcoming = 0
    // The next moment of each step that is being repeated or spread.
    private var waiting = Heap<Moment>()
    // By step: launches that are being spread.
    private var rounds: [Int: LaunchTimes.Round] = [:]

    /// One time at which a step happens.
    struct Occurrence: Hashable {
        /// The step by its index in the scenario.
        let step: Int
        /// Seconds from the scenario's start.
        let time: Int
        /// True if the step happens no more after this.
        let isLast: Bool
        /// The installs that launch in this second; `nil` where the step is about all installs of its groups.
        var launching: [LaunchTimes.Launch]?
    }

    // A step begins, or some of its launches are due.
    private struct Moment: Comparable {
        let time: Int
        let step: Int
        var isStart = true

        static func < (left: Moment, right: Moment) -> Bool {
            (left.time, left.step, left.isStart ? 0 : 1) < (right.time, right.step, right.isStart ? 0 : 1)
        }
    }

    /// - Parameters:
    ///   - steps: The steps in the order of time.
    ///   - launches: Draws when installs launch (R14.4); `nil` for who looks at nothing that installs do, and takes such a
    ///     step as one that happens when it begins.
    init(_ steps: [Step], drawing launches: LaunchTimes?) {
        (self.steps, self.launches) = (steps, launches)
    }

    /// The next time at which something happens.
    ///
    /// - Complexity: O(log *n*) in the number of steps that are being repeated or spread; where launches begin to be spread,
    ///   O(*n* log *n*) in their installs.
    mutating func next() -> Occurrence? {
        while let moment = popMoment() {
            if !moment.isStart { return launch(at: moment) }
            let step = steps[moment.step]
            if let repetition = step.repetition, moment.time < step.lastStart {
                waiting.insert(Moment(time: moment.time + repetition.every, step: moment.step))
            }
            guard step.span != nil, let launches else {
                return Occurrence(step: moment.step, time: moment.time, isLast: moment.time >= step.lastStart)
            }
            rounds[moment.step] = launches.round(of: moment.step, from: moment.time)
            waitForLaunches(of: moment.step)
        }
        return nil
    }

    private mutating func popMoment() -> Moment? {
        guard upcoming < steps.count else { return waiting.popLeast() }
        let first = Moment(time: steps[upcoming].at, step: upcoming)
        if let least = waiting.least, least < first { return waiting.popLeast() }
        upcoming += 1
        return first
    }

    private mutating func launch(at moment: Moment) -> Occurrence? {
        guard var round = rounds.removeValue(forKey: moment.step) else { return nil }
        let launching = round.popNext()
        let isLast = round.nextTime == nil && round.start >= steps[moment.step].lastStart
        rounds[moment.step] = round
        waitForLaunches(of: moment.step)
        return Occurrence(step: moment.step, time: moment.time, isLast: isLast, launching: launching)
    }

    private mutating func waitForLaunches(of step: Int) {
        if let time = rounds[step]?.nextTime {
            waiting.insert(Moment(time: time, step: step, isStart: false))
        } else {
            rounds[step] = nil
        }
    }
}

/// Values of which the least is directly available.
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
