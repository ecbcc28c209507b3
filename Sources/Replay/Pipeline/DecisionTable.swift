internal import Columns
internal import Documents
internal import PolicyEngine

/// A file of columns that a replay writes its decisions to, in the order of the records.
package struct DecisionTable: ~Copyable {
    private let path: String
    private let keys: [String]
    private let redactor: Redactor?
    private let sideCount: Int
    private var file: OutputFile
    private var table: SpooledTable
    private var devices = DeviceTable()
    private var texts: [TextNumbers] = []
    // By shard and column: the texts, and the numbers of all shards by those of one, or -1 before the first use.
    private var shards: [[ShardTexts]] = []

    private struct ShardTexts {
        var texts: [[UInt8]] = []
        var numbers: [Int32] = []
    }

    // The columns of numbers: index and time, then lifetime and expiry of each side.
    private static let (index, time, sides) = (0, 1, 2)
    // The column of devices; behind it come texts.
    private static let device = 0

    /// True if the ending of a path stands for a file of columns.
    package static func isMeant(by path: String) -> Bool { form(of: path) != nil }

    private static func form(of path: String) -> GatheredForm? {
        switch path.lowercased().split(separator: ".").last {
        case "arrow": .columns(level: 1)
        case "arrows": .stream(level: 1)
        default: nil
        }
    }

    /// - Parameters:
    ///   - path: The path of the file.
    ///   - request: Says which attributes are written, and whether devices are hidden.
    init(path: String, _ request: ReplayRequest) throws(ReplayFailure) {
        let spool = try ReplayFailure.wrapping(output: path) { () throws(FileFailure) in try SpoolFile(beside: path) }
        let file = try ReplayFailure.wrapping(output: path) { () throws(FileFailure) in try OutputFile(path: path) }
        (self.path, keys, redactor) = (path, request.decisionKeys, request.redactor)
        sideCount = request.decisionSides
        table = SpooledTable(
            numberColumns: Self.sides + 2 * request.decisionSides, spool: spool, limits: GatheringLimits())
        self.file = file
    }

    /// Takes the texts that shards write for the first time.
    ///
    /// - Parameter written: What was written, by shard.
    mutating func adopt(_ written: [ShardOutput]) {
        while shards.count < written.count { shards.append([]) }
        for (shard, output) in written.enumerated() {
            for (column, text) in output.rows.newTexts {
                while shards[shard].count <= column { shards[shard].append(ShardTexts()) }
                shards[shard][column].texts.append(text)
                shards[shard][column].numbers.append(-1)
            }
        }
    }

    /// Writes the decisions on a record.
    ///
    /// - Parameters:
    ///   - rows: The rows of a shard, whose texts were taken.
    ///   - row: The row.
    ///   - shard: The shard.
    mutating func write(_ rows: DecisionRows, row: Int, shard: Int) {
        let record = rows.records[row]
        table.append(number: record.index, to: Self.index)
        table.append(number: record.time.secondsSinceEpoch, to: Self.time)
        table.append(key: Int32(devices.intern(record.device).offset), to: Self.device)
        for (column, number) in rows.numbers(of: row).enumerated() {
            table.append(number: number, to: Self.sides + column)
        }
        for (column, number) in rows.texts(of: row).enumerated() where number >= 0 {
            table.append(key: self.number(Int(number), column, shard), to: Self.device + 1 + column)
        }
        table.endRows(bytes: 0)
    }

    private mutating func number(_ number: Int, _ column: Int, _ shard: Int) -> Int32 {
        let known = shards[shard][column].numbers[number]
        if known >= 0 { return known }
        while texts.count <= column { texts.append(TextNumbers()) }
        let new = texts[column].number(of: shards[shard][column].texts[number])
        shards[shard][column].numbers[number] = new
        // Another shard may have it, too; this one needs it no more.
        shards[shard][column].texts[number] = []
        return new
    }

    /// Writes the file and puts it in its place.
    mutating func finish() throws(ReplayFailure) {
        let written = GatheredFile(table, columns)
        do throws(FileFailure) {
            try written.write(as: Self.form(of: path) ?? .lines, path: path) { bytes throws(FileFailure) in
                try file.write(bytes)
            }
            try file.finish()
        } catch {
            throw .output(path: path, error)
        }
    }

    private var columns: [GatheredFile.Column] {
        typealias Column = GatheredFile.Column
        let seconds = ColumnType.time(.seconds, zone: "UTC")
        var columns = [
            Column("index", .integer(bits: 64, isSigned: true), number: Self.index),
            Column("time", seconds, number: Self.time), deviceColumn,
        ]
        let endings = sideCount == 1 ? [""] : ["-before", "-after"]
        for (side, ending) in endings.enumerated() {
            let first = side * DecisionNumbering.Text.allCases.count
            for text in DecisionNumbering.Text.allCases {
                columns.append(textColumn("\(text)\(ending)", first + text.rawValue))
            }
            let number = Self.sides + 2 * side
            columns.append(Column("lifetime\(ending)", .integer(bits: 32, isSigned: true), number: number))
            columns.append(Column("expires\(ending)", seconds, number: number + 1))
        }
        let (first, taken) = (sideCount * DecisionNumbering.Text.allCases.count, columns.map(\.name).exactTexts)
        for (index, key) in keys.enumerated() {
            columns.append(textColumn(taken.contains(ExactText(key)) ? "record.\(key)" : key, first + index))
        }
        return columns
    }

    private func textColumn(_ name: String, _ column: Int) -> GatheredFile.Column {
        GatheredFile.Column(
            name, keyed: Self.device + 1 + column, column < texts.count ? texts[column].list : ValueList())
    }

    private var deviceColumn: GatheredFile.Column {
        let all = (0..<devices.count).map { devices[DeviceIndex(offset: $0)] }
        guard let redactor else { return GatheredFile.Column("device", devices: all, keyed: Self.device) }
        var names = ValueList()
        for device in all { names.append(redactor.name(of: device)) }
        return GatheredFile.Column("device", keyed: Self.device, names)
    }
}
