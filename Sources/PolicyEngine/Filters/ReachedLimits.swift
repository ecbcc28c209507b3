/// The values on which the searches of one pattern reached their limit (R7.2).
///
/// It follows from the values that were searched, whatever their order, if there are too many, and which value stands for them.
struct ReachedLimits {
    // The hashes of the values, of which one more is kept than there may be.
    private var values: Set<ValueHash> = []
    // The least of all values that are not searched quickly, whether their searches reach the limit or not.
    private var slowValues: [[UInt8]] = []

    /// The number of distinct values that may reach the limit of a pattern.
    static let limit = 1000
    /// The number of slow values that are kept, and the greatest length of one in bytes.
    private static let (slowCount, slowLength) = (16, 65_536)

    /// True if the pattern reached its limit on too many values.
    var areTooMany: Bool { values.count > Self.limit }

    /// Some values whose searches are not done quickly, the shortest first; which ones depends on no order.
    var examples: [[UInt8]] { slowValues }

    /// Takes a value whose search is not done quickly, before it is made at length.
    ///
    /// - Returns: True if it need not be made: the value reaches the limit, or too many others do, so that there is no result.
    mutating func begin(_ value: [UInt8]) -> Bool {
        keepSlow(value)
        return areTooMany || !values.isEmpty && values.contains(ValueHash(value))
    }

    /// Notes that the search of a value reached the limit.
    mutating func note(_ value: [UInt8]) {
        if !areTooMany { values.insert(ValueHash(value)) }
    }

    private mutating func keepSlow(_ value: [UInt8]) {
        guard value.count <= Self.slowLength else { return }
        if slowValues.count == Self.slowCount, let last = slowValues.last, !Self.isLess(value, last) { return }
        let place = slowValues.firstIndex { !Self.isLess($0, value) } ?? slowValues.count
        if place < slowValues.count, slowValues[place] == value { return }
        slowValues.insert(value, at: place)
        if slowValues.count > Self.slowCount { slowValues.removeLast() }
    }

    private static func isLess(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        left.count == right.count ? left.lexicographicallyPrecedes(right) : left.count < right.count
    }

    /// A value by 128 bits, under a key that each process draws for itself, so that nobody can make two values alike.
    private struct ValueHash: Hashable {
        private let first: Int
        private let second: Int

        init(_ value: [UInt8]) {
            var (first, second) = (Hasher(), Hasher())
            first.combine(value)
            second.combine(UInt8(1))
            second.combine(value)
            (self.first, self.second) = (first.finalize(), second.finalize())
        }
    }
}
