@testable import Columns

/// Columns as lines of text, in the form that `Tooling/columns.py` writes: a header, then a line for each row.
enum ColumnLines {
    /// Reads everything.
    ///
    /// - Parameters:
    ///   - bytes: A file or a stream.
    ///   - isPipe: True to read it as a pipe.
    ///   - part: The number of rows that are decoded at a time; `nil` for all of a batch.
    static func read(
        _ bytes: [UInt8], isPipe: Bool = false, part: Int? = nil
    ) throws(ColumnFailure) -> [String] {
        let reader = try ColumnReader(ColumnBytes(bytes, isPipe: isPipe))
        var (batch, columns, lines) = (ColumnBatch(), [Column](), [header(reader.schema)])
        while try reader.read(&batch) {
            // In parts, of which the last is shorter.
            for start in stride(from: 0, to: batch.count, by: part ?? max(1, batch.count)) {
                let rows = start..<min(batch.count, start + (part ?? batch.count))
                try batch.decode(rows, into: &columns)
                for row in 0..<rows.count {
                    lines.append(columns.map { cell($0, row, batch) }.joined(separator: "\t"))
                }
            }
        }
        return lines
    }

    private static func header(_ schema: ColumnSchema) -> String {
        let names = schema.fields.map { field in
            if case .time(let unit, let zone) = field.type {
                "\(field.name):\(unit.rawValue):\(zone ?? "")"
            } else {
                field.name
            }
        }
        return names.joined(separator: "\t")
    }

    private static func cell(_ column: Column, _ row: Int, _ batch: ColumnBatch) -> String {
        if let dictionary = column.dictionary {
            return cell(dictionary.values[Int(column.keys[row])], column.content, dictionary.bytes)
        }
        switch column.content {
        case .numbers: return column.numbers[row] == Column.absentNumber ? "-" : "n\(column.numbers[row])"
        case .lists:
            let list = column.values[row]
            return list.isAbsent
                ? "-" : "[" + list.range.map { cell(column.elements[0], $0, batch) }.joined(separator: ",") + "]"
        case .text, .bytes: return cell(column.values[row], column.content, column.bytes(in: batch))
        }
    }

    private static func cell(_ value: ColumnValue, _ content: Column.Content, _ bytes: [UInt8]) -> String {
        value.isAbsent ? "-" : self.cell(bytes[value.range], isText: content == .text)
    }

    /// A value in hexadecimal digits behind the letter of its kind.
    static func cell(_ bytes: some Sequence<UInt8>, isText: Bool) -> String {
        (isText ? "t" : "b") + bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
