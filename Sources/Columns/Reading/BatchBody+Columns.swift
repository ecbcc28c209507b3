extension BatchBody {
    /// Finds the parts of the next column.
    ///
    /// - Parameters:
    ///   - field: The column.
    ///   - wantsNumbers: True for whole numbers that are wanted as such.
    ///   - dictionaries: The dictionaries by their numbers.
    mutating func column(
        _ field: ColumnField, wantsNumbers: Bool = false, dictionaries: [Int64: ColumnDictionary] = [:]
    ) throws(ColumnFailure) -> StoredColumn {
        try ColumnFailure.naming(column: field.name) { () throws(ColumnFailure) in
            let node = try nextNode()
            guard node.count == rowCount else {
                throw failure("the column has \(node.count) values, and the batch \(rowCount) records")
            }
            return try column(field, node, wantsNumbers: wantsNumbers, dictionaries)
        }
    }

    private mutating func column(
        _ field: ColumnField, _ node: BatchHeader.Node, wantsNumbers: Bool, _ dictionaries: [Int64: ColumnDictionary]
    ) throws(ColumnFailure) -> StoredColumn {
        var presence = Presence(start: nil)
        let isNull = field.type == .null && field.keys == nil
        if !isNull {
            let part = try nextPart(of: node.hasAbsent ? (node.count + 7) / 8 : 0)
            presence = Presence(start: node.hasAbsent ? part.range.lowerBound : nil)
        }
        let values = try values(field, node.count, presence, wantsNumbers: wantsNumbers, dictionaries)
        return StoredColumn(
            field: field, count: node.count, presence: presence, values: values, keepsDamagedText: keepsDamagedText)
    }

    private mutating func values(
        _ field: ColumnField, _ count: Int, _ presence: Presence, wantsNumbers: Bool,
        _ dictionaries: [Int64: ColumnDictionary]
    ) throws(ColumnFailure) -> StoredColumn.Values {
        if let keys = field.keys {
            return .keys(keys, dictionaries[keys.dictionary] ?? .empty, try nextPart(of: count * keys.bits / 8))
        }
        switch field.type {
        case .null:
            guard count <= ColumnLimits.rows else { throw failure("\(count) absent values are refused") }
            return .none
        case .boolean: return .booleans(try nextPart(of: (count + 7) / 8))
        case .integer(let bits, let isSigned):
            let part = try nextPart(of: count * bits / 8)
            return wantsNumbers
                ? .numbers(bits: bits, isSigned: isSigned, part) : .integers(bits: bits, isSigned: isSigned, part)
        case .float(let bits): return .floats(bits: bits, try nextPart(of: count * bits / 8))
        case .text(.view), .bytes(.view): return try nextViews(count, presence)
        case .text(let layout), .bytes(let layout):
            return .ranges(try nextOffsets(count, isLarge: layout == .large), try nextPart(of: 0))
        case .fixedBytes(let width): return .fixedBytes(width, try nextPart(of: count * width))
        case .time: return .numbers(bits: 64, isSigned: true, try nextPart(of: count * 8))
        case .list(let layout, let element): return try nextLists(layout, count, presence, element, dictionaries)
        }
    }

    // The bounds of some ranges, one behind the other. If there are none, the part may be empty.
    private mutating func nextOffsets(_ count: Int, isLarge: Bool) throws(ColumnFailure) -> StoredOffsets {
        StoredOffsets(part: try nextPart(of: count == 0 ? 0 : (count + 1) * (isLarge ? 8 : 4)), isLarge: isLarge)
    }

    private mutating func nextViews(_ count: Int, _ presence: Presence) throws(ColumnFailure) -> StoredColumn.Values {
        let views = StoredOffsets(part: try nextPart(of: 16 * count), isLarge: false)
        let parts = try nextViewParts()
        // Many views may share bytes.
        let longest = parts.map(\.range.count).max() ?? 0
        let limit = ColumnLimits.bodyBytes
        guard longest * count <= limit || total(views, each: 4, count, presence, upTo: limit) != nil else {
            throw views.part.failure("the values have more than 1 GiB")
        }
        return .views(views, parts)
    }

    private mutating func nextLists(
        _ layout: ColumnType.ListLayout, _ count: Int, _ presence: Presence, _ element: ColumnField,
        _ dictionaries: [Int64: ColumnDictionary]
    ) throws(ColumnFailure) -> StoredColumn.Values {
        let (isLarge, isView) = (layout == .large || layout == .largeView, layout == .view || layout == .largeView)
        let size = isLarge ? 8 : 4
        let offsets =
            isView
            ? StoredOffsets(part: try nextPart(of: count * size), isLarge: isLarge)
            : try nextOffsets(count, isLarge: isLarge)
        let sizes = isView ? StoredOffsets(part: try nextPart(of: count * size), isLarge: isLarge) : nil
        // Many lists may share elements.
        if let sizes, total(sizes, each: 1, count, presence, upTo: ColumnLimits.values) == nil {
            throw sizes.part.failure("the lists have too many elements")
        }
        let elements = try column(element, try nextNode(), wantsNumbers: false, dictionaries)
        return .lists(offsets, sizes: sizes, elements)
    }

    // The sum of the lengths of rows, each the first of some numbers; `nil` if there are more. Negative ones are refused later.
    private func total(
        _ lengths: StoredOffsets, each step: Int, _ count: Int, _ presence: Presence, upTo limit: Int
    ) -> Int? {
        var total = 0
        for row in 0..<count where presence.contains(row, in: bytes) {
            total += min(max(0, lengths.offset(step * row, in: bytes)), limit + 1)
            if total > limit { return nil }
        }
        return total
    }
}
