internal import PolicyEngine

/// Looks at the attributes of records for one account.
typealias AccountMatcher = ExaminingMatcher<AccountExaminer>

extension AccountMatcher {
    /// - Parameters:
    ///   - account: The account.
    ///   - apps: The apps of the capture.
    ///   - fields: Takes the keys that are needed.
    init(_ account: Account, apps: AppRegistry, fields: inout CaptureFields) {
        let examiner = AccountExaminer(account, apps, &fields)
        self.init(examiner, fields)
    }
}

/// Finds what the filters of one account match, and apps.
struct AccountExaminer: RecordExaminer {
    let fields: [ExaminedField]
    private var appNumbering: AppNumbering
    private var attributes: FilteredAttributes
    private var removal: RemovalMatcher?
    private let matcher: PatternMatcher

    /// The findings in the attributes of a record.
    struct Matches: RecordMatches {
        var attributes: AttributeMatches
        var app: AppNumbers

        subscript(account: Int) -> AttributeMatches {
            get { attributes }
            set { attributes = newValue }
        }
    }

    /// The findings in values.
    struct Found: Finding {
        fileprivate var attributes: AttributeMatches
        fileprivate var app: AppValues

        static var nothing: Found { Found(attributes: .none, app: .none) }

        mutating func formUnion(_ other: Found) {
            attributes = attributes.union(other.attributes)
            app.formUnion(other.app)
        }
    }

    /// - Parameters:
    ///   - account: The account.
    ///   - registry: The apps of the capture.
    ///   - captureFields: Takes the keys that are needed.
    init(_ account: Account, _ registry: AppRegistry, _ captureFields: inout CaptureFields) {
        let filters = AttributeFilters(account)
        let examined = ExaminedFields([filters], &captureFields)
        fields = examined.fields
        matcher = PatternMatcher(deadline: captureFields.deadline)
        attributes = FilteredAttributes(filters, indices: examined.filterIndices[0])
        appNumbering = AppNumbering(registry, examined)
        removal = RemovalMatcher(account, &captureFields)
    }

    var apps: [AppNumbers] { appNumbering.seen }

    mutating func examine(_ value: Span<UInt8>, of field: Int) -> Found {
        Found(
            attributes: attributes.match(value, of: field, matcher: matcher),
            app: appNumbering.examine(value, of: field))
    }

    mutating func match(_ found: [Found], in batch: borrowing RecordBatch, into matches: inout [Matches]) {
        appNumbering.beginBlock()
        matches.reserveCapacity(found.count)
        for (row, one) in found.enumerated() {
            let isRemoved = removal != nil && removal?.isRemoved(row, batch) == true
            matches.append(
                Matches(
                    attributes: isRemoved ? one.attributes.removed(true) : one.attributes,
                    app: appNumbering.numbers(of: one.app, row, batch)))
        }
    }
}

/// The fields that filters look at and apps are known by, each once.
struct ExaminedFields {
    private(set) var fields: [ExaminedField] = []
    /// By account and field: which attribute of its filters it is, if it is one.
    private(set) var filterIndices: [[Int?]]
    /// The fields that name an app and its version, by their indices.
    let app: Int
    let version: Int

    /// - Parameters:
    ///   - accounts: The filters of each account.
    ///   - captureFields: Takes the keys that are needed.
    init(_ accounts: [AttributeFilters], _ captureFields: inout CaptureFields) {
        let columns = (accounts.flatMap(\.keys) + ["appid", "app-version"]).map { captureFields.column(of: $0) }
        let distinct = columns.enumerated().filter { columns[..<$0.offset].firstIndex(of: $0.element) == nil }
            .map(\.element)
        let (appColumn, versionColumn) = (columns[columns.count - 2], columns[columns.count - 1])
        let indices = accounts.map { filters in
            let keyColumns = filters.keys.map { captureFields.column(of: $0) }
            return distinct.map { keyColumns.firstIndex(of: $0) }
        }
        filterIndices = indices
        fields = distinct.enumerated().map { number, column in
            let tests = zip(accounts, indices).compactMap { filters, indices in indices[number].map { (filters, $0) } }
            let isExact = tests.allSatisfy { $0.areExact(at: $1) } && column != appColumn && column != versionColumn
            // Readers number apps and versions each in its own way.
            return ExaminedField(
                column: column,
                effort: isExact
                    ? .onlyIn(tests.flatMap { $0.exactValues(at: $1) })
                    : .searches(tests.reduce(0) { $0 + $1.0.searchCount(at: $1.1) }),
                isSameForAll: column != appColumn && column != versionColumn)
        }
        app = distinct.firstIndex(of: appColumn) ?? 0
        version = distinct.firstIndex(of: versionColumn) ?? 0
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

/// Finds the records whose app's registration was removed since (R15.2).
struct RemovalMatcher {
    private var removal: RegistrationRemoval
    // By index of the attribute.
    private let columns: [Int]

    /// - Returns: `nil` where the account removed nothing.
    init?(_ account: Account, _ fields: inout CaptureFields) {
        guard let removal = RegistrationRemoval(account) else { return nil }
        self.removal = removal
        columns = removal.keys.map { fields.column(of: $0) }
    }

    /// True if the registration of a record's app was removed.
    mutating func isRemoved(_ row: Int, _ batch: borrowing RecordBatch) -> Bool {
        removal.begin(at: batch.heads[row].time)
        for (index, column) in columns.enumerated() {
            batch.rows.withValue(row, column) { removal.add($0.extracting($1), at: index) }
        }
        return removal.isRemoved
    }
}
