internal import Columns

/// The values of some records in one column of a capture that has columns.
struct ValueColumn: Sendable {
    /// For each record its value, in the memory of the rows (``ValueRows``); empty if the values are in a dictionary.
    var ranges: [ValueRange] = []
    /// For each record the key of its value in the dictionary.
    var keys: [Int32] = []
    /// The dictionary; `nil` if there is none.
    var dictionary: ColumnDictionary?

    /// Forgets the values, and keeps the memory.
    mutating func clear() {
        ranges.removeAll(keepingCapacity: true)
        keys.removeAll(keepingCapacity: true)
        dictionary = nil
    }

    /// Keeps some of the records.
    mutating func keep(_ rows: [Int]) {
        if dictionary != nil {
            keys = rows.map { keys[$0] }
        } else if !ranges.isEmpty {
            ranges = rows.map { ranges[$0] }
        }
    }

    /// Takes values of a batch, in whose memory they are, in place of those that it has.
    mutating func take(_ values: [ColumnValue]) {
        ranges.removeAll(keepingCapacity: true)
        ranges.append(contentsOf: repeatElement(.absent, count: values.count))
        var all = ranges.mutableSpan
        let values = values.span
        for row in values.indices { all[row] = ValueRange(values[row]) }
    }

    /// The value of a record; there is no dictionary.
    subscript(row: Int) -> ValueRange { row < ranges.count ? ranges[row] : .absent }
}

extension ValueRange {
    /// A value of a batch, in whose memory it is.
    @inline(__always)
    init(_ value: ColumnValue) { self.init(start: value.start, end: value.end) }
}
