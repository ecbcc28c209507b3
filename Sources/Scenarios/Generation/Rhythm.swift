internal import PolicyEngine

/// How activity is spread over the hours of a day in UTC; every day is like the others.
struct Rhythm: Hashable, Sendable {
    /// The weight of each hour, beginning with that from 00:00; not all are 0.
    let weights: [Int]
    // The weights of the hours before each hour, and last of all hours.
    private let sums: [Int]

    /// The hours of a day.
    static let hourCount = 24
    /// The greatest weight of an hour.
    static let weightLimit = 1_000_000
    private static let secondsPerHour = 3600

    /// All hours alike.
    static let even = Rhythm(checked: Array(repeating: 1, count: hourCount))

    /// A day of people: hardly anyone at 03:00, most at 20:00.
    static let day = Rhythm(
        checked: [4, 2, 1, 1, 1, 2, 5, 9, 12, 13, 13, 14, 15, 14, 13, 13, 14, 16, 18, 20, 20, 17, 12, 7])

    private init(checked weights: [Int]) {
        self.weights = weights
        sums = weights.reduce(into: [0]) { $0.append(($0.last ?? 0) + $1) }
    }

    /// Makes a rhythm.
    ///
    /// - Parameter weights: 24 numbers from 0 to ``weightLimit``.
    /// - Returns: `nil` for others, and when all are 0.
    init?(weights: [Int]) {
        guard weights.count == Self.hourCount, weights.allSatisfy({ 0...Self.weightLimit ~= $0 }),
            weights.contains(where: { $0 > 0 })
        else { return nil }
        self.init(checked: weights)
    }

    /// The activity of a whole day, in units of weight and second.
    var dailyActivity: Int { sums[Self.hourCount] * Self.secondsPerHour }

    /// The activity from 1970-01-01T00:00:00Z up to an instant, in the same units; negative before it.
    ///
    /// - Complexity: O(1).
    func activity(before instant: Instant) -> Int {
        let second = instant.secondsSinceEpoch - instant.dayNumber * Instant.secondsPerDay
        let (hour, rest) = second.quotientAndRemainder(dividingBy: Self.secondsPerHour)
        return instant.dayNumber * dailyActivity + sums[hour] * Self.secondsPerHour + weights[hour] * rest
    }

    /// The activity of a span, in the same units.
    func activity(in span: Range<Instant>) -> Int {
        activity(before: span.upperBound) - activity(before: span.lowerBound)
    }
}
