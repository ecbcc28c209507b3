extension ColumnSchema {
    /// Reads the table `Schema` of Arrow's format.
    init(_ table: FlatTable) throws(ColumnFailure) {
        guard try table.number(0, or: Int16(0)) == 0 else {
            throw table.failure(
                "the numbers have the big end first", hint: "write it on a machine that has the little end first")
        }
        var fields: [ColumnField] = []
        for field in try table.tables(1, limit: ColumnLimits.columns) { fields.append(try ColumnField(field)) }
        var types: [Int64: ColumnType] = [:]
        for field in fields.map(\.innermost) {
            guard let keys = field.keys,
                types.updateValue(field.type, forKey: keys.dictionary) ?? field.type != field.type
            else { continue }
            throw table.failure("dictionary \(keys.dictionary) has values of two types")
        }
        var (metadata, size): ([ColumnNote], Int) = ([], 0)
        for note in try table.tables(2, limit: ColumnLimits.columns) {
            metadata.append(ColumnNote(try note.text(0) ?? "", try note.text(1) ?? ""))
            size += metadata[metadata.count - 1].key.utf8.count + metadata[metadata.count - 1].value.utf8.count
            // Many notes may share a long text.
            guard size <= ColumnLimits.metadataBytes else { throw note.failure("the metadata has more than 16 MiB") }
        }
        self.init(fields, metadata: metadata)
    }

    /// For each dictionary the form of its values.
    var dictionaryTypes: [Int64: ColumnField] {
        let keyed = fields.map(\.innermost).compactMap { field in field.keys.map { ($0.dictionary, field) } }
        return Dictionary(keyed) { first, _ in first }
    }
}

extension ColumnField {
    /// The field itself, or of lists that of their elements: the one that may have a dictionary.
    var innermost: ColumnField {
        if case .list(_, let element) = type { element } else { self }
    }

    /// Reads the table `Field`.
    init(_ table: FlatTable) throws(ColumnFailure) { try self.init(table, isElement: false) }

    private init(_ table: FlatTable, isElement: Bool) throws(ColumnFailure) {
        name = try table.text(0, limit: ColumnLimits.nameBytes) ?? ""
        (type, keys) = try ColumnFailure.naming(column: name) { () throws(ColumnFailure) in
            let type = try Self.type(table, isElement: isElement)
            let keys = try table.table(4).map { encoding throws(ColumnFailure) in try DictionaryKeys(encoding) }
            guard keys == nil || type.isPlain else { throw table.failure("a dictionary of times or lists is not read") }
            guard !isElement || type.isPlain else { throw table.failure("lists of times or lists are not read") }
            return (type, keys)
        }
    }

    private static func type(_ table: FlatTable, isElement: Bool) throws(ColumnFailure) -> ColumnType {
        let kind = try table.number(2, or: UInt8(0))
        guard let type = try table.table(3) else { throw table.failure("a column has no type") }
        switch kind {
        case 1: return .null
        case 2: return try integer(type)
        case 3:
            let precision = try type.number(0, or: Int16(0))
            guard 0...2 ~= precision else { throw type.failure("precision \(precision) of numbers is unknown") }
            return .float(bits: 16 << Int(precision))
        case 4: return .bytes(.small)
        case 5: return .text(.small)
        case 6: return .boolean
        case 10:
            let unit = try type.number(0, or: Int16(0))
            guard let unit = ColumnType.TimeUnit(rawValue: Int(unit)) else {
                throw type.failure("unit \(unit) of times is unknown")
            }
            return .time(unit, zone: try type.text(1, limit: ColumnLimits.nameBytes))
        case 15:
            let width = try type.number(0, or: Int32(0))
            guard 1...Int32(ColumnLimits.nameBytes) ~= width else {
                throw type.failure("values of \(width) bytes each are not read")
            }
            return .fixedBytes(Int(width))
        case 19: return .bytes(.large)
        case 20: return .text(.large)
        case 23: return .bytes(.view)
        case 24: return .text(.view)
        default:
            guard let layout = listLayouts[kind] else { throw unread(kind, table) }
            guard !isElement else { throw table.failure("lists of lists are not read") }
            let children = try table.tables(5, limit: 1)
            guard let child = children.first else { throw table.failure("a list has no type of its elements") }
            return .list(layout, try ColumnField(child, isElement: true))
        }
    }

    private static let listLayouts: [UInt8: ColumnType.ListLayout] = [
        12: .small, 21: .large, 25: .view, 26: .largeView,
    ]

    private static func integer(_ type: FlatTable) throws(ColumnFailure) -> ColumnType {
        let bits = try type.number(0, or: Int32(0))
        guard [8, 16, 32, 64].contains(bits) else { throw type.failure("whole numbers of \(bits) bits are not read") }
        return .integer(bits: Int(bits), isSigned: try type.boolean(1))
    }

    // The other types by their numbers.
    private static func unread(_ kind: UInt8, _ table: FlatTable) -> ColumnFailure {
        let names: [UInt8: String] = [
            7: "decimal numbers", 8: "dates", 9: "times of day", 11: "intervals", 13: "structures", 14: "unions",
            16: "lists of one length", 17: "maps", 18: "durations", 22: "runs of equal values",
        ]
        return table.failure(
            "a column of \(names[kind] ?? "type \(kind)") is not read",
            hint: "leave the column out, or write it as text")
    }
}

extension DictionaryKeys {
    /// Reads the table `DictionaryEncoding`.
    init(_ table: FlatTable) throws(ColumnFailure) {
        dictionary = try table.number(0)
        guard let type = try table.table(1) else {
            (bits, isSigned) = (32, true)
            return
        }
        (bits, isSigned) = (Int(try type.number(0, or: Int32(0))), try type.boolean(1))
        guard [8, 16, 32].contains(bits) else { throw type.failure("keys of \(bits) bits are not read") }
    }
}
