internal import Columns
internal import Documents
internal import Figures
internal import PolicyEngine

extension ReplayPlan {
    /// A replay that packs the records, all together or those of each part of the devices, and evaluates none.
    ///
    /// - Parameters:
    ///   - ordering: Numbers the values.
    ///   - spool: Takes the records until all are read.
    ///   - limits: The limits of batches and dictionaries.
    ///   - shards: The number of parts of the devices; `nil` for one file with all.
    static func packing(
        _ ordering: PackOrdering, spool: SpoolFile, limits: GatheringLimits, shards: Int? = nil
    ) -> ReplayPlan {
        let limits = limits.shared(by: shards ?? 1)
        return ReplayPlan(needs: RecordNeeds(packed: ordering.keys), ordering: ordering) { symbols in
            PackEvaluator(shards: shards, spool, limits: limits, symbols: &symbols)
        }
    }
}

/// Gives the values of records that are packed the numbers of all workers, and notes what split captures have to say.
final class PackOrdering: BlockOrdering {
    /// The keys so far.
    let keys = PackedKeys()
    private let order: Lock<PackOrder>
    // Kept if captures are split.
    private let extents: Lock<SplitExtents>?

    /// - Parameters:
    ///   - limits: The limits of batches and dictionaries.
    ///   - captures: The captures that are split; `nil` if they are not.
    init(_ limits: GatheringLimits, splitting captures: [SplitOrigin.Capture]? = nil) {
        order = Lock(PackOrder(limits))
        extents = captures.map { Lock(SplitExtents($0)) }
    }

    func adopt(keys: [String]) { self.keys.add(keys) }

    func place(_ slot: ReplaySlot) throws(ReplayFailure) {
        if let name = keys.refusal { throw .refused(Self.refusal(of: name, in: slot.path)) }
        order.withLock { $0.place(slot, keys) }
        extents?.withLock { $0.add(slot) }
    }

    /// The captures that were split, as far as they were read.
    var origin: SplitOrigin { extents?.withLock { $0.origin } ?? SplitOrigin() }

    private static func refusal(of name: String, in path: String) -> Diagnostic {
        let shown = String(name.unicodeScalars.prefix(60))
        return Diagnostic(
            file: path, message: "the key \(shown.quoted) cannot be the name of a column",
            hint: "a packed capture has at most \(ColumnLimits.columns) columns, names of at most "
                + "\(ColumnLimits.nameBytes) bytes, and `origin-line`, `origin-capture` and `origin-record` for "
                + "itself")
    }

    /// The dictionaries of the keys in the order of the file, and the paths of the captures; both are handed over once.
    func takeDictionaries() -> PackedDictionaries {
        let (names, texts) = (keys.names, keys.texts)
        return order.withLock { order in
            PackedDictionaries(
                keys: PackedKeys.inOrder(names).map { (names[$0], $0, order.takeDictionary($0), !texts.contains($0)) },
                captures: order.captures)
        }
    }
}

/// The dictionaries of a packed capture.
struct PackedDictionaries {
    /// The keys of records, with their columns, their values, and whether these are few enough for a dictionary.
    let keys: [(name: String, column: Int, values: ValueList, areFew: Bool)]
    /// The paths of the captures.
    let captures: [String]
}

/// Gives values the numbers of all workers, in the order of the records.
struct PackOrder {
    /// The captures so far.
    private var numbers = Numbering<ExactText>()
    var captures: [String] { numbers.keys.map(\.text) }
    // The capture that is being read, and the lines of it before the block.
    private var current = 0
    private var lines = 0
    private var dictionaries: [TextNumbers] = []
    private var workerCount = 0
    private let limits: GatheringLimits

    init(_ limits: GatheringLimits) { self.limits = limits }

    mutating func place(_ slot: ReplaySlot, _ keys: PackedKeys) {
        if slot.startsCapture || numbers.count == 0 {
            current = numbers.number(of: ExactText(slot.path))
            lines = 0
        }
        defer { lines += slot.parsed.lineCount }
        guard let rows = slot.parsed.numbered else { return }
        var placed = NumberedValues.Placed(numbers: rows.values.numbers, capture: current, lines: lines)
        if let columns = slot.columns { placed.places = places(columns) }
        rows.translation.state.withLock { state in
            let worker = state.worker ?? workerCount
            if state.worker == nil { workerCount += 1 }
            state.worker = worker
            for column in 0..<rows.values.width {
                translate(column, of: rows.values, from: worker, &state.numbers, &placed.numbers, keys)
            }
        }
        let result = placed
        rows.placed.withLock { $0 = result }
    }

    private mutating func places(_ columns: ColumnBlock) -> [(capture: Int, line: Int?)] {
        columns.places(ofLines: 1...columns.rows.count).map { (numbers.number(of: ExactText($0.path)), $0.line) }
    }

    private mutating func translate(
        _ column: Int, of values: NumberedValues.Values, from worker: Int, _ translation: inout [[Int32]],
        _ numbers: inout [Int32], _ keys: PackedKeys
    ) {
        while translation.count <= column { translation.append([]) }
        while dictionaries.count <= column { dictionaries.append(TextNumbers()) }
        guard values.hasNumbers[column] else { return }
        for value in values.ranges(of: column) {
            translation[column].append(dictionaries[column].number(of: values.bytes.span, value, from: worker))
        }
        if dictionaries[column].count > limits.values || dictionaries[column].list.byteCount > limits.valueBytes {
            keys.noteText(column)
        }
        if dictionaries[column].areOnly(from: worker) { return }
        let known = translation[column]
        var all = numbers.mutableSpan
        for index in column * values.rowCount..<(column + 1) * values.rowCount where all[index] >= 0 {
            all[index] = known[Int(all[index])]
        }
    }

    /// The values of a dictionary, which is forgotten.
    mutating func takeDictionary(_ column: Int) -> ValueList {
        guard column < dictionaries.count else { return ValueList() }
        defer { dictionaries[column] = TextNumbers() }
        return dictionaries[column].list
    }
}

/// Notes of the captures that are split what whoever replays a part has to know of the whole.
struct SplitExtents {
    private(set) var origin = SplitOrigin()
    // The number of captures that were begun.
    private var begun = 0

    /// - Parameter captures: The captures, of which nothing was read yet.
    init(_ captures: [SplitOrigin.Capture]) { origin.captures = captures }

    /// Takes a block in the order of the records.
    mutating func add(_ slot: ReplaySlot) {
        if slot.startsCapture { begun += 1 }
        let index = max(0, begun - 1)
        let (lines, columns, path) = (origin.captures[index].lines, slot.columns, slot.path)
        let place = { (line: Int) in
            columns?.place(ofLine: line) ?? RecordPlace(path: path, line: line + lines)
        }
        for record in slot.parsed.malformed.prefix(max(0, ProblemLog.limit - origin.problems.count)) {
            let place = place(record.problem.line)
            origin.problems.append(
                SplitOrigin.Problem {
                    ($0.file, $0.line, $0.hint) = (place.path, place.line, record.problem.hint)
                    $0.message = place.message(record.problem.message)
                })
        }
        origin.captures[index].add(slot, place)
    }
}

extension SplitOrigin.Capture {
    fileprivate mutating func add(_ slot: ReplaySlot, _ place: (Int) -> RecordPlace) {
        let parsed = slot.parsed
        records += parsed.records.count
        malformed += parsed.malformed.count
        lines += parsed.lineCount
        if first == nil, let head = parsed.records.first?.head {
            (first, firstLine) = (head.time, place(head.line).line)
        }
        latest = parsed.records.last?.head.time ?? latest
        if slot.block.isLast, slot.format == .info, slot.block.lacksFinalNewline { isCut = true }
    }
}
