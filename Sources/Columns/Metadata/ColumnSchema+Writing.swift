extension ColumnSchema {
    /// The table `Schema` of Arrow's format.
    var table: [FlatValue?] {
        [
            .int16(0), .tables(fields.map(\.table)),
            metadata.isEmpty ? nil : .tables(metadata.map { [.text($0.key), .text($0.value)] }),
        ]
    }
}

extension ColumnField {
    fileprivate var table: [FlatValue?] {
        let (kind, form) = type.table
        let encoding = keys.map { keys in
            FlatValue.table([.int64(keys.dictionary), .table(ColumnType.integerTable(keys.bits, keys.isSigned))])
        }
        return [.text(name), .int8(1), .int8(kind), .table(form), encoding, .tables([])]
    }
}

extension ColumnType {
    fileprivate static func integerTable(_ bits: Int, _ isSigned: Bool) -> [FlatValue?] {
        [.int32(Int32(bits)), .int8(isSigned ? 1 : 0)]
    }

    /// The number of the type in Arrow's format, and its table.
    fileprivate var table: (kind: Int8, fields: [FlatValue?]) {
        switch self {
        case .integer(let bits, let isSigned): (2, Self.integerTable(bits, isSigned))
        case .bytes(.small): (4, [])
        case .text(.small): (5, [])
        case .fixedBytes(let width): (15, [.int32(Int32(width))])
        case .time(let unit, let zone): (10, [.int16(Int16(unit.rawValue)), zone.map(FlatValue.text)])
        default: preconditionFailure("columns of this type are read, and not written")
        }
    }
}
