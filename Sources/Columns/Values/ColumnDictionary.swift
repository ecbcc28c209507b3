/// The distinct values of a column, by which its rows are numbered.
///
/// Two dictionaries with the same values are equal, wherever they were read. So whatever was found in the values can be kept by
/// the dictionary, for batches and files to come.
package final class ColumnDictionary: Hashable, Sendable {
    /// The bytes of the values, one value behind the other.
    package let bytes: [UInt8]
    /// The ranges of the values, some of which may be absent, and behind them one that is: that of rows without a value.
    package let values: [ColumnValue]
    /// True if the values are UTF-8.
    package let isText: Bool
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
        var hasher = Hasher()
        unsafe bytes.withUnsafeBytes { bytes in
            // SAFETY: the hasher reads the bytes of the array.
            unsafe hasher.combine(bytes: bytes)
        }
        hasher.combine(values.count)
        hash = hasher.finalize()
    }

    /// The dictionary that a stream has not sent: a column without any values needs none.
    static let empty = ColumnDictionary()

    private init() { (bytes, values, isText, hash) = ([], [.absent], true, 0) }

    package func hash(into hasher: inout Hasher) { hasher.combine(hash) }

    package static func == (one: ColumnDictionary, other: ColumnDictionary) -> Bool {
        one === other
            || one.hash == other.hash && one.isText == other.isText && one.values == other.values
                && one.bytes == other.bytes
    }
}
