import PolicyEngine
import Testing

@testable import Columns
@testable import Documents
@testable import Replay
@testable import TestSupport

/// Captures that were packed, and the rows of the file.
struct PackedFile {
    let bytes: [UInt8]
    let summary: PackSummary

    /// Packs captures, which are called `1`, `2` and so on; `nil` if they are refused.
    init?(
        _ captures: [[UInt8]], form: GatheredForm = .columns(level: 1), _ edit: (inout PackRequest) -> Void = { _ in }
    ) throws {
        let folder = try TemporaryFolder()
        var paths: [String] = []
        for (offset, bytes) in captures.enumerated() { paths.append(try folder.write(bytes, to: "\(offset + 1)")) }
        try self.init(paths: paths, form: form, edit)
    }

    /// Packs captures that are there; `nil` if they are refused.
    init?(
        paths: [String], form: GatheredForm = .columns(level: 1), _ edit: (inout PackRequest) -> Void = { _ in }
    ) throws {
        let folder = try TemporaryFolder()
        var request = PackRequest(
            reading: ReplayRequest(captures: paths, account: Account()), output: folder.path("out"), form: form,
            version: "1")
        edit(&request)
        let names = folder.names
        let (summary, _) = CapturePacker(request).run()
        let isWritten = summary.map { $0.records > 0 } ?? false
        expect(folder.names, equals: (isWritten ? names + ["out"] : names))
        guard let summary else { return nil }
        (bytes, self.summary) = (folder.bytes(of: "out") ?? [], summary)
    }

    /// The columns by their names, with the form of each.
    var fields: [String: ColumnField] {
        get throws {
            let reader = try ColumnReader(ColumnBytes(bytes))
            return Dictionary(uniqueKeysWithValues: reader.schema.fields.map { ($0.name, $0) })
        }
    }

    /// The metadata by its keys.
    var metadata: [String: String] {
        get throws {
            let reader = try ColumnReader(ColumnBytes(bytes))
            return Dictionary(uniqueKeysWithValues: reader.schema.metadata.map { ($0.key, $0.value) })
        }
    }

    /// The values of a column's dictionary in their order.
    func dictionary(of name: String) throws -> [String] {
        let reader = try ColumnReader(ColumnBytes(bytes))
        var batch = ColumnBatch()
        _ = try reader.read(&batch)
        let column = try #require(reader.schema.fields.firstIndex { $0.name == name })
        let dictionary = try #require(batch.dictionary(ofColumn: column))
        return dictionary.values.dropLast().map { String(decoding: dictionary.bytes[$0.range], as: UTF8.self) }
    }

    /// For each row its values by the names of their columns; of a capture the name, without its folder.
    var rows: [[String: String]] {
        get throws {
            try ColumnRows.read(bytes).map { row in
                var row = row
                row["origin-capture"] = row["origin-capture"]?.split(separator: "/").last.map(String.init)
                return row
            }
        }
    }
}

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
