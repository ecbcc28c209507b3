package import PolicyEngine

/// The newly rejected devices of a rollout by time, beside those that there would be if the change came to all devices at its start.
package struct RolloutCurve: Sendable {
    /// The counts from the start on, at even distances, and at the end; the first is that of the start itself.
    package private(set) var points: [Point] = []
    // In the order of time: the first time of each device.
    private let met, rejected, atOnce: [Instant]

    /// The devices so far.
    package struct Point: Hashable, Sendable {
        package let time: Instant
        /// The devices that the policy decided on.
        package let met: Int
        /// The newly rejected devices.
        package let rejected: Int
        /// Those that would newly be rejected by then without any steps.
        package let atOnce: Int
    }

    // The greatest number of points behind the first, and the distances that they may have, in seconds.
    private static let limit = 60
    private static let spans =
        [1, 2, 5, 10, 15, 30].flatMap { [$0, $0 * 60] }.sorted() + [1, 2, 3, 4, 6, 12, 24].map { $0 * 3600 }

    /// - Parameters:
    ///   - start: The start of the rollout.
    ///   - last: The end of what was evaluated.
    ///   - met: For each device that the policy decided on, the first time.
    ///   - rejected: For each newly rejected device, the first time.
    ///   - atOnce: The same if the change came to all devices at the start.
    init(from start: Instant, to last: Instant, met: [Instant], rejected: [Instant], atOnce: [Instant]) {
        (self.met, self.rejected, self.atOnce) = (met.sorted(), rejected.sorted(), atOnce.sorted())
        let length = max(0, last - start)
        let span = Self.spans.first { length <= Self.limit * $0 } ?? (length / Self.limit + 1)
        points = stride(from: 0, to: length, by: span).map { point(at: start + $0) } + [point(at: start + length)]
    }

    /// The devices up to a time, that time included.
    package func point(at time: Instant) -> Point {
        func count(_ times: [Instant]) -> Int { times.prefix { $0 <= time }.count }
        return Point(time: time, met: count(met), rejected: count(rejected), atOnce: count(atOnce))
    }
}
