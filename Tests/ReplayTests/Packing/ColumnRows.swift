@testable import Columns

/// The rows of a file of columns.
enum ColumnRows {
    /// For each row its values by the names of their columns; 16 bytes are in hexadecimal digits.
    static func read(_ bytes: [UInt8]) throws -> [[String: String]] {
        let numbers: Set = ["origin-line", "origin-record", "index"]
        let reader = try ColumnReader(ColumnBytes(bytes)) { _ in ColumnChoice(numbers: numbers) }
        var (batch, columns, rows) = (ColumnBatch(), [Column](), [[String: String]]())
        while try reader.read(&batch) {
            try batch.decode(0..<batch.count, into: &columns)
            for row in 0..<batch.count {
                var values: [String: String] = [:]
                for (field, column) in zip(reader.schema.fields, columns) {
                    values[field.name] = text(column, field, row, column.bytes(in: batch))
                }
                rows.append(values)
            }
        }
        return rows
    }

    private static func text(_ column: Column, _ field: ColumnField, _ row: Int, _ memory: [UInt8]) -> String? {
        if column.content == .numbers { return "\(column.numbers[row])" }
        let value = column.dictionary.map { $0.values[Int(column.keys[row])] } ?? column.values[row]
        guard !value.isAbsent else { return nil }
        let bytes = (column.dictionary?.bytes ?? memory)[value.range]
        guard field.type == .fixedBytes(16) else { return String(decoding: bytes, as: UTF8.self) }
        return bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
