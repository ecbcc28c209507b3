package import Figures
internal import PolicyEngine
internal import Scenarios

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
