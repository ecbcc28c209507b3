internal import CValueLookup

extension ValueRows {
    /// Hands over the values of a column to what looks at many at once.
    ///
    /// - Parameters:
    ///   - column: The column.
    ///   - besides: A column; rows that have a value there are left out.
    ///   - range: Which rows, no more than ``ValueSlots/batch``.
    @unsafe
    @inline(__always)
    func withColumn<Result>(
        _ column: Int, besides: Int?, of range: Range<Int>, _ body: (value_column) -> Result
    ) -> Result {
        precondition(range.lowerBound >= 0 && range.upperBound <= count && range.count <= ValueSlots.batch)
        precondition(column < width && besides ?? 0 < width, "the columns are there")
        precondition(columns.isEmpty || besides == nil && columns[column].ranges.count == count, "a range for each row")
        return unsafe bytes.withUnsafeBufferPointer { plain in
            unsafe copied.withUnsafeBufferPointer { copied in
                unsafe withRanges(ofColumn: column, from: range.lowerBound) { first, stride in
                    // SAFETY: all rows that are kept have values of all columns, and another column is as far away as its
                    // number says. Nothing is read behind the memory.
                    unsafe body(
                        value_column(
                            plain: plain.baseAddress, plain_count: plain.count, copied: copied.baseAddress,
                            copied_count: copied.count, values: first,
                            besides: besides.flatMap { besides in unsafe first.map { unsafe $0 + besides - column } },
                            stride: stride, count: range.count))
                }
            }
        }
    }
}
