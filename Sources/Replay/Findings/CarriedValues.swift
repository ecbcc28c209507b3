internal import PolicyEngine

/// Values of some attributes in the records of a block, which are written or counted beside the decisions on them.
final class CarriedColumns: Sendable {
    private let bytes: [UInt8]
    // Row by row, the offset behind the value of each attribute, with all bits turned where the record lacks it: a block may hold
    // the same long value many times, so that its copies are more than 2 GiB.
    private let ends: [Int]
    private let width: Int

    /// Copies values out of a block, whose memory is used again.
    ///
    /// - Parameters:
    ///   - records: The records.
    ///   - rows: Which of them.
    ///   - columns: The columns of the attributes.
    init(_ records: borrowing UnexaminedRecords, at rows: [Int], columns: [Int]) {
        var (bytes, ends) = ([UInt8](), [Int]())
        ends.reserveCapacity(rows.count * columns.count)
        for row in rows {
            for column in columns {
                let value: Void? = records.rows.withValue(row, column) { $0.append($1, to: &bytes) }
                ends.append(value == nil ? ~bytes.count : bytes.count)
            }
        }
        (self.bytes, self.ends, width) = (bytes, ends, columns.count)
    }

    /// Hands over the value of an attribute in a record.
    ///
    /// - Parameters:
    ///   - attribute: Its index among ``RecordNeeds/carriedKeys``.
    ///   - row: The record, by its index among those whose values were copied.
    /// - Returns: The result; `nil` if the record does not have it.
    func withValue<Result>(
        of attribute: Int, row: Int, _ body: (Span<UInt8>, Range<Int>) -> Result
    ) -> Result? {
        let index = row * width + attribute
        let (end, before) = (ends[index], index == 0 ? 0 : ends[index - 1])
        guard end >= 0 else { return nil }
        let bytes = bytes
        return body(bytes.span, (before < 0 ? ~before : before)..<end)
    }
}

/// The values of one record among them.
struct CarriedValues: Sendable {
    private let columns: CarriedColumns
    private let row: Int32

    /// - Parameters:
    ///   - columns: The values.
    ///   - row: The record, by its index among those whose values were copied.
    init(_ columns: CarriedColumns, row: Int) { (self.columns, self.row) = (columns, Int32(row)) }

    /// Hands over the value of an attribute.
    ///
    /// - Parameter attribute: Its index among ``RecordNeeds/carriedKeys``.
    /// - Returns: The result; `nil` if the record does not have it.
    func withValue<Result>(of attribute: Int, _ body: (Span<UInt8>, Range<Int>) -> Result) -> Result? {
        columns.withValue(of: attribute, row: Int(row), body)
    }
}
