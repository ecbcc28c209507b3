/// The distinct values of a column, by which its rows are numbered.
///
/// Two dictionaries with the same values are equal, wherever they were read. So whatever was found in the values can be kept by
/// the dictionary, for batches and files to come.
package final class ColumnDictionary: Hashable, Sendable {
    /// The bytes of the values, one value behind the other.
    package let bytes: [UInt8]
    /// The ranges of the values, some of which may be absent, and behind them one that is: that of rows without a value.
    package let values: [ColumnValue]
    /// True if the values are text: UTF-8, but for those that are ``damaged``.
    package let isText: Bool
    /// The values that should be UTF-8 and are not.
    package let damaged: Set<Int>
    private let hash: Int

    /// The number of values.
    package var count: Int { values.count - 1 }

    /// - Parameters:
    ///   - column: The values.
    ///   - memory: Contains their bytes.
    ///   - earlier: The dictionary to which they are added.
    /// - Returns: `nil` if ``ColumnLimits`` do not allow that number of values or bytes.
    init?(_ column: Column, in memory: [UInt8], after earlier: ColumnDictionary? = nil) {
        var (bytes, values) = (earlier?.bytes ?? [], earlier?.values.dropLast() ?? [])
        guard values.count + column.values.count <= ColumnLimits.values else { return nil }
        values.reserveCapacity(values.count + column.values.count + 1)
        for value in column.values {
            let start = bytes.count
            guard start + value.range.count <= ColumnLimits.bodyBytes else { return nil }
            bytes.append(contentsOf: memory[value.range])
            values.append(value.isAbsent ? .absent : ColumnValue(start..<bytes.count))
        }
        values.append(.absent)
        (self.bytes, self.values, isText) = (bytes, Array(values), column.content == .text)
        damaged = (earlier?.damaged ?? []).union(column.damaged.map { $0 + (earlier?.count ?? 0) })
        hash = Self.hash(bytes, count: values.count)
    }

    /// A dictionary with a text for each value of another, under the same keys.
    ///
    /// - Parameters:
    ///   - values: The values of another dictionary.
    ///   - append: Appends the text of a value; returns false where it has none. All texts have less than 4 GiB.
    package init(textsOf values: [ColumnValue], _ append: (ColumnValue, inout [UInt8]) -> Bool) {
        var (bytes, texts) = ([UInt8](), [ColumnValue]())
        for value in values {
            let start = bytes.count
            texts.append(!value.isAbsent && append(value, &bytes) ? ColumnValue(start..<bytes.count) : .absent)
        }
        (self.bytes, self.values, isText, damaged) = (bytes, texts, true, [])
        hash = Self.hash(bytes, count: texts.count)
    }

    private static func hash(_ bytes: [UInt8], count: Int) -> Int {
        var hasher = Hasher()
        unsafe bytes.withUnsafeBytes { bytes in
            // SAFETY: the hasher reads the bytes of the array.
            unsafe hasher.combine(bytes: bytes)
        }
        hasher.combine(count)
        return hasher.finalize()
    }

    /// The dictionary that a stream has not sent: a column without any values needs none.
    static let empty = ColumnDictionary()

    private init() { (bytes, values, isText, damaged, hash) = ([], [.absent], true, [], 0) }

    package func hash(into hasher: inout Hasher) { hasher.combine(hash) }

    package static func == (one: ColumnDictionary, other: ColumnDictionary) -> Bool {
        one === other
            || one.hash == other.hash && one.isText == other.isText && one.values == other.values
                && one.bytes == other.bytes
    }
}
