internal import Columns
internal import PolicyEngine

/// The columns of a capture: which of them are needed, and for what.
final class ColumnLayout: Sendable {
    /// The path of the capture.
    let path: String
    let fields: [ColumnField]
    /// The columns that say where a record comes from, by their indices.
    let origins: (line: Int?, capture: Int?, record: Int?)
    /// The records and lines before those of the capture, if it is a part of split ones.
    let base: RecordBase?
    /// The column of the devices' IDs, by its index.
    let devices: Int?
    /// The columns whose names look like keys that are read, by their indices.
    let lookAlikes: [(column: Int, mistake: CaptureMistake.Kind)]
    /// The columns that are read.
    let choice: ColumnChoice

    /// - Parameters:
    ///   - schema: The columns.
    ///   - path: The path of the capture.
    ///   - keys: The keys that somebody needs.
    ///   - renamed: The names of keys in the capture.
    ///   - keepsAll: True if all columns are read, whoever needs them.
    ///   - base: The records and lines before it, if it is a part of split captures.
    init(
        _ schema: ColumnSchema, path: String, keys: [String], renamed: RecordNames = RecordNames(), keepsAll: Bool,
        base: RecordBase? = nil
    ) {
        (self.path, self.base) = (path, base)
        let fields = schema.fields.map { ColumnField(renamed.key($0.name), $0.type, keys: $0.keys) }
        self.fields = fields
        func index(_ name: String) -> Int? { fields.firstIndex { $0.name == name } }
        origins = (
            index(ColumnNames.originLine), index(ColumnNames.originCapture), index(ColumnNames.originRecord)
        )
        devices = RecordField.names.first { $0.field == RecordField.deviceID }.flatMap { index($0.name) }
        let (likeness, needed) = (KeyLikeness(keys), Set(keys.map { ExactText($0) }))
        lookAlikes = fields.enumerated().compactMap { column, field in
            guard !needed.contains(ExactText(field.name)) else { return nil }
            return likeness.key(lookingLike: field.name).map { (column, .key(ExactText(field.name), meant: $0)) }
        }
        let names = keys.map(renamed.given) + lookAlikes.map { schema.fields[$0.column].name }
        choice = ColumnChoice(
            names: keepsAll ? nil : Set(names + ColumnNames.origins),
            numbers: [ColumnNames.originLine, ColumnNames.originRecord], keepsDamagedText: true)
    }

    /// The columns that have values of fields, by field.
    func sources(of fields: CaptureFields) -> [[Int]] {
        var sources = Array(repeating: [Int](), count: fields.count)
        for (index, field) in self.fields.enumerated() {
            for key in fields.keys where ExactText(key.name) == ExactText(field.name) {
                sources[key.column].append(index)
            }
        }
        return sources
    }

    /// Advice on a record without a key, where a column looks like that of the key.
    func hint(onMissing key: String) -> String? {
        lookAlikes.lazy.compactMap { $0.mistake.hint(onMissing: key) }.first
    }

    /// Refuses columns of one name, and forms that no key can have.
    ///
    /// - Parameter keys: The keys that somebody needs.
    func check(_ keys: [String]) throws(CaptureFailure) {
        var (names, needed) = (Set<ExactText>(), Set(keys.map { ExactText($0) }))
        needed.insert(ExactText(ColumnNames.originCapture))
        for field in fields {
            guard names.insert(ExactText(field.name)).inserted else {
                throw refusal(field, "is there twice", hint: "give each column a name of its own")
            }
            try check(field, isNeeded: needed.contains(ExactText(field.name)))
        }
    }

    private func check(_ field: ColumnField, isNeeded: Bool) throws(CaptureFailure) {
        if [ColumnNames.originLine, ColumnNames.originRecord].contains(field.name) {
            if case .integer = field.type, field.keys == nil { return }
            throw refusal(field, "does not hold whole numbers", hint: "leave it out, or give the number of a line")
        }
        guard isNeeded else { return }
        let isList = RecordField.names.contains { $0.name == field.name && $0.field == RecordField.flags }
        switch field.type {
        case .time where field.name == "time", .fixedBytes(16) where field.name == "device-id",
            .bytes where field.name == "device-id":
            return
        case .list(_, let element) where isList && element.type.isText: return
        case .time: throw refusal(field, "holds times", hint: "write the values as text")
        case .bytes, .fixedBytes: throw refusal(field, "holds bytes", hint: "write the values as text")
        case .list: throw refusal(field, "holds lists", hint: "only flags may be lists of text")
        default: return
        }
    }

    private func refusal(_ field: ColumnField, _ message: String, hint: String) -> CaptureFailure {
        .wrongColumn(path: path, message: "column `\(field.name)` \(message)", hint: hint)
    }
}

/// The valid records and the lines of the captures before those of a part of them.
struct RecordBase: Hashable, Sendable {
    var index = 0
    var line = 0
}

extension ColumnType {
    fileprivate var isText: Bool {
        switch self {
        case .text, .null: true
        default: false
        }
    }
}
