internal import Columns
internal import Documents
internal import PolicyEngine

/// Gathered rows, and the columns that they have in the end.
struct GatheredFile {
    private let table: SpooledTable
    private let metadata: [ColumnNote]
    private let columns: [Column]
    private let keepsUnused: Bool

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
            for device in devices {
                guard let bytes = device.bytes else { break }
                values.append(bytes.span)
            }
            let areCanonical = values.count == devices.count
            type = areCanonical ? .fixedBytes(16) : .text(.small)
            if areCanonical { return }
            values = ValueList()
            for device in devices { values.append(device.description) }
        }
    }

    /// - Parameters:
    ///   - table: The rows.
    ///   - columns: The columns in the order of the file.
    ///   - metadata: The description of the whole.
    ///   - keepsUnused: False if other tables use the values of the keys, too, and the file gets those that its rows have.
    init(_ table: SpooledTable, _ columns: [Column], metadata: [ColumnNote] = [], keepsUnused: Bool = true) {
        var table = table
        table.finish()
        (self.table, self.metadata, self.keepsUnused) = (table, metadata, keepsUnused)
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
        let rowCount = table.table.batches.reduce(0) { $0 + $1.rowCount }
        let fields = columns.enumerated().map { index, column in
            guard case .keyed = column.source, column.hasKeys else { return ColumnField(column.name, column.type) }
            return ColumnField(
                column.name, column.type,
                keys: DictionaryKeys(
                    dictionary: Int64(index),
                    count: keepsUnused ? column.values.count : min(column.values.count, rowCount)))
        }
        var writer = ColumnWriter(ColumnSchema(fields, metadata: metadata), as: form, level: level, to: &output)
        var used = columns.map { _ in UsedValues() }
        for (index, field) in fields.enumerated() where keepsUnused && field.keys != nil {
            writer.dictionaries[Int64(index)] = columns[index].values
        }
        try table.forEachBatch { batch, bytes throws(FileFailure) in
            var data = data(of: batch, bytes)
            for index in data.indices where !keepsUnused {
                guard case .keys(let keys) = data[index] else { continue }
                let values = columns[index].values
                data[index] = .keys(used[index].keys(keys, of: values, to: &writer.dictionaries[Int64(index)]))
            }
            writer.write(data, to: &output)
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

/// The values of a dictionary that the rows of one file have, in the order of first sight.
private struct UsedValues {
    // By key of the dictionary.
    private var numbers: [Int32] = []

    /// The keys of some rows among the used values.
    mutating func keys(_ keys: [Int32], of values: ValueList, to used: inout ValueList?) -> [Int32] {
        if numbers.isEmpty { numbers = Array(repeating: -1, count: values.count) }
        return keys.map { key in
            guard key >= 0 else { return key }
            if numbers[Int(key)] < 0 {
                numbers[Int(key)] = Int32(used?.count ?? 0)
                used?.append(values[Int(key)])
            }
            return numbers[Int(key)]
        }
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

/// The ways to compress a file that is written, by the ending of its name.
package enum OutputCompression: String, CaseIterable, Sendable {
    case gzip = "gz"
    case zstd = "zst"

    /// The bytes of a file, compressed if the ending of its name says so; equal bytes give equal ones.
    package static func packed(_ bytes: [UInt8], for path: String) -> [UInt8] {
        switch allCases.first(where: { path.lowercased().hasSuffix(".\($0.rawValue)") }) {
        case .gzip: GzipMember.pack(bytes)
        case .zstd: ZstdFrame().pack(bytes)
        case nil: bytes
        }
    }
}
