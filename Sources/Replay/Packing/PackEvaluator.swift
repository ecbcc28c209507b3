internal import Columns
internal import Documents
internal import Figures
internal import PolicyEngine

/// Gathers the records in their order, as rows of numbers.
struct PackEvaluator: RecordEvaluator {
    // Nothing is decided, but a decision is what an evaluator returns.
    let engine: Engine
    private let decision: Decision
    private let choice: RecordChoice
    private var table: SpooledTable
    private var times: ClosedRange<Instant>?
    private var recordCount = 0
    // Of the current block.
    private var rows: NumberedRows?
    private var placed = NumberedRows.Placed()

    init(_ spool: SpoolFile, limits: GatheringLimits, _ choice: RecordChoice, symbols: inout SymbolTable) {
        self.choice = choice
        table = SpooledTable(numberColumns: PackedColumn.numbers, spool: spool, limits: limits)
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
        let (row, count) = (Int(record.matches.row), current.values.rowCount)
        table.append(key: Int32(attestation.device.offset), to: PackedColumn.device)
        let place = placed.place(record.head.line)
        table.append(key: Int32(place.capture), to: PackedColumn.capture)
        let numbers = placed.numbers
        var column = 0
        for index in stride(from: row, to: numbers.count, by: max(1, count)) {
            let number = numbers[index]
            if number >= 0 {
                table.append(key: number, to: PackedColumn.first + column)
            } else if number < -1 {
                table.append(text: current.values.text(of: column, number: number), to: PackedColumn.first + column)
            }
            column += 1
        }
        let time = attestation.time
        table.append(number: time.secondsSinceEpoch, to: PackedColumn.time)
        table.append(number: place.line ?? Int(Column.absentNumber), to: PackedColumn.line)
        table.endRow(bytes: record.head.range.count)
        times = times.map { min($0.lowerBound, time)...max($0.upperBound, time) } ?? time...time
        recordCount += 1
        return decision
    }

    func result(symbols: SymbolTable, fetches: FetchCounter?) -> PackResult {
        var figures = Figures()
        figures.attestations = recordCount
        let devices = (0..<symbols.devices.count).map { symbols.devices[DeviceIndex(offset: $0)] }
        return PackResult(figures: figures, table: table, devices: devices, times: times)
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
    static let numbers = 2
}

/// The records that were gathered; there is one evaluator, and so nothing to add.
struct PackResult: ReplayResult {
    var figures: Figures
    let table: SpooledTable
    /// The devices by the keys of their column.
    let devices: [DeviceID]
    /// The time span of the records; `nil` if there is none.
    let times: ClosedRange<Instant>?

    /// The columns of the file, in their order.
    func columns(by dictionaries: PackedDictionaries) -> [GatheredFile.Column] {
        typealias Column = GatheredFile.Column
        var columns = [
            Column("time", .time(.seconds, zone: "UTC"), number: PackedColumn.time),
            Column("device-id", devices: devices, keyed: PackedColumn.device),
        ]
        for (name, column, values, areFew) in dictionaries.keys {
            columns.append(
                Column(name, keyed: PackedColumn.first + column, values, hasKeys: areFew, isKept: false))
        }
        columns.append(Column(ColumnNames.originLine, .integer(bits: 64, isSigned: true), number: PackedColumn.line))
        var paths = ValueList()
        for path in dictionaries.captures { paths.append(path) }
        return columns + [Column(ColumnNames.originCapture, keyed: PackedColumn.capture, paths)]
    }

    mutating func add(_ other: PackResult) { preconditionFailure("one evaluator takes all records") }
}
