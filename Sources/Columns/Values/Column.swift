/// The values of some records of a batch in one column.
///
/// A column is text, bytes, lists, or numbers. A number or a boolean that nobody asked for as a number is its JSON text. Text and
/// bytes are either ranges of memory (``values``) or keys of a dictionary (``keys``), which is the same for many batches.
package struct Column: Sendable {
    /// The meaning of the values.
    package enum Content: Sendable {
        /// UTF-8.
        case text
        /// Any bytes.
        case bytes
        /// ``numbers``: units of time since 1970 in UTC, or whole numbers.
        case numbers
        /// ``values`` are ranges of rows of ``elements``.
        case lists
    }

    package internal(set) var content = Content.text
    /// The dictionary of ``keys``; `nil` if the values are there themselves.
    package internal(set) var dictionary: ColumnDictionary?
    /// For each row the index of its value in ``ColumnDictionary/values``. The last of these is absent, for rows without a value,
    /// so that each key can be used as it is.
    package internal(set) var keys: [Int32] = []
    /// For each row its value: a range of the bytes of the batch or of ``texts``, or of the rows of the elements.
    package internal(set) var values: [ColumnValue] = []
    /// The memory of values that are JSON texts of numbers or booleans; `nil` for all others.
    package internal(set) var texts: [UInt8]?
    /// For each row its number, or ``absentNumber``.
    package internal(set) var numbers: [Int64] = []
    /// The rows whose text is not UTF-8, in rising order; of a column of keys they are in the dictionary.
    package internal(set) var damaged: [Int] = []
    /// Of lists one column, the elements of all.
    package internal(set) var elements: [Column] = []

    package init() {}

    /// The number of a row that has none.
    package static var absentNumber: Int64 { .min }
}

/// The range of a value in memory, in eight bytes.
@usableFromInline
package struct ColumnValue: Hashable, Sendable {
    /// The first byte, and the one behind the last; both are the largest number where there is no value.
    @usableFromInline package let start: UInt32
    @usableFromInline package let end: UInt32

    /// There is no value.
    package static var absent: ColumnValue { ColumnValue(start: .max, end: .max) }

    /// - Parameter range: A range below 4 GiB, which ``ColumnLimits`` sees to.
    @inline(__always)
    init(_ range: Range<Int>) {
        self.init(
            start: UInt32(truncatingIfNeeded: range.lowerBound), end: UInt32(truncatingIfNeeded: range.upperBound))
    }

    private init(start: UInt32, end: UInt32) {
        (self.start, self.end) = (start, end)
    }

    /// True if there is no value.
    @inlinable package var isAbsent: Bool { start == .max }

    /// The range of the value; empty where there is none.
    @inlinable package var range: Range<Int> { isAbsent ? 0..<0 : Int(start)..<Int(end) }
}

extension Array {
    /// Makes room for a number of rows, in the memory that is there if it suffices.
    mutating func resize(to count: Int, filling value: Element) {
        if count < self.count {
            removeLast(self.count - count)
        } else {
            append(contentsOf: repeatElement(value, count: count - self.count))
        }
    }
}
