internal import Documents
internal import PolicyEngine

/// The values of the records of a block as numbers, on their way to whoever takes the records in order.
///
/// A worker numbers values as it sees them (``ValueNumbering``). In the order of the records these numbers become those of all
/// workers, which do not depend on who read what.
final class NumberedValues: Sendable {
    /// The numbers as the worker gave them.
    let values: Values
    /// The numbers of all workers by those of this one.
    let translation: Translation
    /// The numbers of all workers, and the place of the block; empty before it was placed.
    let placed = Lock(Placed())

    /// Values, column by column.
    struct Values: Sendable {
        /// The number of records.
        let rowCount: Int
        /// For each column and record the number of its value: -1 if it is absent, less if it has none.
        var numbers: [Int32] = []
        // The values that the worker did not know before, or that have no number: column by column, in the order of records.
        private(set) var bytes: [UInt8] = []
        private var ends: [Int] = []
        private var starts: [Int] = []
        /// For each column false if its values have no numbers.
        private(set) var hasNumbers: [Bool] = []

        init(rowCount: Int) { self.rowCount = rowCount }

        /// The number of columns.
        var width: Int { starts.count }

        /// The values of the current column so far.
        var columnCount: Int { ends.count - (starts.last ?? 0) }

        /// Starts a column, in which all values are absent; returns the index of its first number.
        mutating func beginColumn(hasNumbers: Bool) -> Int {
            starts.append(ends.count)
            self.hasNumbers.append(hasNumbers)
            let count = rowCount
            numbers.append(contentsOf: repeatElement(-1, count: count))
            return numbers.count - count
        }

        /// Adds a value to the current column.
        mutating func append(_ value: Span<UInt8>, _ range: Range<Int>) {
            value.append(range, to: &bytes)
            ends.append(bytes.count)
        }

        /// The ranges of a column's values in ``bytes``.
        func ranges(of column: Int) -> some Sequence<Range<Int>> {
            let end = column + 1 < starts.count ? starts[column + 1] : ends.count
            return (starts[column]..<end).lazy.map { (index: Int) -> Range<Int> in range(index) }
        }

        /// The value of a column whose record has a number below -1.
        func text(of column: Int, number: Int32) -> ArraySlice<UInt8> {
            bytes[range(starts[column] + Int(-2 - number))]
        }

        private func range(_ index: Int) -> Range<Int> { (index == 0 ? 0 : ends[index - 1])..<ends[index] }
    }

    /// The number that stands for a value without one, by its index among those of a column.
    static func number(ofText index: Int) -> Int32 { Int32(-2 - index) }

    /// The numbers of all workers, and the place of the block.
    struct Placed: Sendable {
        var numbers: [Int32] = []
        /// The capture, by its index.
        var capture = 0
        /// The lines before the block.
        var lines = 0
        /// The places of the records of columns, by their rows in the block; else none.
        var places: [(capture: Int, line: Int?)] = []

        /// The place of a record.
        ///
        /// - Parameter line: Its line or its row in the block, counted from 1.
        func place(_ line: Int) -> (capture: Int, line: Int?) {
            guard places.isEmpty else { return places[line - 1] }
            return (capture, lines + line)
        }
    }

    /// The numbers of all workers by those of one.
    final class Translation: Sendable {
        let state = Lock(State())

        struct State: Sendable {
            /// The number of the worker, in the order of their first blocks; `nil` before its first one.
            var worker: Int?
            /// The numbers column by column.
            var numbers: [[Int32]] = []
        }
    }

    init(_ values: Values, _ translation: Translation) { (self.values, self.translation) = (values, translation) }
}
