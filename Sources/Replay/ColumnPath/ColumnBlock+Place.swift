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
            return RecordPlace(path: path, line: Int(lines.numbers[row]))
        }
        return RecordPlace(path: layout.path, line: nil, row: "batch \(batch.number), row \(row + 1)")
    }

    /// A record as JSON, newline included.
    ///
    /// - Parameter line: The number of the record in the block, counted from 1.
    func text(ofLine line: Int) -> [UInt8] {
        let (batch, row) = (batch.batch, rows.lowerBound + line - 1)
        var members: [(key: String, value: JSONValue)] = []
        for (column, field) in zip(batch.columns, layout.fields) where column.hasValue(row) {
            guard ![ColumnNames.originLine, ColumnNames.originCapture].contains(field.name) else { continue }
            let text = column.text(row, field, batch).map { String(decoding: $0, as: UTF8.self) }
            members.append((field.name, .string(text ?? column.shown(row, field, batch))))
        }
        return JSONValue.ordered(members).line
    }
}
