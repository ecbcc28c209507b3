internal import Documents
internal import PolicyEngine

/// The frequency and the times of the attestations of a group's devices (formats: Scenario, `activity`).
///
/// Only generated captures follow it: the steps of a scenario say themselves who does what.
struct Activity: Hashable, Sendable {
    /// The exponent by which the attestations of the group are spread over its devices.
    var zipf = ZipfExponent.zero
    /// The distribution of the attestations over the hours of a day.
    var rhythm = Rhythm.even
    /// The average frequency of a device's attestations, compared with the devices of other groups.
    var weight = 1

    /// The greatest weight of a group.
    static let weightLimit = 1_000_000
}

extension Activity {
    /// The form of the activity of a scenario or a group.
    ///
    /// - Parameter general: The activity where nothing is said.
    static func form(otherwise general: Activity) -> ValueForm<Activity> {
        .mapping(
            general,
            [
                .value("zipf", \.zipf, exponent, "How unevenly the devices attest: 0 is all alike, 1 is Zipf's law."),
                .value(
                    "rhythm", \.rhythm, rhythm,
                    "The hours at which devices attest: even, day, or a weight for each hour in UTC."),
                .value(
                    "weight", \.weight, .integer(in: 1...weightLimit),
                    "How often a device attests, compared with devices of other groups."),
            ])
    }

    private static let exponent = ValueForm.text.described(
        by: .any(of: [
            JSONSchema([("type", .text("number")), ("minimum", .number(0)), ("maximum", .number(10))]),
            .text(matching: "(10(\\.0{1,3})?|[0-9](\\.[0-9]{1,3})?)"),
        ])
    ).flatMap { text, node, what, reader -> ZipfExponent? in
        if let exponent = ZipfExponent(text) { return exponent }
        reader.refuse(text, node, "\(what) must be a number from `0` to `10` with at most three decimals")
        return nil
    }

    // A name, or a weight for each hour.
    private static let rhythm = ValueForm<Rhythm>(
        .any(of: [
            .words(["even", "day"]),
            .list(of: .integer(in: 0...Rhythm.weightLimit), atLeast: Rhythm.hourCount, atMost: Rhythm.hourCount),
        ])
    ) { node, what, reader in
        guard case .sequence(let nodes) = node.content else {
            return reader.choice(node, what, from: ["even", "day"]).map { $0 == "day" ? .day : .even }
        }
        guard nodes.count == Rhythm.hourCount else {
            reader.error(
                "\(what) must have \(Rhythm.hourCount) weights, one for each hour of the day, not \(nodes.count)",
                at: node.position)
            return nil
        }
        let weights = nodes.compactMap { reader.integer($0, "a weight of \(what)", in: 0...Rhythm.weightLimit) }
        guard weights.count == nodes.count else { return nil }
        let rhythm = Rhythm(weights: weights)
        if rhythm == nil { reader.error("\(what) leaves no hour in which anyone attests", at: node.position) }
        return rhythm
    }
}

/// The exponent of Zipf's law, exact to three decimals, as it was written.
struct ZipfExponent: Hashable, Sendable {
    /// Thousandths: 0 through 10 000.
    let thousandths: UInt64

    /// All devices alike.
    static let zero = ZipfExponent(thousandths: 0)

    /// The greatest exponent; the second device is then a thousand times rarer than the first.
    private static let limit: UInt64 = 10_000

    private init(thousandths: UInt64) {
        self.thousandths = thousandths
    }

    /// Reads a plain decimal number such as `1.1`.
    ///
    /// - Parameter text: Digits, optionally a point and up to three more digits.
    /// - Returns: `nil` when it has another form or lies above 10.
    init?(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
        guard let whole = parts.first.flatMap({ Self.number($0, digits: 1...2) }) else { return nil }
        var fraction: UInt64 = 0
        if parts.count == 2 {
            guard let digits = Self.number(parts[1], digits: 1...3) else { return nil }
            fraction = digits * [100, 10, 1][parts[1].count - 1]
        }
        guard whole * 1000 + fraction <= Self.limit else { return nil }
        thousandths = whole * 1000 + fraction
    }

    private static func number(_ text: Substring.UTF8View, digits: ClosedRange<Int>) -> UInt64? {
        guard digits.contains(text.count), text.allSatisfy(\.isDigit) else { return nil }
        return text.reduce(0) { $0 * 10 + UInt64($1 - UInt8(ascii: "0")) }
    }
}

/// The distribution of activity over the hours of a day in UTC; every day is like the others.
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

    /// A day of people: almost nobody at 03:00, most at 20:00.
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
