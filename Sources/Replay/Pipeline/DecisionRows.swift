internal import PolicyEngine

/// Decisions of one shard as rows of numbers, on their way to a file of columns.
struct DecisionRows: Sendable {
    /// The records that the decisions are on.
    private(set) var records: [Record] = []
    // Row by row: the texts by the numbers of the shard, -1 for an absent one.
    private var texts: [Int32] = []
    // Row by row: lifetime and expiry of each side.
    private var numbers: [Int] = []
    /// The texts that the shard did not write before, with their columns, in the order of their numbers.
    private(set) var newTexts: [(column: Int, text: [UInt8])] = []

    struct Record: Sendable {
        let index: Int
        let time: Instant
        let device: DeviceID
    }

    mutating func clear() {
        records.removeAll(keepingCapacity: true)
        texts.removeAll(keepingCapacity: true)
        numbers.removeAll(keepingCapacity: true)
        newTexts.removeAll(keepingCapacity: true)
    }

    mutating func begin(_ record: Record) { records.append(record) }
    mutating func append(text number: Int32) { texts.append(number) }
    mutating func append(number: Int) { numbers.append(number) }
    mutating func add(_ text: [UInt8], to column: Int) { newTexts.append((column, text)) }

    /// The texts of a row.
    func texts(of row: Int) -> ArraySlice<Int32> {
        let width = texts.count / records.count
        return texts[row * width..<(row + 1) * width]
    }

    /// The numbers of a row.
    func numbers(of row: Int) -> ArraySlice<Int> {
        let width = numbers.count / records.count
        return numbers[row * width..<(row + 1) * width]
    }
}

/// A decision, and what its numbers mean.
struct MeantDecision {
    let decision: Decision
    let engine: Engine
    let catalogue: FlagCatalogue
}

/// Makes rows of decisions; each distinct text is made once.
struct DecisionNumbering {
    private let redactor: Redactor?
    private let keys: [String]
    private var sides: [Side] = []
    private var attributes: [TextNumbers]

    /// The texts of a decision, in the order of their columns.
    enum Text: Int, CaseIterable { case verdict, policy, rejections, flags, annotations, filters, arc }

    private struct Side {
        var codes = ResponseCodeCache()
        var texts = Text.allCases.map { _ in TextNumbers() }
        var known = Text.allCases.map { _ in [Cause: Int32]() }
    }

    // The parts of a decision from which a text follows.
    private struct Cause: Hashable {
        var flags = FlagSet.empty
        var filters: FilterSet?
        var revision = 0
        var detail = 0
    }

    private static let capacity = 65_536

    /// - Parameters:
    ///   - redactor: The redactor that hides devices and values; `nil` shows them.
    ///   - keys: The attributes of records that are written, too.
    init(redactor: Redactor?, keys: [String]) {
        (self.redactor, self.keys) = (redactor, keys)
        attributes = keys.map { _ in TextNumbers() }
    }

    /// Adds the decisions on a record.
    ///
    /// - Parameters:
    ///   - decisions: Those of each side.
    ///   - carried: The values of the record that are carried along, those of the attributes first.
    mutating func add(
        _ decisions: [MeantDecision], on record: DecisionRows.Record, carried: CarriedValues?,
        to rows: inout DecisionRows
    ) {
        rows.begin(record)
        while sides.count < decisions.count { sides.append(Side()) }
        for (side, meant) in decisions.enumerated() { add(meant, side: side, to: &rows) }
        let first = decisions.count * Text.allCases.count
        for (index, key) in keys.enumerated() {
            var text = carried?.withValue(of: index) { bytes, range in
                var value: [UInt8] = []
                bytes.append(range, to: &value)
                return value
            }
            if let redactor, let shown = text {
                text = Array(redactor.value(String(decoding: shown, as: UTF8.self), of: key).utf8)
            }
            rows.append(text: text.map { Self.number($0, &attributes[index], column: first + index, &rows) } ?? -1)
        }
    }

    private mutating func add(_ meant: MeantDecision, side: Int, to rows: inout DecisionRows) {
        let (decision, engine, catalogue) = (meant.decision, meant.engine, meant.catalogue)
        let revision = decision.revision
        add(.verdict, side, Cause(detail: decision.passed ? 1 : 0), to: &rows) { [decision.passed ? "pass" : "fail"] }
        add(.policy, side, Cause(revision: revision, detail: decision.policy.offset), to: &rows) {
            [engine.policy(of: decision).description]
        }
        let cause = Cause(
            flags: decision.rejectingFlags, filters: decision.rejectingFilters,
            revision: revision, detail: decision.isBlacklisted ? 1 : 0)
        add(.rejections, side, cause, to: &rows) { engine.rejections(of: decision, catalogue: catalogue) }
        add(.flags, side, Cause(flags: decision.flags), to: &rows) { catalogue.names(of: decision.flags) }
        if let annotations = decision.annotations {
            add(.annotations, side, Cause(flags: annotations), to: &rows) { catalogue.annotationNames(of: annotations) }
        } else {
            rows.append(text: -1)
        }
        add(.filters, side, Cause(filters: decision.filters, revision: revision), to: &rows) {
            engine.filterNames(decision.filters, of: decision)
        }
        if let code = sides[side].codes.code(of: decision, engine: engine) {
            rows.append(text: number(.arc, side, code, &rows))
        } else {
            rows.append(text: -1)
        }
        rows.append(number: decision.lifetime)
        rows.append(number: decision.expires.secondsSinceEpoch)
    }

    private mutating func add(
        _ text: Text, _ side: Int, _ cause: Cause, to rows: inout DecisionRows, _ names: () -> [String]
    ) {
        if let known = sides[side].known[text.rawValue][cause] { return rows.append(text: known) }
        let shown = names().map { redactor?.text($0) ?? $0 }
        let number = number(text, side, shown.joined(separator: ","), &rows)
        if sides[side].known[text.rawValue].count >= Self.capacity { sides[side].known[text.rawValue] = [:] }
        sides[side].known[text.rawValue][cause] = number
        rows.append(text: number)
    }

    private mutating func number(_ text: Text, _ side: Int, _ shown: String, _ rows: inout DecisionRows) -> Int32 {
        let column = side * Text.allCases.count + text.rawValue
        return Self.number(Array(shown.utf8), &sides[side].texts[text.rawValue], column: column, &rows)
    }

    private static func number(
        _ text: [UInt8], _ numbers: inout TextNumbers, column: Int, _ rows: inout DecisionRows
    ) -> Int32 {
        let count = numbers.count
        let number = numbers.number(of: text)
        if numbers.count > count { rows.add(text, to: column) }
        return number
    }
}
