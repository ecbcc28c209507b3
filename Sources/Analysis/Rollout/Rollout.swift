package import Figures
package import PolicyEngine
internal import Replay
internal import Scenarios

/// The effects of a rollout, step by step: one value behind every form of report.
package struct Rollout: Sendable {
    package let plan: RolloutPlan
    /// True if it was evaluated on captures, and not on a scenario.
    package let isOfCapture: Bool
    /// The start of the rollout.
    package let start: Instant
    /// The time of the last record, or of the last step of the scenario.
    package let last: Instant
    /// The number of attestations, or of fetches of a scenario.
    package let events: Int
    /// The number of devices, those that are not evaluated included.
    package let devices: Int
    /// The number of devices that are in no other figure, because a search was given up (R7.2).
    package let unevaluated: Int
    /// The effects by step.
    package let steps: [StepFigures]
    /// The runs in which the rollout is watched.
    package let runs: RolloutRuns
    /// When a difference is noticed in any step, in seconds from the start; `nil` if no step has a sample.
    package let notice: RolloutNotice?
    /// The newly rejected devices by time.
    package let curve: RolloutCurve
    /// The labels that were counted by; `nil` for none.
    package var labels: LabelFigures?
    /// The costs of wrong verdicts; `nil` if none were given.
    package var cost: LabelCost?

    /// The narrowing of the captures; `nil` for all of their records.
    package var narrowed: NarrowedRecords?
    /// The assumptions about signals under which both accounts were evaluated; `nil` for none.
    package var assumed: AssumptionFigures?

    /// The effects of a step. A figure "so far" includes the steps before.
    package struct StepFigures: Sendable {
        /// The attestations, or fetches, while the step is in force.
        package var events = 0
        /// The devices that met the change so far: some attestation of theirs was decided by its policy.
        package var met = 0
        /// The devices that in this step fail for the first time where they would have passed, by their first failure.
        package var newlyRejected: [DeviceID] = []
        /// Their number, so far.
        package var rejected = 0
        /// The devices that passed at least once where they would have failed, so far.
        package var accepted = 0
        /// The fetches that brought no valid token and would have without the rollout, so far.
        package var lost = 0
        /// When a difference is noticed in this step, in seconds from its start; `nil` if all devices are in the step.
        package var notice: RolloutNotice?
        /// The effects on labelled devices, so far; `nil` without labels.
        package var labels: StepLabels?
    }

    /// When a step begins.
    package func start(of step: Int) -> Instant { start + plan.steps[step].change.offset }

    /// The devices when a difference is noticed; `nil` where it is noticed in too few runs.
    package var noticedPoint: RolloutCurve.Point? { notice?.seconds.map { curve.point(at: start + $0) } }

    /// True if a step is in force before the capture, or the scenario, ends.
    package func isReached(_ step: Int) -> Bool {
        start(of: step) + plan.steps[step].change.account.propagation <= last
    }
}

/// Counts what a rollout does to devices.
struct RolloutCollector {
    private var courses: [Course] = []
    // Devices in the order in which they are rejected first.
    private var rejected: [Int] = []
    private var events: [Int]
    private var allEvents = 0
    // Kept where there are labels.
    private var days: RolloutDays?

    // The effects on a device, by the steps in which it first had them.
    private struct Course {
        var isSeen = false
        var isEvaluated = true
        var met, rejected: First?
        var accepted: Int?
        var lost: [Int: Int] = [:]
    }

    private struct First {
        let step: Int
        let time: Instant
    }

    /// - Parameters:
    ///   - steps: The number of steps.
    ///   - countsDays: True if days are counted, too.
    init(steps: Int, countsDays: Bool = false) {
        events = Array(repeating: 0, count: steps)
        if countsDays { days = RolloutDays() }
    }

    /// Counts a fetch with its counterpart without the rollout; fetches come in the order of time.
    mutating func count(_ fetch: SteppedFetch) {
        let device = fetch.device.offset
        if device >= courses.count {
            courses += Array(repeating: Course(), count: device + 1 - courses.count)
        }
        allEvents += 1
        days?.count(fetch)
        courses[device].isSeen = true
        if !fetch.isEvaluated { courses[device].isEvaluated = false }
        guard let step = fetch.step else { return }
        events[step] += 1
        let now = First(step: step, time: fetch.time)
        if fetch.side == .changed { courses[device].met = courses[device].met ?? now }
        if fetch.isValid, fetch.wasValid == false { courses[device].accepted = courses[device].accepted ?? step }
        guard !fetch.isValid, fetch.wasValid == true else { return }
        courses[device].lost[step, default: 0] += 1
        if courses[device].rejected == nil {
            courses[device].rejected = now
            rejected.append(device)
        }
    }

    /// The first times at which devices that are in the figures are newly rejected.
    var firstRejections: [Instant] { courses.filter(\.isEvaluated).compactMap { $0.rejected?.time } }

    /// True if a device is in the figures.
    func isEvaluated(_ device: DeviceIndex) -> Bool { courses[device.offset].isEvaluated }

    /// The result.
    ///
    /// - Parameters:
    ///   - plan: The rollout.
    ///   - isOfCapture: True if the fetches are the attestations of captures.
    ///   - start: The start of the rollout.
    ///   - last: The end of what was evaluated.
    ///   - table: The IDs of the devices.
    ///   - runs: The runs in which it was watched.
    ///   - watches: The watches of all runs.
    ///   - atOnce: The first times at which devices would newly be rejected without any steps.
    ///   - labelled: The labels of the devices; `nil` for none.
    func rollout(
        _ plan: RolloutPlan, isOfCapture: Bool, from start: Instant, to last: Instant, devices table: DeviceTable,
        runs: RolloutRuns, watches: [RolloutWatch], atOnce: [Instant], labelled: LabelledDevices? = nil
    ) -> Rollout {
        var steps = events.map { count -> Rollout.StepFigures in
            var figures = Rollout.StepFigures()
            figures.events = count
            return figures
        }
        for course in courses where course.isEvaluated {
            if let first = course.met { steps[first.step].met += 1 }
            if let step = course.accepted { steps[step].accepted += 1 }
            for (step, count) in course.lost { steps[step].lost += count }
        }
        for device in rejected where courses[device].isEvaluated {
            guard let step = courses[device].rejected?.step else { continue }
            steps[step].rejected += 1
            steps[step].newlyRejected.append(table[DeviceIndex(offset: device)])
        }
        for step in steps.indices.dropFirst() { steps[step].add(steps[step - 1]) }
        if let labelled { label(&steps, labelled, table) }
        let starts = plan.steps.map { start + $0.change.offset }
        for step in steps.indices where !plan.steps[step].stage.isComplete {
            steps[step].notice = RolloutNotice(watches.map { watch in watch.noticed[step].map { $0 - starts[step] } })
        }
        let first = watches.map { watch in watch.noticed.compactMap(\.self).min().map { $0 - start } }
        return Rollout(
            plan: plan, isOfCapture: isOfCapture, start: start, last: last, events: allEvents,
            devices: courses.count(where: \.isSeen),
            unevaluated: courses.count { $0.isSeen && !$0.isEvaluated }, steps: steps, runs: runs,
            notice: plan.filteredPolicy == nil ? nil : RolloutNotice(first),
            curve: RolloutCurve(
                from: start, to: last, met: courses.filter(\.isEvaluated).compactMap { $0.met?.time },
                rejected: firstRejections, atOnce: atOnce),
            labels: labelled.map { labelled in
                var figures = labelled.figures
                figures.lanes = steps.last?.labels.map { [$0.days] } ?? []
                return figures
            })
    }

    private func label(_ steps: inout [Rollout.StepFigures], _ labelled: LabelledDevices, _ table: DeviceTable) {
        var rejected: [DeviceLabel: Int] = [:]
        for step in steps.indices {
            for device in steps[step].newlyRejected { rejected[labelled[device], default: 0] += 1 }
            let lane = days?.lane(upTo: step) { isEvaluated($0) ? labelled[table[$0]] : nil }
            steps[step].labels = StepLabels(rejected: rejected, days: lane ?? LabelLane())
        }
    }
}

extension Rollout.StepFigures {
    // Adds the figures of the steps before to those that are meant so far.
    fileprivate mutating func add(_ former: Rollout.StepFigures) {
        met += former.met
        rejected += former.rejected
        accepted += former.accepted
        lost += former.lost
    }
}

/// The effects of a rollout on labelled devices, so far.
package struct StepLabels: Hashable, Sendable {
    /// The newly rejected devices by label.
    package var rejected: [DeviceLabel: Int] = [:]
    /// The devices and their days by label, as if the capture ended with the step: of the verdicts, days alone are counted.
    package var days = LabelLane()
}

/// For each device and day, the step in which it first attested, failed, and would have failed without the rollout.
struct RolloutDays {
    private var courses: [Day: Course] = [:]

    private struct Day: Hashable {
        let device: DeviceIndex
        let number: Int
    }

    // Attestations before the first step are as if they were in it.
    private struct Course {
        var seen = Int.max
        var failed = Int.max
        var failedBefore = Int.max
    }

    /// Counts an attestation.
    mutating func count(_ fetch: SteppedFetch) {
        let step = fetch.step ?? 0
        var course = courses[Day(device: fetch.device, number: fetch.time.dayNumber), default: Course()]
        course.seen = min(course.seen, step)
        if !fetch.isValid { course.failed = min(course.failed, step) }
        if fetch.wasValid == false { course.failedBefore = min(course.failedBefore, step) }
        courses[Day(device: fetch.device, number: fetch.time.dayNumber)] = course
    }

    /// The days up to the end of a step.
    ///
    /// - Parameter label: The label of a device; `nil` if it is not evaluated.
    func lane(upTo step: Int, label: (DeviceIndex) -> DeviceLabel?) -> LabelLane {
        var (lane, devices) = (LabelLane(), Set<DeviceIndex>())
        for (day, course) in courses where course.seen <= step {
            guard let label = label(day.device) else { continue }
            if devices.insert(day.device).inserted { lane[label].devices += 1 }
            lane[label].days += 1
            if course.failed <= step { lane[label].rejectedDays += 1 }
            if course.failedBefore <= step { lane[label].rejectedDaysBefore += 1 }
        }
        return lane
    }
}
