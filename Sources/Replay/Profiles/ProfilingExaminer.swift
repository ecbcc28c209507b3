internal import PolicyEngine

/// The values of a record by key: their numbers plus one, and 0 where it has none.
struct KeyedNumbers: Finding {
    private(set) var lanes: SIMD8<UInt32>

    /// The greatest number of keys.
    static var limit: Int { SIMD8<UInt32>.scalarCount }

    static var nothing: KeyedNumbers { KeyedNumbers(lanes: .zero) }

    /// The number of the value of a key; `nil` where there is none.
    subscript(key: Int) -> UInt32? {
        get { lanes[key] == 0 ? nil : lanes[key] - 1 }
        set { lanes[key] = newValue.map { $0 + 1 } ?? 0 }
    }

    // Each key has its values from one attribute.
    mutating func formUnion(_ other: KeyedNumbers) { lanes |= other.lanes }

    /// These values, and earlier ones of the keys that have none here.
    func over(_ earlier: KeyedNumbers) -> KeyedNumbers {
        KeyedNumbers(lanes: lanes.replacing(with: earlier.lanes, where: lanes .== .zero))
    }
}

/// Another examiner that numbers the values of keys besides.
struct ProfilingExaminer<Base: RecordExaminer>: RecordExaminer {
    private var base: Base
    let fields: [ExaminedField]
    private var values: KeyedValues
    // By field, its index among those that have keys; the fields of the other examiner come first.
    private let keyedFields: [Int?]
    private let baseFieldCount: Int
    // Of the current records.
    private var baseFound: [Base.Found] = []
    private var matched: [Base.Matches] = []

    /// The findings of the other examiner in a value, and its numbers.
    struct Found: Finding {
        fileprivate var base: Base.Found
        fileprivate var numbers: KeyedNumbers

        static var nothing: Found { Found(base: .nothing, numbers: .nothing) }

        mutating func formUnion(_ other: Found) {
            base.formUnion(other.base)
            numbers.formUnion(other.numbers)
        }

        var isLasting: Bool { base.isLasting }
    }

    /// - Parameters:
    ///   - base: The other examiner.
    ///   - keys: The kinds of values.
    ///   - registry: The values of all readers.
    ///   - captureFields: Takes the keys that are needed.
    init(_ base: Base, _ keys: [ProfileKey], _ registry: ValueRegistry, _ captureFields: inout CaptureFields) {
        let values = KeyedValues(keys, registry, &captureFields)
        var fields = base.fields
        var keyedFields: [Int?] = fields.map { _ in nil }
        for (number, field) in values.fields.enumerated() {
            // The findings in a value that are found with little effort are not kept, as there may be many of them.
            if !field.effort.isLittle, let shared = base.fields.firstIndex(where: { $0.column == field.column }) {
                fields[shared] = ExaminedField(column: field.column, effort: fields[shared].effort + field.effort)
                keyedFields[shared] = number
            } else {
                fields.append(field)
                keyedFields.append(number)
            }
        }
        (self.fields, self.keyedFields) = (fields, keyedFields)
        (self.base, self.values, baseFieldCount) = (base, values, base.fields.count)
    }

    var apps: [AppNumbers] { base.apps }

    mutating func examine(_ value: Span<UInt8>, of field: Int) -> Found {
        Found(
            base: field < baseFieldCount ? base.examine(value, of: field) : .nothing,
            numbers: keyedFields[field].map { values.examine(value, of: $0) } ?? .nothing)
    }

    mutating func match(
        _ found: [Found], in batch: borrowing RecordBatch, into matches: inout [ProfiledMatches<Base.Matches>]
    ) {
        baseFound.removeAll(keepingCapacity: true)
        for found in found { baseFound.append(found.base) }
        matched.removeAll(keepingCapacity: true)
        base.match(baseFound, in: batch, into: &matched)
        for row in matched.indices {
            var numbers = found[row].numbers
            values.addTime(batch.heads[row].time, to: &numbers)
            matches.append(ProfiledMatches(base: matched[row], numbers: numbers))
        }
    }
}

/// The findings of the other examiner in a record, and the numbers of its values.
struct ProfiledMatches<Base: RecordMatches>: RecordMatches {
    fileprivate(set) var base: Base
    let numbers: KeyedNumbers

    var app: AppNumbers {
        get { base.app }
        set { base.app = newValue }
    }

    subscript(account: Int) -> AttributeMatches {
        get { base[account] }
        set { base[account] = newValue }
    }
}

/// Numbers the values of keys.
private struct KeyedValues {
    /// The fields that have keys.
    let fields: [ExaminedField]
    // By field, its keys.
    private let keysByField: [[Int]]
    private let timeKeys: [Int]
    // By key; `nil` for those that are not of records.
    private var values: [SharedValues?]

    init(_ keys: [ProfileKey], _ registry: ValueRegistry, _ captureFields: inout CaptureFields) {
        let records = keys.map(\.record)
        values = records.enumerated().map { index, key in key.map { SharedValues($0, index, registry) } }
        timeKeys = records.indices.filter { records[$0]?.isTime == true }
        var columns: [(column: Int, keys: [Int])] = []
        for (index, key) in records.enumerated() {
            guard let key, !key.isTime else { continue }
            let column = captureFields.column(of: key.attribute)
            if let known = columns.firstIndex(where: { $0.column == column }) {
                columns[known].keys.append(index)
            } else {
                columns.append((column, [index]))
            }
        }
        keysByField = columns.map(\.keys)
        fields = columns.map { column, keys in
            // A network is found faster in an address than the address among others.
            let isCheap = keys.allSatisfy { records[$0]?.networkLength != nil }
            return ExaminedField(column: column, effort: isCheap ? .little : .searches(1))
        }
    }

    /// The numbers of a value.
    mutating func examine(_ value: Span<UInt8>, of field: Int) -> KeyedNumbers {
        var found = KeyedNumbers.nothing
        for key in keysByField[field] { found[key] = values[key]?.number(of: value) }
        return found
    }

    /// Adds the values that follow from the time of a record.
    mutating func addTime(_ time: Instant, to found: inout KeyedNumbers) {
        for key in timeKeys { found[key] = values[key]?.number(at: time) }
    }
}
