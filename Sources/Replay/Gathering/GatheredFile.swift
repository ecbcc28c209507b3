internal import Columns
internal import Documents
internal import PolicyEngine

/// Gathered rows, and the columns that they have in the end.
struct GatheredFile {
    private let table: SpooledTable
    private let metadata: [ColumnNote]
    private let columns: [Column]

    /// A column of the file.
    struct Column {
        let name: String
        let type: ColumnType
        let source: Source
        /// The values of the keys.
        var values = ValueList()
        /// False if the values themselves are written, since there are too many for a dictionary.
        var hasKeys = true
        /// True if the file has the column even if no row has a value in it.
        var isKept = true

        /// The column of the gathered rows.
        enum Source {
            case number(Int)
            case keyed(Int)
        }

        /// A column of texts.
        init(_ name: String, keyed source: Int, _ values: ValueList, hasKeys: Bool = true, isKept: Bool = true) {
            (self.name, type, self.source) = (name, .text(.small), .keyed(source))
            (self.values, self.hasKeys, self.isKept) = (values, hasKeys, isKept)
        }

        /// A column of numbers.
        init(_ name: String, _ type: ColumnType, number source: Int) {
            (self.name, self.type, self.source) = (name, type, .number(source))
        }

        /// A column of devices: 16 bytes each, unless one of them is not the canonical text of any.
        init(_ name: String, devices: [DeviceID], keyed source: Int) {
            (self.name, self.source) = (name, .keyed(source))
            let all = devices.lazy.map(\.bytes)
            let areCanonical = !all.contains(nil)
            for (device, bytes) in zip(devices, all) {
                if areCanonical { values.append((bytes ?? [])[...]) } else { values.append(device.description) }
            }
            type = areCanonical ? .fixedBytes(16) : .text(.small)
        }
    }

    /// - Parameters:
    ///   - table: The rows.
    ///   - columns: The columns in the order of the file.
    ///   - metadata: The description of the whole.
    init(_ table: SpooledTable, _ columns: [Column], metadata: [ColumnNote] = []) {
        var table = table
        table.finish()
        (self.table, self.metadata) = (table, metadata)
        let rows = table.table
        self.columns = columns.filter { column in
            if !column.isKept, case .keyed(let source) = column.source { !rows.isEmpty(source) } else { true }
        }
    }

    /// The names of its columns, in the order of the file.
    var names: [String] { columns.map(\.name) }

    /// The destination of a file's bytes.
    typealias Sink = ([UInt8]) throws(FileFailure) -> Void

    /// Writes the file.
    ///
    /// - Parameters:
    ///   - form: Its form.
    ///   - path: The path, whose ending says how lines are compressed.
    ///   - sink: Takes the bytes, part by part.
    func write(as form: GatheredForm, path: String = "", to sink: Sink) throws(FileFailure) {
        switch form {
        case .columns(let level): try writeColumns(as: .file, level: level, to: sink)
        case .stream(let level): try writeColumns(as: .stream, level: level, to: sink)
        case .lines: try writeLines(path: path, to: sink)
        }
    }

    private func writeColumns(as form: ColumnWriter.Form, level: Int?, to sink: Sink) throws(FileFailure) {
        var output: [UInt8] = []
        let fields = columns.enumerated().map { index, column in
            guard case .keyed = column.source, column.hasKeys else { return ColumnField(column.name, column.type) }
            return ColumnField(
                column.name, column.type, keys: DictionaryKeys(dictionary: Int64(index), count: column.values.count))
        }
        var writer = ColumnWriter(ColumnSchema(fields, metadata: metadata), as: form, level: level, to: &output)
        for (index, field) in fields.enumerated() where field.keys != nil {
            writer.dictionaries[Int64(index)] = columns[index].values
        }
        try table.forEachBatch { batch, bytes throws(FileFailure) in
            writer.write(data(of: batch, bytes), to: &output)
            try Self.flush(&output, to: sink)
        }
        writer.finish(to: &output)
        try Self.flush(&output, to: sink)
    }

    private func writeLines(path: String, to sink: Sink) throws(FileFailure) {
        var (lines, output) = (GatheredLines(columns), [UInt8]())
        try table.forEachBatch { batch, bytes throws(FileFailure) in
            lines.write(data(of: batch, bytes), count: batch.rowCount, to: &output)
            output = OutputCompression.packed(output, for: path)
            try Self.flush(&output, to: sink)
        }
    }

    private func data(of batch: GatheredTable.Batch, _ bytes: [UInt8]) -> [ColumnData] {
        columns.map { column in
            switch column.source {
            case .number(let source): .numbers(table.table.numbers(source, of: batch, in: bytes))
            case .keyed(let source) where column.hasKeys: .keys(table.table.keys(source, of: batch, in: bytes))
            case .keyed(let source):
                .values(table.table.values(source, of: batch, in: bytes, dictionary: column.values))
            }
        }
    }

    private static func flush(_ output: inout [UInt8], to sink: Sink) throws(FileFailure) {
        try sink(output)
        output.removeAll(keepingCapacity: true)
    }
}

/// The form of a file that is made of gathered rows.
package enum GatheredForm: Hashable, Sendable {
    /// A file of columns, compressed by a level of zstd; `nil` leaves them plain.
    case columns(level: Int?)
    /// A stream of columns.
    case stream(level: Int?)
    /// JSON Lines.
    case lines
}
