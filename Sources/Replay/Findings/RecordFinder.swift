internal import PolicyEngine

/// Finds in the records of blocks what a replay needs of them, wherever and whenever they are read; one for each worker.
struct RecordFinder {
    private var attributes: AttributeExaminer
    private var attributeFinder: FieldFinder<ValueFindings>
    // By account.
    private var removals: [RemovalMatcher?]
    // `nil` where no attribute is assumed to have another value.
    private var assumed: AssumedMatcher?
    // `nil` where nothing is noted for profiles.
    private var keyed: (values: KeyedValues, finder: FieldFinder<KeyedNumbers>)?
    // `nil` where nothing is packed.
    private var numbering: RecordNumbering?
    private let carriedColumns: [Int]
    private var carrying: DeviceSelector
    // The findings in the attributes of each current record, in which apps have no numbers yet.
    private var inAttributes: [ValueFindings] = []

    /// - Parameters:
    ///   - needs: What is needed.
    ///   - fields: Takes the keys of it, and has the means to look at their values.
    init(_ needs: RecordNeeds, _ fields: inout CaptureFields) {
        attributes = AttributeExaminer(needs, &fields)
        removals = needs.accounts.map { RemovalMatcher($0, &fields) }
        assumed = AssumedMatcher(needs, &fields)
        let keyed = needs.profile.map { KeyedValues($0, &fields) }
        numbering = needs.packed.map { RecordNumbering($0, fields: &fields) }
        carriedColumns = needs.carriedKeys.map { fields.column(of: $0) }
        carrying = DeviceSelector(needs.carryingDevices)
        let instructions = fields.instructions
        attributeFinder = FieldFinder(attributes.fields, instructions: instructions)
        self.keyed = keyed.map { ($0, FieldFinder($0.fields, instructions: instructions)) }
    }

    /// The columns that are looked at for each record, where equal values mean the same.
    var examinedColumns: [Int] {
        let columns = attributeFinder.columns + (keyed?.finder.columns ?? []) + (numbering?.examinedColumns ?? [])
        return columns.enumerated().filter { columns[..<$0.offset].firstIndex(of: $0.element) == nil }.map(\.element)
    }

    /// The apps of the records of the latest block, in their order, as far as they may not have been in an earlier one.
    var apps: [AppNumbers] { attributes.apps }

    /// Finds what is needed in some records.
    ///
    /// - Parameters:
    ///   - records: The records.
    ///   - findings: Takes what is found, in their order.
    mutating func find(_ records: borrowing UnexaminedRecords, into findings: inout FoundColumns) {
        findings.removeAll()
        Self.find(records, with: &attributeFinder, by: &attributes, into: &inAttributes)
        attributes.beginBlock()
        findings.records.reserveCapacity(inAttributes.count)
        for (row, found) in inAttributes.enumerated() {
            findings.records.append(
                RecordFindings(
                    matches: found.matches, app: attributes.app(of: found.app, row, records),
                    presence: found.presence))
        }
        for account in removals.indices where removals[account] != nil { noteRemovals(account, records, &findings) }
        assumed?.match(records, into: &findings.records)
        if keyed != nil { number(records, into: &findings.keyed) }
        if let rows = numbering?.number(records) { findings.numbered = rows }
        if !carriedColumns.isEmpty { carry(records, into: &findings.carried) }
    }

    // The examiner is no part of the finder, so that both can be used at once.
    private static func find(
        _ records: borrowing UnexaminedRecords, with finder: inout FieldFinder<ValueFindings>,
        by examiner: inout AttributeExaminer, into found: inout [ValueFindings]
    ) {
        finder.find(records.rows, records.groups, records.dictionaries.attributes, into: &found) {
            examiner.examine($0, of: $1)
        }
    }

    private mutating func noteRemovals(
        _ account: Int, _ records: borrowing UnexaminedRecords, _ findings: inout FoundColumns
    ) {
        for row in findings.records.indices where removals[account]?.isRemoved(row, records) == true {
            findings.records[row].matches[account] = findings.records[row].matches[account].removed(true)
        }
    }

    private mutating func number(_ records: borrowing UnexaminedRecords, into numbers: inout [KeyedNumbers]) {
        guard var keyed = keyed.take() else { return }
        defer { self.keyed = keyed }
        keyed.finder.find(records.rows, records.groups, records.dictionaries.keyed, into: &numbers) {
            keyed.values.examine($0, of: $1)
        }
        for row in numbers.indices { keyed.values.addTime(records.heads[row].time, to: &numbers[row]) }
    }

    private mutating func carry(_ records: borrowing UnexaminedRecords, into carried: inout [CarriedValues?]) {
        var rows: [Int] = []
        for row in records.heads.indices where carrying.includes(records.heads[row].id) { rows.append(row) }
        let columns = CarriedColumns(records, at: rows, columns: carriedColumns)
        carried.append(contentsOf: repeatElement(nil, count: records.heads.count))
        for (number, row) in rows.enumerated() { carried[row] = CarriedValues(columns, row: number) }
    }
}

extension CaptureFields {
    /// The keys of what is looked for in records.
    init(_ needs: RecordNeeds) {
        self.init()
        _ = RecordFinder(needs, &self)
    }
}

/// The findings in the records of a block, by columns.
struct FoundColumns: Sendable {
    /// The findings in attributes.
    var records: [RecordFindings] = []
    /// The values of keys; empty where none are numbered.
    var keyed: [KeyedNumbers] = []
    /// The values that are carried along; empty where none are, and `nil` for a device whose are not.
    var carried: [CarriedValues?] = []
    /// All values by numbers; `nil` where nothing is packed.
    var numbered: NumberedValues?

    /// Forgets the findings, and keeps the memory.
    mutating func removeAll() {
        records.removeAll(keepingCapacity: true)
        keyed.removeAll(keepingCapacity: true)
        carried.removeAll(keepingCapacity: true)
        numbered = nil
    }
}
