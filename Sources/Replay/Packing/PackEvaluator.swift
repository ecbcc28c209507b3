internal import Columns
internal import Documents
internal import Figures
internal import PolicyEngine

/// Gathers the records in their order, as rows of numbers: in a table for each part of the devices.
struct PackEvaluator: RecordEvaluator {
    // Nothing is decided, but a decision is what an evaluator returns.
    let engine: Engine
    private let decision: Decision
    private let choice: RecordChoice
    private var parts: [PackedPart]
    // By device: its part, and its number there; `nil` where none of its records was gathered yet.
    private var places: [(part: Int, key: Int32)?] = []
    private let areSplit: Bool
    private var times: ClosedRange<Instant>?
    private var recordCount = 0
    // Of the current block.
    private var rows: NumberedRows?
    private var placed = NumberedRows.Placed()

    /// - Parameters:
    ///   - shards: The number of parts of the devices; `nil` for one file with all.
    ///   - spool: Takes the records until all are read.
    ///   - limits: The limits of batches and dictionaries.
    ///   - choice: The records that are gathered.
    ///   - symbols: The numbering of devices and flags.
    init(
        shards: Int?, _ spool: SpoolFile, limits: GatheringLimits, _ choice: RecordChoice, symbols: inout SymbolTable
    ) {
        (self.choice, areSplit) = (choice, shards != nil)
        let table = SpooledTable(
            numberColumns: PackedColumn.record + (areSplit ? 1 : 0), spool: spool, limits: limits)
        parts = Array(repeating: PackedPart(table: table), count: shards ?? 1)
        var engine = Engine(account: Account(), symbols: &symbols)
        let attestation = Attestation(time: Instant(secondsSinceEpoch: 0), device: DeviceIndex(offset: 0))
        decision = engine.attest(attestation, matches: .none, symbols: symbols)
        self.engine = engine
    }

    mutating func evaluate(
        _ attestation: borrowing Attestation, of record: borrowing ParsedRecord<PackMatcher.Matches>, index: Int,
        symbols: borrowing SymbolTable
    ) -> Decision {
        guard choice.includes(attestation.time) else { return decision }
        if let devices = choice.devices, !devices.contains(symbols.devices[attestation.device]) { return decision }
        let current = record.matches.rows
        if current !== rows { (rows, placed) = (current, current.placed.withLock { $0 }) }
        let place = place(of: attestation.device, record.head.id)
        let number = areSplit ? index : nil
        Self.gather(record, place.key, number, current, placed, into: &parts[place.part].table)
        times =
            times.map { min($0.lowerBound, attestation.time)...max($0.upperBound, attestation.time) }
            ?? attestation.time...attestation.time
        recordCount += 1
        return decision
    }

    // Devices have their numbers in the order of their first records that are gathered.
    private mutating func place(of device: DeviceIndex, _ id: DeviceID) -> (part: Int, key: Int32) {
        while places.count <= device.offset { places.append(nil) }
        if let known = places[device.offset] { return known }
        let part = areSplit ? DeviceShard.offset(of: id, count: parts.count) : 0
        let place = (part, Int32(parts[part].devices.count))
        places[device.offset] = place
        parts[part].devices.append(id)
        return place
    }

    // Not of an instance: a copy of it would hold the tables a second time, so that each row would copy a table.
    private static func gather(
        _ record: borrowing ParsedRecord<PackMatcher.Matches>, _ device: Int32, _ number: Int?,
        _ current: NumberedRows, _ placed: NumberedRows.Placed, into table: inout SpooledTable
    ) {
        let (row, count) = (Int(record.matches.row), current.values.rowCount)
        table.append(key: device, to: PackedColumn.device)
        let place = placed.place(record.head.line)
        table.append(key: Int32(place.capture), to: PackedColumn.capture)
        let numbers = placed.numbers
        var column = 0
        for place in stride(from: row, to: numbers.count, by: max(1, count)) {
            let value = numbers[place]
            if value >= 0 {
                table.append(key: value, to: PackedColumn.first + column)
            } else if value < -1 {
                table.append(text: current.values.text(of: column, number: value), to: PackedColumn.first + column)
            }
            column += 1
        }
        table.append(number: record.head.time.secondsSinceEpoch, to: PackedColumn.time)
        table.append(number: place.line ?? Int(Column.absentNumber), to: PackedColumn.line)
        if let number { table.append(number: number, to: PackedColumn.record) }
        table.endRow(bytes: record.head.range.count)
    }

    func result(symbols: SymbolTable, fetches: FetchCounter?) -> PackResult {
        var figures = Figures()
        figures.attestations = recordCount
        let flags = symbols.catalogue.flags.dropFirst(FlagCatalogue().flags.count).map(\.name)
        return PackResult(figures: figures, parts: parts, times: times, flags: flags)
    }
}

/// The columns of a packed capture by their index in a ``GatheredTable``.
enum PackedColumn {
    // Of keys.
    static let device = 0
    static let capture = 1
    /// The column of the first key of records.
    static let first = 2
    // Of numbers.
    static let time = 0
    static let line = 1
    /// The last one, of split captures only.
    static let record = 2
}

/// The records that were gathered; there is one evaluator, and so nothing to add.
struct PackResult: ReplayResult {
    var figures: Figures
    /// The records of each part of the devices.
    let parts: [PackedPart]
    /// The time span of the records; `nil` if there is none.
    let times: ClosedRange<Instant>?
    /// The flags that are not built in, in the order of first sight.
    let flags: [String]

    mutating func add(_ other: PackResult) { preconditionFailure("one evaluator takes all records") }
}

/// The records of some devices, in their order.
struct PackedPart: Sendable {
    var table: SpooledTable
    /// The devices by the keys of their column.
    var devices: [DeviceID] = []

    /// The columns of the file, in their order.
    ///
    /// - Parameters:
    ///   - dictionaries: The values of the keys.
    ///   - areSplit: True if the file says which records these are among all.
    func columns(by dictionaries: PackedDictionaries, areSplit: Bool) -> [GatheredFile.Column] {
        typealias Column = GatheredFile.Column
        var columns = [
            Column("time", .time(.seconds, zone: "UTC"), number: PackedColumn.time),
            Column("device-id", devices: devices, keyed: PackedColumn.device),
        ]
        for (name, column, values, areFew) in dictionaries.keys {
            columns.append(
                Column(name, keyed: PackedColumn.first + column, values, hasKeys: areFew, isKept: false))
        }
        let number = ColumnType.integer(bits: 64, isSigned: true)
        columns.append(Column(ColumnNames.originLine, number, number: PackedColumn.line))
        if areSplit { columns.append(Column(ColumnNames.originRecord, number, number: PackedColumn.record)) }
        var paths = ValueList()
        for path in dictionaries.captures { paths.append(path) }
        return columns + [Column(ColumnNames.originCapture, keyed: PackedColumn.capture, paths)]
    }
}
