/// The values on which the searches of one pattern reached their limit (R7.2).
///
/// Its answers follow from the set of values that were searched, and not from the order of the searches.
struct ReachedLimits {
    // The hashes of the values, at most one more than ``limit``.
    private var values: Set<ValueHash> = []
    // The shortest values whose quick search gave no result, including those on which the long search does not reach its limit.
    private var slowValues: [[UInt8]] = []

    /// The greatest number of distinct values on which searches of a pattern may reach their limit. With more, it has no result.
    static let limit = 1000
    /// The number of values that are kept as examples, and the greatest length of one in bytes.
    private static let (slowCount, slowLength) = (16, 65_536)

    /// True if the pattern reached its limit on too many values.
    var areTooMany: Bool { values.count > Self.limit }

    /// The shortest values whose quick search gave no result, the shortest first; on some, the long search may not reach its limit.
    var examples: [[UInt8]] { slowValues }

    /// Takes a value whose quick search gave no result, before the long search, which counts its steps.
    ///
    /// - Returns: True if the long search is not needed, since it reaches its limit on this value, or did so on too many others.
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

    // A shorter value comes first; values of one length are in the order of their bytes.
    private static func isLess(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        left.count == right.count ? left.lexicographicallyPrecedes(right) : left.count < right.count
    }

    /// A hash of 128 bits under a key that each process draws, so that nobody can make two values with the same hash.
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
