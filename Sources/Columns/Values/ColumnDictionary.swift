/// The distinct values of a column, by which its rows are numbered.
///
/// Two dictionaries with the same values are equal, wherever they were read. So whatever was found in the values can be kept by
/// the dictionary, for batches and files to come.
package final class ColumnDictionary: Equatable, Sendable {
    /// The memory that contains the values: that of the message, as it was read and unpacked.
    package let bytes: [UInt8]
    /// The ranges of the values, some of which may be absent, and behind them one that is: that of rows without a value.
    package let values: [ColumnValue]
    /// True if the values are text: UTF-8, but for those that are ``damaged``.
    package let isText: Bool
    /// The values that should be UTF-8 and are not.
    package let damaged: Set<Int>

    /// The number of values.
    package var count: Int { values.count - 1 }

    /// - Parameters:
    ///   - column: The values, whose memory it takes.
    ///   - memory: Contains their bytes.
    ///   - earlier: The dictionary to which they are added.
    /// - Returns: `nil` if ``ColumnLimits`` do not allow that number of values or bytes.
    init?(_ column: inout Column, in memory: [UInt8], after earlier: ColumnDictionary? = nil) {
        var (bytes, values) = (memory, [ColumnValue]())
        if let earlier {
            (bytes, values) = (earlier.bytes, earlier.values.dropLast())
            for value in column.values {
                let start = bytes.count
                guard start + value.range.count <= ColumnLimits.bodyBytes else { return nil }
                bytes += memory[value.range]
                values.append(value.isAbsent ? .absent : ColumnValue(start..<bytes.count))
            }
        } else {
            swap(&values, &column.values)
        }
        guard values.count <= ColumnLimits.values else { return nil }
        values.append(.absent)
        (self.bytes, self.values, isText) = (bytes, values, column.content == .text)
        damaged = (earlier?.damaged ?? []).union(column.damaged.map { $0 + (earlier?.count ?? 0) })
    }

    /// The dictionary that a stream has not sent: a column without any values needs none.
    static let empty = ColumnDictionary()

    private init() { (bytes, values, isText, damaged) = ([], [.absent], true, []) }

    package static func == (one: ColumnDictionary, other: ColumnDictionary) -> Bool {
        one === other || one.values.count == other.values.count && one.begins(with: other)
    }

    /// True if the first values are all those of another dictionary, as they are where a stream sends further ones.
    ///
    /// - Complexity: O(bytes of the other one).
    package func begins(with other: ColumnDictionary) -> Bool {
        guard isText == other.isText, count >= other.count else { return false }
        let (bytes, others) = (bytes, other.bytes)
        return zip(values, other.values.dropLast()).allSatisfy {
            $0.isAbsent == $1.isAbsent && $0.range.count == $1.range.count && bytes[$0.range] == others[$1.range]
        }
    }
}
