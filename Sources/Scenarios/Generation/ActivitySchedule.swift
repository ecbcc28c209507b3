internal import Documents
internal import PolicyEngine

/// The attestations of devices over time: drawn one after another in the order of time, so that a schedule of any length
/// takes no more memory than its devices.
///
/// Each hour gets the number of attestations that the rhythms say, to the nearest whole one; on which of its seconds each
/// falls, and whose it is, is left to chance.
struct ActivitySchedule: Sequence, IteratorProtocol {
    private let span: Range<Instant>
    private let streams: [ActivityStream]
    private var (moments, devices): (SeededGenerator, SeededGenerator)
    // The hour that was laid out last; the first one and the last one may be shorter.
    private var hour: Range<Instant>
    // The number of attestations still to come, by second of the hour and then by stream.
    private var counts: [Int]
    private var second = 0
    // The number of attestations still to come in the second.
    private var left = 0

    private static let hourSeconds = 3600
    /// The number of attestations of an hour and a rhythm that are drawn a second for. The rest is laid out evenly: it would
    /// be nearly that, and the first attestation would have to wait for the last one's second.
    private static let drawnLimit = 1_000_000

    /// Makes a schedule.
    ///
    /// - Parameters:
    ///   - groups: Those whose devices attest; devices are numbered through in their order.
    ///   - count: The number of attestations to make.
    ///   - span: From the first second on which one may fall up to the end.
    ///   - seed: Draws seconds and devices.
    /// - Returns: `nil` when no rhythm lets anyone attest in the span.
    init?(_ groups: [DeviceGroup], count: Int, in span: Range<Instant>, seed: UInt64) {
        let members = ActivityMembers.of(groups)
        let activities = members.map { $0.activity(in: span) }
        let total = activities.reduce(0, +)
        guard total > 0 else { return nil }
        // Shared out by running totals, so that they add up.
        var (before, sum) = (0, UInt128(0))
        streams = zip(members, activities).map { members, activity in
            sum += activity
            let upTo = Int(UInt128(count) * sum / total)
            defer { before = upTo }
            return ActivityStream(members, arrivals: Arrivals(count: upTo - before, by: members.rhythm, in: span))
        }
        self.span = span
        moments = SeededGenerator(seed: seed, path: "activity", "moment")
        devices = SeededGenerator(seed: seed, path: "activity", "device")
        hour = span.lowerBound..<span.lowerBound
        counts = Array(repeating: 0, count: Self.hourSeconds * streams.count)
    }

    /// The next attestation.
    mutating func next() -> (device: Int, time: Instant)? {
        while left == 0 {
            guard advance() else { return nil }
        }
        let stream = drawStream()
        counts[second * streams.count + stream] -= 1
        left -= 1
        return (streams[stream].device(&devices), hour.lowerBound + second)
    }

    // Continues to the next second.
    private mutating func advance() -> Bool {
        second += 1
        if hour.lowerBound + second >= hour.upperBound {
            guard hour.upperBound < span.upperBound else { return false }
            layOutHour()
        }
        left = counts[second * streams.count..<(second + 1) * streams.count].reduce(0, +)
        return true
    }

    private mutating func layOutHour() {
        let start = hour.upperBound
        let next = Instant(secondsSinceEpoch: (start.hourNumber + 1) * Self.hourSeconds)
        hour = start..<Swift.min(next, span.upperBound)
        second = 0
        let length = hour.upperBound - start
        for (index, stream) in streams.enumerated() {
            let count = stream.arrivals.count(before: hour.upperBound) - stream.arrivals.count(before: start)
            let even = Swift.max(0, count - Self.drawnLimit) / length
            for second in 0..<length { counts[second * streams.count + index] = even }
            for _ in 0..<count - even * length { counts[moments.next(below: length) * streams.count + index] += 1 }
        }
    }

    // One of the second's attestations, each equally likely.
    private mutating func drawStream() -> Int {
        guard streams.count > 1 else { return 0 }
        var rank = moments.next(below: left)
        for stream in streams.indices {
            let count = counts[second * streams.count + stream]
            if rank < count { return stream }
            rank -= count
        }
        preconditionFailure("the second has as many attestations as its streams")
    }
}

/// The devices of one rhythm, and how many of them attest when.
private struct ActivityStream {
    /// When attestations come.
    let arrivals: Arrivals
    // By index in the table: the device's number over all groups.
    private let devices: [UInt32]
    private let table: AliasTable

    /// - Parameters:
    ///   - members: Some devices, and how often each comes up.
    ///   - arrivals: When they do.
    init(_ members: ActivityMembers, arrivals: Arrivals) {
        self.arrivals = arrivals
        devices = members.devices
        table = AliasTable(members.weights)
    }

    /// Draws who attests.
    func device(_ generator: inout SeededGenerator) -> Int { Int(devices[table.index(of: generator.next())]) }
}

/// A number of attestations, spread over a span of time by a rhythm.
private struct Arrivals {
    /// The number of attestations in the whole span.
    let count: Int
    private let rhythm: Rhythm
    private let before: Int
    private let total: Int

    /// - Parameters:
    ///   - count: At least 0.
    ///   - rhythm: One with activity in the span, unless the count is 0.
    ///   - span: From its first second up to its end.
    init(count: Int, by rhythm: Rhythm, in span: Range<Instant>) {
        self.count = count
        self.rhythm = rhythm
        before = rhythm.activity(before: span.lowerBound)
        total = max(1, rhythm.activity(in: span))
    }

    /// The number of attestations before an instant of the span; rounded, so that no part of the span is off by more than one.
    func count(before instant: Instant) -> Int {
        let (part, whole) = (UInt128(rhythm.activity(before: instant) - before), UInt128(total))
        return Int((2 * UInt128(count) * part + whole) / (2 * whole))
    }
}

/// Draws indices by their weights in the same time however many there are (Walker's alias method), in whole numbers.
///
/// Every index has a column of the same width. The part of the width that an index lacks belongs to another one that has more
/// than it needs, the alias.
struct AliasTable {
    private var columns: [Column]

    private struct Column {
        /// The part of the column that is the index's own, in 2^-64 of its width; the rest is the alias's.
        let own: UInt64
        let alias: UInt32
    }

    /// - Parameter weights: By index; 1 through 2^32 - 1 of them, with a sum above 0 and below 2^64.
    /// - Complexity: O(*n*).
    init(_ weights: [UInt64]) {
        // With weights multiplied by their count, the width of a column is the sum.
        let (width, count) = (weights.reduce(UInt128(0)) { $0 + UInt128($1) }, UInt128(weights.count))
        columns = weights.indices.map { Column(own: .max, alias: UInt32($0)) }
        func next(after index: Int, _ isWanted: (UInt128) -> Bool) -> Int? {
            weights[(index + 1)...].firstIndex { isWanted(UInt128($0) * count) }
        }
        guard var lender = next(after: -1, { $0 >= width }) else { return }
        // The lender's weight, less what it lent; whole numbers, so that no rest is left.
        var left = UInt128(weights[lender]) * count
        var borrower = next(after: -1) { $0 < width }
        while let index = borrower {
            let own = UInt128(weights[index]) * count
            columns[index] = Column(own: Self.share(own, of: width), alias: UInt32(lender))
            left -= width - own
            // A lender that lent more than it could spare borrows from the next one.
            while left < width, let other = next(after: lender, { $0 >= width }) {
                columns[lender] = Column(own: Self.share(left, of: width), alias: UInt32(other))
                left += UInt128(weights[other]) * count - width
                lender = other
            }
            borrower = next(after: index) { $0 < width }
        }
    }

    /// The index that a random number stands for.
    ///
    /// - Parameter random: Any number, each equally likely.
    func index(of random: UInt64) -> Int {
        let (column, rest) = random.multipliedFullWidth(by: UInt64(columns.count))
        let index = Int(truncatingIfNeeded: column)
        return rest < columns[index].own ? index : Int(columns[index].alias)
    }

    private static func share(_ part: UInt128, of width: UInt128) -> UInt64 { UInt64((part << 64) / width) }
}
