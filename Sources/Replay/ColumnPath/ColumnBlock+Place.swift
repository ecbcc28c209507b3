internal import Columns
internal import PolicyEngine

// The columns of a block are not kept: for these questions, which are rare, they are decoded anew.
extension ColumnBlock {
    /// The place of a record: its line in the original capture, or else its row.
    ///
    /// - Parameter line: The number of the record in the block, counted from 1.
    func place(ofLine line: Int) -> RecordPlace { places(ofLines: line...line)[0] }

    /// The places of some records.
    ///
    /// - Parameter lines: Their numbers in the block, counted from 1.
    func places(ofLines lines: ClosedRange<Int>) -> [RecordPlace] {
        let (batch, first) = (batch.batch, rows.lowerBound + lines.lowerBound - 1)
        let rows = first..<first + lines.count
        let numbers = layout.origins.line.flatMap { column($0, rows, of: batch) }
        let captures = layout.origins.capture.flatMap { index in
            column(index, rows, of: batch).map { ($0, layout.fields[index]) }
        }
        return rows.enumerated().map { index, row in
            let path = captures.flatMap { $0.hasValue(index) ? $0.shown(index, $1, batch) : nil } ?? layout.path
            if let numbers, numbers.hasValue(index) {
                return RecordPlace(path: path, line: Int(numbers.numbers[index]) &+ (layout.base?.line ?? 0))
            }
            return RecordPlace(path: layout.path, line: nil, row: "batch \(batch.number), row \(row + 1)")
        }
    }

    /// The numbers of records among all valid ones; `nil` if the capture is not a part of split ones, which have them.
    ///
    /// - Parameter records: The numbers of the records in the block, counted from 1.
    func indices(ofLines records: some Sequence<Int>) -> [Int]? {
        guard let base = layout.base, let index = layout.origins.record,
            let numbers = column(index, rows, of: batch.batch)?.numbers
        else { return nil }
        return records.map { base.index &+ Int(numbers[$0 - 1]) }
    }

    /// A record as JSON, newline included.
    ///
    /// - Parameter line: The number of the record in the block, counted from 1.
    func text(ofLine line: Int) -> [UInt8] {
        let (batch, row) = (batch.batch, rows.lowerBound + line - 1)
        var members: [(key: String, value: JSONValue)] = []
        for (index, field) in layout.fields.enumerated() where !ColumnNames.origins.contains(field.name) {
            guard let column = column(index, row..<row + 1, of: batch), column.hasValue(0) else { continue }
            let text = column.text(0, field, batch).map { String(decoding: $0, as: UTF8.self) }
            members.append((field.name, .string(text ?? column.shown(0, field, batch))))
        }
        return JSONValue.ordered(members).line
    }

    // Some rows of a column; `nil` if they are damaged, which ends the replay with the block itself.
    private func column(_ index: Int, _ rows: Range<Int>, of batch: ColumnBatch) -> Column? {
        var column = Column()
        do throws(ColumnFailure) {
            try batch.decode(rows, ofColumn: index, into: &column)
            return column
        } catch {
            return nil
        }
    }
}
