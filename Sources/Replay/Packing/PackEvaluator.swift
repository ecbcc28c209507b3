internal import Columns
internal import Documents
internal import Figures
internal import PolicyEngine

/// Gathers the records in their order, as rows of numbers: in a table for each part of the devices.
struct PackEvaluator: UndecidedEvaluator {
    let undecided: Undecided
    private var parts: [PackedPart]
    // By device; none before one of its records is gathered.
    private var places: [Place] = []
    private let areSplit: Bool
    private var times: ClosedRange<Instant>?
    private var recordCount = 0
    // The current block, of which the parts hold records that are not gathered yet.
    private var rows: NumberedValues?
    private var placed = NumberedValues.Placed()

    // The part of a device, and its key there.
    private struct Place {
        let part: Int32
        let key: Int32

        static let none = Place(part: -1, key: -1)
    }

    /// - Parameters:
    ///   - shards: The number of parts of the devices; `nil` for one file with all.
    ///   - spool: Takes the records until all are read.
    ///   - limits: The limits of batches and dictionaries.
    ///   - symbols: The numbering of devices and flags.
    init(shards: Int?, _ spool: SpoolFile, limits: GatheringLimits, symbols: inout SymbolTable) {
        areSplit = shards != nil
        let table = SpooledTable(
            numberColumns: PackedColumn.record + (areSplit ? 1 : 0), spool: spool, limits: limits)
        parts = Array(repeating: PackedPart(table: table), count: shards ?? 1)
        undecided = Undecided(&symbols)
    }

    mutating func evaluate(_ batch: borrowing Batch, symbols: borrowing SymbolTable) {
        for row in 0..<batch.count { gather(row, batch, symbols: symbols) }
    }

    private mutating func gather(_ row: Int, _ batch: borrowing Batch, symbols: borrowing SymbolTable) {
        let (time, head, device) = (batch.times[row], batch.head(row), batch.devices[row])
        guard let values = batch.numbered(row) else { return }
        if values.rows !== rows {
            gather()
            (rows, placed) = (values.rows, values.rows.placed.withLock { $0 })
        }
        let place = place(of: device, head.id)
        parts[Int(place.part)].pending.append(
            head, row: values.row, device: place.key, placed.place(head.line), batch.indices[row])
        if parts[Int(place.part)].isFull { gather(Int(place.part)) }
        times = times.map { min($0.lowerBound, time)...max($0.upperBound, time) } ?? time...time
        recordCount += 1
    }

    // Devices have their numbers in the order of their first records that are gathered.
    private mutating func place(of device: DeviceIndex, _ id: DeviceID) -> Place {
        while places.count <= device.offset { places.append(.none) }
        let known = places[device.offset]
        if known.key >= 0 { return known }
        let part = areSplit ? DeviceShard.offset(of: id, count: parts.count) : 0
        let place = Place(part: Int32(part), key: Int32(parts[part].devices.count))
        places[device.offset] = place
        parts[part].devices.append(id)
        return place
    }

    private mutating func gather() { for part in parts.indices { gather(part) } }

    private mutating func gather(_ part: Int) {
        guard let rows else { return }
        parts[part].gather(rows.values, placed.numbers, areSplit: areSplit)
    }

    func result(symbols: SymbolTable, fetches: FetchCounter?) -> PackResult {
        var gathered = self
        gathered.gather()
        var figures = Figures()
        figures.attestations = recordCount
        let flags = symbols.catalogue.flags.dropFirst(FlagCatalogue().flags.count).map(\.name)
        return PackResult(figures: figures, parts: gathered.parts, times: times, flags: flags)
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
    private(set) var table: SpooledTable
    /// The devices by the keys of their column.
    var devices: [DeviceID] = []
    /// Records of one block, which are gathered together.
    var pending = PendingRecords()

    init(table: SpooledTable) { self.table = table }

    /// True if a batch ends with the pending records.
    var isFull: Bool { table.isFull(with: pending.rows.count, bytes: pending.byteCount) }

    /// Gathers the pending records, column by column.
    ///
    /// - Parameters:
    ///   - values: The values of the block.
    ///   - numbers: Their numbers.
    ///   - areSplit: True if the table has the numbers of the records.
    mutating func gather(_ values: NumberedValues.Values, _ numbers: [Int32], areSplit: Bool) {
        guard !pending.rows.isEmpty else { return }
        table.append(keys: pending.devices, to: PackedColumn.device)
        table.append(keys: pending.captures, to: PackedColumn.capture)
        var keys: [Int32] = []
        for column in 0..<values.width {
            let first = column * values.rowCount
            if values.hasNumbers[column] {
                keys.removeAll(keepingCapacity: true)
                for row in pending.rows { keys.append(numbers[first + row]) }
                table.append(keys: keys, to: PackedColumn.first + column)
            } else {
                let texts = pending.rows.map { row in
                    numbers[first + row] < -1 ? values.text(of: column, number: numbers[first + row]) : nil
                }
                table.append(texts: texts, to: PackedColumn.first + column)
            }
        }
        table.append(numbers: pending.times, to: PackedColumn.time)
        table.append(numbers: pending.lines, to: PackedColumn.line)
        if areSplit { table.append(numbers: pending.indices, to: PackedColumn.record) }
        table.endRows(pending.rows.count, bytes: pending.byteCount)
        pending.clear()
    }

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

/// Records of one block that are in the same part, by columns.
struct PendingRecords: Sendable {
    /// Their indices in the block.
    private(set) var rows: [Int] = []
    /// The keys of their devices and of their captures.
    private(set) var devices: [Int32] = []
    private(set) var captures: [Int32] = []
    /// Their times and lines, and their numbers among all records.
    private(set) var times: [Int64] = []
    private(set) var lines: [Int64] = []
    private(set) var indices: [Int64] = []
    /// The bytes of all of them.
    private(set) var byteCount = 0

    mutating func append(
        _ head: RecordHead, row: Int32, device: Int32, _ place: (capture: Int, line: Int?), _ index: Int
    ) {
        rows.append(Int(row))
        devices.append(device)
        captures.append(Int32(place.capture))
        times.append(Int64(head.time.secondsSinceEpoch))
        lines.append(place.line.map { Int64($0) } ?? Column.absentNumber)
        indices.append(Int64(index))
        byteCount += head.range.count
    }

    mutating func clear() {
        rows.removeAll(keepingCapacity: true)
        devices.removeAll(keepingCapacity: true)
        captures.removeAll(keepingCapacity: true)
        times.removeAll(keepingCapacity: true)
        lines.removeAll(keepingCapacity: true)
        indices.removeAll(keepingCapacity: true)
        byteCount = 0
    }
}
