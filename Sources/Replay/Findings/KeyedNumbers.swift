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

/// Numbers the values of keys, alike by all who read a capture.
struct KeyedValues {
    /// The fields that it looks at.
    let fields: [ExaminedField]
    // By field, its keys.
    private let keysByField: [[Int]]
    // Those whose values follow from the time of a record.
    private let timeKeys: [Int]
    // By key; `nil` for those that are not of records.
    private var values: [SharedValues?]

    /// - Parameters:
    ///   - profiled: The keys, and the numbers of their values.
    ///   - captureFields: Takes the keys that are needed.
    init(_ profiled: ProfiledKeys, _ captureFields: inout CaptureFields) {
        let records = profiled.keys.map(\.record)
        values = records.enumerated().map { index, key in key.map { SharedValues($0, index, profiled.registry) } }
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

    /// Looks at a value of a field, which is named by its index in ``fields``.
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
