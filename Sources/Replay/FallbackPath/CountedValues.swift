internal import PolicyEngine

/// Values of some attributes in the records of a block, on their way to the evaluator.
final class CountedValues: Sendable {
    private let bytes: [UInt8]
    // Row by row, a value for each attribute.
    private let ranges: [ValueRange]
    private let width: Int

    /// Copies values out of a block, whose memory is used again.
    ///
    /// - Parameters:
    ///   - batch: The records.
    ///   - columns: The columns of the attributes.
    init(_ batch: borrowing RecordBatch, columns: [Int]) {
        var (bytes, ranges) = ([UInt8](), [ValueRange]())
        ranges.reserveCapacity(batch.heads.count * columns.count)
        for row in batch.heads.indices {
            for column in columns {
                let start = bytes.count
                let value: Void? = batch.rows.withValue(row, column) { $0.append($1, to: &bytes) }
                ranges.append(value == nil ? .absent : ValueRange(start..<bytes.count))
            }
        }
        (self.bytes, self.ranges, width) = (bytes, ranges, columns.count)
    }

    /// Hands over the value of an attribute in a record.
    ///
    /// - Parameters:
    ///   - attribute: Which of those that are counted.
    ///   - row: The record, by its index in the block.
    /// - Returns: True if the record has it.
    func withValue(of attribute: Int, row: Int, _ body: (Span<UInt8>, Range<Int>) -> Void) -> Bool {
        let value = ranges[row * width + attribute]
        guard !value.isAbsent else { return false }
        let bytes = bytes
        body(bytes.span, value.range)
        return true
    }
}

/// Values of some attributes of one record.
struct CarriedValues: Sendable {
    let values: CountedValues
    /// The record, by its index in the block.
    let row: Int
}
