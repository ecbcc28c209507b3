package import PolicyEngine
internal import Replay

/// How a change reaches the devices of a scenario, minute by minute: from the command through propagation and cached tokens
/// until the last device is affected (R1.5, R14.1).
package struct ChangeTimeline: Sendable {
    /// When the change is made.
    package let made: Instant
    /// When it is in force; a change from the start is in force at once.
    package let inForce: Instant
    /// The minutes from the change on in which devices fetched, in the order of time.
    package fileprivate(set) var minutes: [Minute] = []

    /// What happens in a minute under the account after the change.
    package struct Minute: Sendable {
        /// Its first second.
        package let start: Instant
        /// Fetches.
        package fileprivate(set) var fetches = 0
        /// Those that were answered from the cache of the client.
        package fileprivate(set) var cached = 0
        /// Devices that for the first time get no valid token where they would have got one without the change.
        package fileprivate(set) var lockedOut = 0
        /// Devices that for the first time get a valid token where they would have got none.
        package fileprivate(set) var letIn = 0
    }

    /// How many devices are locked out, and how many let in.
    package var lockedOut: Int { minutes.reduce(0) { $0 + $1.lockedOut } }
    package var letIn: Int { minutes.reduce(0) { $0 + $1.letIn } }

    /// The minutes up to the last in which a device is affected for the first time; none where no device is.
    package var affecting: ArraySlice<Minute> {
        minutes[...(minutes.lastIndex { $0.lockedOut + $0.letIn > 0 } ?? -1)]
    }
}

/// Follows the fetches of two runs after a change.
struct ChangeTimelineCollector {
    private(set) var timeline: ChangeTimeline
    // By group and number: an install keeps its number when it gets another device ID.
    private var states: [[State]] = []

    // What is known of an install.
    private struct State {
        var wasLockedOut = false
        var wasLetIn = false
        // Whether the latest fetch brought a valid token, without the change and with it.
        var isValidBefore = false
        var isValidAfter = false
    }

    /// - Parameters:
    ///   - made: When the change is made.
    ///   - inForce: When it is in force.
    init(made: Instant, inForce: Instant) {
        timeline = ChangeTimeline(made: made, inForce: inForce)
    }

    /// Devices whose latest fetch brings a valid token without the change, and none with it; and the other way round.
    var lasting: (lockedOut: Int, letIn: Int) {
        let all = states.joined()
        return (
            all.count { $0.isValidBefore && !$0.isValidAfter }, all.count { !$0.isValidBefore && $0.isValidAfter }
        )
    }

    /// Takes the fetches of a step, made at the same time in both runs by the same installs.
    ///
    /// - Complexity: O(fetches).
    mutating func count(before: [KeptFetch], after: [KeptFetch], at time: Instant) {
        guard time >= timeline.made, !after.isEmpty else { return }
        let start = Instant(secondsSinceEpoch: time.minuteNumber * 60)
        if timeline.minutes.last?.start != start { timeline.minutes.append(ChangeTimeline.Minute(start: start)) }
        let last = timeline.minutes.count - 1
        for (old, new) in zip(before, after) {
            timeline.minutes[last].fetches += 1
            if new.compared.result == .success, !new.isAttested { timeline.minutes[last].cached += 1 }
            note(new, isValidBefore: old.compared.isValid, minute: last)
        }
    }

    private mutating func note(_ fetch: KeptFetch, isValidBefore: Bool, minute: Int) {
        let (group, number, isValidAfter) = (fetch.group, fetch.number, fetch.compared.isValid)
        if group >= states.count { states += Array(repeating: [], count: group + 1 - states.count) }
        if number >= states[group].count {
            states[group] += Array(repeating: State(), count: number + 1 - states[group].count)
        }
        states[group][number].isValidBefore = isValidBefore
        states[group][number].isValidAfter = isValidAfter
        if isValidBefore, !isValidAfter, !states[group][number].wasLockedOut {
            states[group][number].wasLockedOut = true
            timeline.minutes[minute].lockedOut += 1
        }
        if !isValidBefore, isValidAfter, !states[group][number].wasLetIn {
            states[group][number].wasLetIn = true
            timeline.minutes[minute].letIn += 1
        }
    }
}
