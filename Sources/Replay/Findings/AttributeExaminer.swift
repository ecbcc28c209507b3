internal import PolicyEngine

/// Looks at values of attributes: for the filters of all accounts, for apps, and for which attributes are there.
struct AttributeExaminer {
    /// The fields that it looks at.
    let fields: [ExaminedField]
    // One for each account; none for an account with the filters of the one before it.
    private var filters: [FilteredAttributes]
    private let matcher: PatternMatcher
    // `nil` where apps are not counted.
    private var appNumbering: AppNumbering?
    // By field, the bit of its attribute.
    private let presences: [AttributePresences.Mask]
    private let isPair: Bool

    /// - Parameters:
    ///   - needs: The accounts, and what else is looked for.
    ///   - captureFields: Takes the keys that are needed.
    init(_ needs: RecordNeeds, _ captureFields: inout CaptureFields) {
        precondition(needs.accounts.count <= AccountMatches.limit, "two accounts are compared")
        isPair = needs.accounts.count > 1
        let distinct = isPair && needs.accounts[0].filters == needs.accounts[1].filters ? 1 : needs.accounts.count
        let filters = needs.accounts.map { AttributeFilters($0) }
        let examined = ExaminedFields(filters, namesApps: needs.apps != nil, &captureFields)
        var fields = examined.fields
        // That a value is there is found in each.
        if needs.notesPresences {
            for index in fields.indices { fields[index].effort = fields[index].effort + .little }
        }
        self.fields = fields
        self.filters = zip(filters, examined.filterIndices).prefix(distinct).map { FilteredAttributes($0, indices: $1) }
        matcher = PatternMatcher(deadline: captureFields.deadline)
        appNumbering = needs.apps.map { AppNumbering($0, examined, &captureFields) }
        presences =
            needs.notesPresences
            ? Self.presences(needs.accounts, of: fields, &captureFields) : fields.map { _ in 0 }
    }

    private static func presences(
        _ accounts: [Account], of fields: [ExaminedField], _ captureFields: inout CaptureFields
    ) -> [AttributePresences.Mask] {
        var presences = fields.map { _ in AttributePresences.Mask(0) }
        for (bit, name) in AttributePresences.names(accounts).enumerated() {
            let column = captureFields.column(of: name)
            for index in fields.indices where fields[index].column == column { presences[index] |= 1 << bit }
        }
        return presences
    }

    /// Looks at a value of a field, which is named by its index in ``fields``.
    mutating func examine(_ value: Span<UInt8>, of field: Int) -> ValueFindings {
        var matches = AccountMatches()
        for account in filters.indices {
            matches[account] = filters[account].match(value, of: field, matcher: matcher)
        }
        if isPair, filters.count == 1 { matches[1] = matches[0] }
        return ValueFindings(
            matches, app: appNumbering?.examine(value, of: field) ?? .none, presence: presences[field])
    }

    /// Begins with the records of the next block.
    mutating func beginBlock() { appNumbering?.beginBlock() }

    /// The apps of the block so far that may not have been in an earlier one, in the order of its records.
    var apps: [AppNumbers] { appNumbering?.seen ?? [] }

    /// The numbers of a record's app and app version.
    ///
    /// - Parameters:
    ///   - values: The values that it names them with.
    ///   - row: The record, by its index.
    @inline(__always)
    mutating func app(of values: AppValues, _ row: Int, _ records: borrowing UnexaminedRecords) -> AppNumbers {
        appNumbering?.numbers(of: values, row, records) ?? .none
    }
}

/// The fields that filters look at and apps are known by, each once.
struct ExaminedFields {
    private(set) var fields: [ExaminedField] = []
    /// By account and field: which attribute of its filters it is, if it is one.
    let filterIndices: [[Int?]]

    /// The attributes that name an app and its version.
    static let appKeys = (app: "appid", version: "app-version")

    /// - Parameters:
    ///   - accounts: The filters of each account.
    ///   - namesApps: True if apps are counted.
    ///   - captureFields: Takes the keys that are needed.
    init(_ accounts: [AttributeFilters], namesApps: Bool, _ captureFields: inout CaptureFields) {
        let appKeys = namesApps ? [Self.appKeys.app, Self.appKeys.version] : []
        let columns = (accounts.flatMap(\.keys) + appKeys).map { captureFields.column(of: $0) }
        let distinct = columns.enumerated().filter { columns[..<$0.offset].firstIndex(of: $0.element) == nil }
            .map(\.element)
        let appColumns = Array(columns.suffix(appKeys.count))
        let indices = accounts.map { filters in
            let keyColumns = filters.keys.map { captureFields.column(of: $0) }
            return distinct.map { keyColumns.firstIndex(of: $0) }
        }
        filterIndices = indices
        fields = distinct.enumerated().map { number, column in
            let tests = zip(accounts, indices).compactMap { filters, indices in indices[number].map { (filters, $0) } }
            let isExact = !appColumns.contains(column) && tests.allSatisfy { $0.areExact(at: $1) }
            return ExaminedField(
                column: column,
                effort: isExact
                    ? .onlyIn(tests.flatMap { $0.exactValues(at: $1) })
                    : .searches(tests.reduce(0) { $0 + $1.0.searchCount(at: $1.1) }))
        }
    }
}

/// The filters of one account over the fields of a capture.
struct FilteredAttributes {
    private var filters: AttributeFilters
    // By field: which attribute of the filters it is, if it is one.
    private let indices: [Int?]

    init(_ filters: AttributeFilters, indices: [Int?]) { (self.filters, self.indices) = (filters, indices) }

    /// The matches of the filters for a value.
    @inline(__always)
    mutating func match(_ value: Span<UInt8>, of field: Int, matcher: PatternMatcher) -> AttributeMatches {
        guard let index = indices[field] else { return .none }
        return filters.match(value, at: index, matcher: matcher)
    }
}
