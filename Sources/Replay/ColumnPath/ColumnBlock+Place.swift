internal import Columns
internal import PolicyEngine

extension ColumnBlock {
    /// The place of a record: its line in the original capture, or else its row.
    ///
    /// - Parameter line: The number of the record in the block, counted from 1.
    func place(ofLine line: Int) -> RecordPlace {
        let (batch, row) = (batch.batch, rows.lowerBound + line - 1)
        func column(_ index: Int?) -> (Column, ColumnField)? {
            guard let index, batch.columns[index].hasValue(row) else { return nil }
            return (batch.columns[index], layout.fields[index])
        }
        let path = column(layout.origins.capture).map { $0.shown(row, $1, batch) } ?? layout.path
        if let (lines, _) = column(layout.origins.line) {
            return RecordPlace(path: path, line: Int(lines.numbers[row]) &+ (layout.base?.line ?? 0))
        }
        return RecordPlace(path: layout.path, line: nil, row: "batch \(batch.number), row \(row + 1)")
    }

    /// The numbers of records among all valid ones; `nil` if the capture is not a part of split ones, which have them.
    ///
    /// - Parameter records: The numbers of the records in the block, counted from 1.
    func indices(ofLines records: some Sequence<Int>) -> [Int]? {
        guard let base = layout.base, let column = layout.origins.record else { return nil }
        let numbers = batch.batch.columns[column].numbers
        return records.map { base.index &+ Int(numbers[rows.lowerBound + $0 - 1]) }
    }

    /// A record as JSON, newline included.
    ///
    /// - Parameter line: The number of the record in the block, counted from 1.
    func text(ofLine line: Int) -> [UInt8] {
        let (batch, row) = (batch.batch, rows.lowerBound + line - 1)
        var members: [(key: String, value: JSONValue)] = []
        for (column, field) in zip(batch.columns, layout.fields) where column.hasValue(row) {
            guard !ColumnNames.origins.contains(field.name) else { continue }
            let text = column.text(row, field, batch).map { String(decoding: $0, as: UTF8.self) }
            members.append((field.name, .string(text ?? column.shown(row, field, batch))))
        }
        return JSONValue.ordered(members).line
    }
}
