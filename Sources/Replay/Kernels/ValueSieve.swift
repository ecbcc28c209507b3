internal import CValueLookup

/// Knows some values by their length and a byte of them, so that most others can be passed over at once.
struct ValueSieve: Sendable {
    private var words = [UInt64](repeating: 0, count: Int(value_sieve_words))
    // Of the current rows.
    private var rows = [UInt32](repeating: 0, count: ValueSlots.rowsAtOnce)

    /// - Parameter values: The values.
    init(_ values: [[UInt8]]) {
        for value in values {
            // SAFETY: a sieve has that number of words, and the value that number of bytes.
            unsafe words.withUnsafeMutableBufferPointer { words in
                unsafe value.withUnsafeBufferPointer {
                    unsafe value_sieve_add(words.baseAddress, $0.baseAddress, $0.count)
                }
            }
        }
    }

    /// The rows whose value may be one of these, in rising order.
    ///
    /// - Parameters:
    ///   - all: The rows.
    ///   - range: Which of them, no more than ``ValueSlots/rowsAtOnce``.
    ///   - column: Which value of each.
    ///   - besides: A column; rows that have a value there are left out.
    mutating func pick(
        _ all: borrowing ValueRows, _ range: Range<Int>, column: Int, besides: Int?
    ) -> ArraySlice<UInt32> {
        let count = unsafe all.withColumn(column, besides: besides, of: range) { column in
            unsafe words.withUnsafeBufferPointer { words in
                unsafe rows.withUnsafeMutableBufferPointer { rows in
                    var column = unsafe column
                    // SAFETY: there is room for all rows, and the column has no more rows. Values outside its memory are
                    // refused.
                    return unsafe value_sieve_pick(words.baseAddress, &column, rows.baseAddress)
                }
            }
        }
        precondition(count >= 0, "values lie inside their memory")
        return rows[..<count]
    }
}
