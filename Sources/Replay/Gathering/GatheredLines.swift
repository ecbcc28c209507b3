internal import Columns
internal import PolicyEngine

/// Writes gathered records as JSON Lines, without the columns of their origin.
struct GatheredLines {
    private let columns: [Column]

    // A column as text: its key, and of its dictionary each value with quotes.
    private struct Column {
        let index: Int
        let key: [UInt8]
        var values = ValueList()
        let isDevice: Bool
    }

    init(_ columns: [GatheredFile.Column]) {
        let origins = ColumnNames.origins.exactTexts
        self.columns = columns.enumerated().filter { !origins.contains(ExactText($1.name)) }.map { index, column in
            let isDevice = column.type == .fixedBytes(16)
            var written = Column(index: index, key: Self.quoted(column.name), isDevice: isDevice)
            for number in 0..<column.values.count {
                written.values.append(Self.quoted(column.values[number], isDevice: isDevice)[...])
            }
            return written
        }
    }

    /// Writes a batch.
    ///
    /// - Parameters:
    ///   - data: All columns, as they are in the file of columns.
    ///   - count: The number of records.
    ///   - output: Takes the lines.
    mutating func write(_ data: [ColumnData], count: Int, to output: inout [UInt8]) {
        for row in 0..<count {
            var separator = UInt8(ascii: "{")
            for column in columns {
                guard let value = Self.value(data[column.index], row, column) else { continue }
                output.append(separator)
                output += column.key
                output.append(UInt8(ascii: ":"))
                output += value
                separator = UInt8(ascii: ",")
            }
            output += Array("}\n".utf8)
        }
    }

    private static func value(_ data: ColumnData, _ row: Int, _ column: Column) -> ArraySlice<UInt8>? {
        switch data {
        case .keys(let keys): keys[row] < 0 ? nil : column.values[Int(keys[row])]
        case .values(let values): values.hasValue(row) ? quoted(values[row], isDevice: column.isDevice)[...] : nil
        case .numbers(let numbers): time(numbers[row])[...]
        }
    }

    private static func time(_ seconds: Int64) -> [UInt8] {
        var line = JSONBytes()
        line.instant(Instant(secondsSinceEpoch: Int(seconds)))
        return line.bytes
    }

    private static func quoted(_ text: String) -> [UInt8] { JSONValue.string(text).bytes }

    private static func quoted(_ value: ArraySlice<UInt8>, isDevice: Bool) -> [UInt8] {
        guard isDevice else { return quoted(String(decoding: value, as: UTF8.self)) }
        let words = value.reduce(UInt128(0)) { $0 << 8 | UInt128($1) }
        return quoted(
            DeviceID(first: UInt64(truncatingIfNeeded: words >> 64), second: UInt64(truncatingIfNeeded: words))
                .description)
    }
}
