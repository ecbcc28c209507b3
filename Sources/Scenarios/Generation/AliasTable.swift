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
