internal import Figures
package import PolicyEngine
internal import Replay

/// The course of a change through the devices of a scenario, minute by minute: from the command through propagation and
/// cached tokens until the last device is affected (R1.5, R14.1).
package struct ChangeTimeline: Sendable {
    /// When the change is made.
    package let made: Instant
    /// When it is in force; a change from the start is in force at once.
    package let inForce: Instant
    /// The minutes from the change on in which clients asked for anything, in the order of time.
    package fileprivate(set) var minutes: [Minute] = []

    /// The fetches and the newly affected devices of a minute under the account after the change.
    package struct Minute: Sendable {
        /// Its first second.
        package let start: Instant
        /// Fetches.
        package fileprivate(set) var fetches = 0
        /// Fetches that were answered from the cache of the client.
        package fileprivate(set) var cached = 0
        /// Devices that for the first time get no valid token where they would have got one without the change.
        package fileprivate(set) var lockedOut = 0
        /// Devices that for the first time get a valid token where they would have got none.
        package fileprivate(set) var letIn = 0
        /// Devices that for the first time have a request not accepted that would have been without the change (R19a).
        package fileprivate(set) var blocked = 0

        /// Devices that the change reaches for the first time in one of these ways.
        package var reached: Int { lockedOut + letIn + blocked }
    }

    /// The number of devices that are locked out, and of those that are let in.
    package var lockedOut: Int { minutes.reduce(0) { $0 + $1.lockedOut } }
    package var letIn: Int { minutes.reduce(0) { $0 + $1.letIn } }
    /// The number of devices that have a request newly blocked or refused.
    package var blocked: Int { minutes.reduce(0) { $0 + $1.blocked } }

    /// The minutes up to the last in which a device is affected for the first time; none where no device is.
    package var affecting: ArraySlice<Minute> {
        minutes[...(minutes.lastIndex { $0.reached > 0 } ?? -1)]
    }
}

/// Follows what clients get in two runs after a change.
struct ChangeTimelineCollector {
    private(set) var timeline: ChangeTimeline
    // By group and number: an install keeps its number when it gets another device ID.
    private var states: [[State]] = []

    // The effects of the change on an install so far.
    private struct State {
        var wasLockedOut = false
        var wasLetIn = false
        var wasBlocked = false
        // True if the latest fetch brought a valid token: without the change, and with it.
        var isValidBefore = false
        var isValidAfter = false
    }

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

    /// Takes what clients got in a step, at the same time in both runs by the same installs.
    ///
    /// - Complexity: O(what they got).
    mutating func count(before: [Received], after: [Received], at time: Instant) {
        guard time >= timeline.made, !after.isEmpty else { return }
        let start = Instant(secondsSinceEpoch: time.minuteNumber * 60)
        if timeline.minutes.last?.start != start { timeline.minutes.append(ChangeTimeline.Minute(start: start)) }
        let last = timeline.minutes.count - 1
        for (old, new) in zip(before, after) { note(old, new, minute: last) }
    }

    private mutating func note(_ old: Received, _ new: Received, minute: Int) {
        let (group, number) = (new.group, new.number)
        if group >= states.count { states += Array(repeating: [], count: group + 1 - states.count) }
        if number >= states[group].count {
            states[group] += Array(repeating: State(), count: number + 1 - states[group].count)
        }
        if let before = old.tokenFetch, let after = new.tokenFetch {
            timeline.minutes[minute].fetches += 1
            if after.compared.result == .fetch(.success), !after.isAttested { timeline.minutes[minute].cached += 1 }
            let (wasValid, isValid) = (before.compared.isValid, after.compared.isValid)
            (states[group][number].isValidBefore, states[group][number].isValidAfter) = (wasValid, isValid)
            if wasValid, !isValid { reach(group, number, \.wasLockedOut, \.lockedOut, minute) }
            if !wasValid, isValid { reach(group, number, \.wasLetIn, \.letIn, minute) }
        }
        if old.end.outcome == .accepted, new.end.outcome != .accepted {
            reach(group, number, \.wasBlocked, \.blocked, minute)
        }
    }

    // Counts an install in the minute in which the change first affects it in a way.
    private mutating func reach(
        _ group: Int, _ number: Int, _ state: WritableKeyPath<State, Bool>,
        _ count: WritableKeyPath<ChangeTimeline.Minute, Int>, _ minute: Int
    ) {
        guard !states[group][number][keyPath: state] else { return }
        states[group][number][keyPath: state] = true
        timeline.minutes[minute][keyPath: count] += 1
    }
}
