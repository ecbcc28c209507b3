/// A set of records by their numbers among all: a bit for each.
struct RowSet: Sendable {
    private var words: [UInt64]
    private(set) var isEmpty = true

    /// - Parameter count: The number of all records.
    init(count: Int) { words = Array(repeating: 0, count: (count + 63) >> 6) }

    /// Adds a record.
    mutating func insert(_ row: Int) {
        words[row >> 6] |= 1 << UInt64(row & 63)
        isEmpty = false
    }

    /// True if a record is in the set.
    @inline(__always)
    func contains(_ row: Int) -> Bool { words[row >> 6] & 1 << UInt64(row & 63) != 0 }
}
