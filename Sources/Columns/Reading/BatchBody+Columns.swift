extension BatchBody {
    /// Decodes the next column.
    ///
    /// - Parameters:
    ///   - field: The column.
    ///   - column: Takes the values, in place of its content; its memory is used again.
    ///   - wantsNumbers: True for whole numbers that are wanted as such.
    ///   - dictionaries: The dictionaries by their numbers.
    mutating func decode(
        _ field: ColumnField, into column: inout Column, wantsNumbers: Bool = false,
        dictionaries: [Int64: ColumnDictionary] = [:]
    ) throws(ColumnFailure) {
        try ColumnFailure.naming(column: field.name) { () throws(ColumnFailure) in
            let node = try nextNode()
            guard node.count == rowCount else {
                throw failure("the column has \(node.count) values, and the batch \(rowCount) records")
            }
            try decode(field, node, into: &column, wantsNumbers: wantsNumbers, dictionaries: dictionaries)
        }
    }

    private mutating func decode(
        _ field: ColumnField, _ node: BatchHeader.Node, into column: inout Column, wantsNumbers: Bool,
        dictionaries: [Int64: ColumnDictionary]
    ) throws(ColumnFailure) {
        column.clear()
        try decodeValues(field, node, into: &column, wantsNumbers: wantsNumbers, dictionaries: dictionaries)
        column.damaged = damaged
        damaged.removeAll()
    }

    private mutating func decodeValues(
        _ field: ColumnField, _ node: BatchHeader.Node, into column: inout Column, wantsNumbers: Bool,
        dictionaries: [Int64: ColumnDictionary]
    ) throws(ColumnFailure) {
        if case .null = field.type, field.keys == nil {
            guard node.count <= ColumnLimits.rows else { throw failure("\(node.count) absent values are refused") }
            return column.values.resize(to: node.count, filling: .absent)
        }
        let presence = try nextPresence(node)
        if let keys = field.keys {
            let dictionary = dictionaries[keys.dictionary] ?? .empty
            return try decodeKeys(keys, of: dictionary, node.count, presence, into: &column)
        }
        switch field.type {
        case .null: break
        case .boolean: try decodeBooleans(node.count, presence, into: &column)
        case .integer(let bits, let isSigned):
            let part = try nextPart(of: node.count * bits / 8)
            widen(bits, isSigned: isSigned, part, node.count, into: &column.numbers)
            if wantsNumbers { return try keepNumbers(presence, isSigned: isSigned, part, in: &column) }
            try writeTexts(presence, into: &column) { isSigned ? $0.description : UInt64(bitPattern: $0).description }
        case .float(let bits):
            let part = try nextPart(of: node.count * bits / 8)
            widen(bits, isSigned: false, part, node.count, into: &column.numbers)
            try writeTexts(presence, into: &column) { Self.text(ofFloat: $0, bits: bits) }
        case .text(let layout):
            try decodeTexts(layout, node.count, presence, into: &column.values, isText: true)
        case .bytes(let layout):
            column.content = .bytes
            try decodeTexts(layout, node.count, presence, into: &column.values, isText: false)
        case .fixedBytes(let width):
            column.content = .bytes
            let start = try nextPart(of: node.count * width).range.lowerBound
            column.values.reserveCapacity(node.count + 1)
            column.values.resize(to: node.count, filling: .absent)
            for row in 0..<node.count where presence.contains(row, in: bytes.span) {
                column.values[row] = ColumnValue(start + row * width..<start + (row + 1) * width)
            }
        case .time:
            let part = try nextPart(of: node.count * 8)
            widen(64, isSigned: true, part, node.count, into: &column.numbers)
            try keepNumbers(presence, isSigned: true, part, in: &column)
        case .list(let layout, let element):
            try decodeLists(layout, node.count, presence, element, into: &column, dictionaries)
        }
    }

    private mutating func nextPresence(_ node: BatchHeader.Node) throws(ColumnFailure) -> Presence {
        let part = try nextPart(of: node.hasAbsent ? (node.count + 7) / 8 : 0)
        return Presence(start: node.hasAbsent ? part.range.lowerBound : nil)
    }

    // MARK: Numbers

    private mutating func decodeKeys(
        _ keys: DictionaryKeys, of dictionary: ColumnDictionary, _ count: Int, _ presence: Presence,
        into column: inout Column
    ) throws(ColumnFailure) {
        let part = try nextPart(of: count * keys.bits / 8)
        column.content = dictionary.isText ? .text : .bytes
        column.dictionary = dictionary
        widen(keys.bits, isSigned: keys.isSigned, part, count, into: &column.keys)
        // A negative key is a large one.
        let (bytes, limit) = (bytes, UInt32(dictionary.count))
        var rows = column.keys.mutableSpan
        if presence.start == nil {
            var outside: UInt32 = 0
            for row in rows.indices { outside |= UInt32(bitPattern: rows[row]) >= limit ? 1 : 0 }
            if outside == 0 { return }
        }
        for row in rows.indices {
            if !presence.contains(row, in: bytes.span) {
                rows[row] = Int32(bitPattern: limit)
            } else if UInt32(bitPattern: rows[row]) >= limit {
                let message = "key \(rows[row]) of row \(row + 1) is not in the dictionary, which has \(limit) values"
                throw part.failure(message, at: row * keys.bits / 8)
            }
        }
    }

    private func keepNumbers(
        _ presence: Presence, isSigned: Bool, _ part: Part, in column: inout Column
    ) throws(ColumnFailure) {
        column.content = .numbers
        if presence.start == nil, isSigned, !column.numbers.span.contains(Column.absentNumber) { return }
        for row in column.numbers.indices {
            let number = column.numbers[row]
            if !presence.contains(row, in: bytes.span) {
                column.numbers[row] = Column.absentNumber
            } else if number == Column.absentNumber || number < 0 && !isSigned {
                throw part.failure("the number of row \(row + 1) is too large")
            }
        }
    }

    // Numbers of the same or fewer bits, as wider ones; those of more lose the upper ones.
    private func widen<Wide: FixedWidthInteger>(
        _ bits: Int, isSigned: Bool, _ part: Part, _ count: Int, into numbers: inout [Wide]
    ) {
        switch (bits, isSigned) {
        case (8, true): widen(Int8.self, part, count, into: &numbers)
        case (8, false): widen(UInt8.self, part, count, into: &numbers)
        case (16, true): widen(Int16.self, part, count, into: &numbers)
        case (16, false): widen(UInt16.self, part, count, into: &numbers)
        case (32, true): widen(Int32.self, part, count, into: &numbers)
        case (32, false): widen(UInt32.self, part, count, into: &numbers)
        default: widen(Int64.self, part, count, into: &numbers)
        }
    }

    private func widen<Stored: FixedWidthInteger & BitwiseCopyable, Wide: FixedWidthInteger>(
        _ type: Stored.Type, _ part: Part, _ count: Int, into numbers: inout [Wide]
    ) {
        let size = MemoryLayout<Stored>.size
        precondition(part.range.count >= count * size && part.range.upperBound <= bytes.count, "a number for each row")
        numbers.resize(to: count, filling: 0)
        unsafe bytes.withUnsafeBytes { bytes in
            unsafe numbers.withUnsafeMutableBufferPointer { rows in
                for row in 0..<count {
                    // SAFETY: the part was checked to lie in the memory, and to have a number for each row; there are as many
                    // rows. Without further checks many are read at a time.
                    let stored = unsafe bytes.loadUnaligned(
                        fromByteOffset: part.range.lowerBound &+ row &* size, as: Stored.self)
                    unsafe rows[row] = Wide(truncatingIfNeeded: Stored(littleEndian: stored))
                }
            }
        }
    }

    // Replaces the numbers of a column by their JSON texts; a number without one is refused.
    private mutating func writeTexts(
        _ presence: Presence, into column: inout Column, _ text: (Int64) -> String?
    ) throws(ColumnFailure) {
        column.values.resize(to: column.numbers.count, filling: .absent)
        for row in column.numbers.indices where presence.contains(row, in: bytes.span) {
            guard let text = text(column.numbers[row]) else {
                throw failure("the number of row \(row + 1) is infinite or none, which JSON does not have")
            }
            column.values[row] = try append(text)
        }
        column.numbers.removeAll(keepingCapacity: true)
    }

    private static func text(ofFloat number: Int64, bits: Int) -> String? {
        switch bits {
        case 16:
            let (exponent, fraction) = (Int(number >> 10 & 31), number & 1023)
            let size =
                exponent == 0
                ? Float(sign: .plus, exponent: -24, significand: Float(fraction))
                : Float(sign: .plus, exponent: exponent - 25, significand: Float(1024 + fraction))
            return exponent == 31 ? nil : (number >> 15 & 1 == 0 ? size : -size).description
        case 32:
            let float = Float(bitPattern: UInt32(truncatingIfNeeded: number))
            return float.isFinite ? float.description : nil
        default:
            let double = Double(bitPattern: UInt64(bitPattern: number))
            return double.isFinite ? double.description : nil
        }
    }

    private mutating func decodeBooleans(
        _ count: Int, _ presence: Presence, into column: inout Column
    ) throws(ColumnFailure) {
        let bits = Presence(start: try nextPart(of: (count + 7) / 8).range.lowerBound)
        let texts = (try append("true"), try append("false"))
        column.values.resize(to: count, filling: .absent)
        for row in 0..<count where presence.contains(row, in: bytes.span) {
            column.values[row] = bits.contains(row, in: bytes.span) ? texts.0 : texts.1
        }
    }

    // MARK: Texts and lists

    private mutating func decodeTexts(
        _ layout: ColumnType.TextLayout, _ count: Int, _ presence: Presence, into values: inout [ColumnValue],
        isText: Bool
    ) throws(ColumnFailure) {
        if layout == .view { return try decodeViews(count, presence, into: &values, isText: isText) }
        let offsets = try nextOffsets(count, isLarge: layout == .large)
        let data = try nextPart(of: 0)
        try decodeRanges(
            offsets, count, presence, of: data.range.count, from: data.range.lowerBound, into: &values)
        guard isText else { return }
        if let end = values.last(where: { !$0.isAbsent })?.range.upperBound, isASCII(data.range.lowerBound..<end) {
            return
        }
        for (row, value) in values.enumerated() where !value.isAbsent {
            try checkText(value, row, data, at: value.range.lowerBound - data.range.lowerBound)
        }
    }

    /// Offsets of 4 or 8 bytes.
    private struct Offsets {
        let part: Part
        let isLarge: Bool

        @inline(__always)
        func offset(_ index: Int, in bytes: Span<UInt8>) -> Int {
            let byte = part.range.lowerBound &+ index &* (isLarge ? 8 : 4)
            // SAFETY: the span checks that the number lies in it, and every pattern of bits is a number.
            return unsafe isLarge
                ? Int(Int64(littleEndian: bytes.bytes.unsafeLoadUnaligned(fromByteOffset: byte, as: Int64.self)))
                : Int(Int32(littleEndian: bytes.bytes.unsafeLoadUnaligned(fromByteOffset: byte, as: Int32.self)))
        }

        func failure(_ message: String, at index: Int) -> ColumnFailure {
            part.failure(message, at: index * (isLarge ? 8 : 4))
        }
    }

    // The bounds of some ranges, one behind the other. If there are none, the part may be empty.
    private mutating func nextOffsets(_ count: Int, isLarge: Bool) throws(ColumnFailure) -> Offsets {
        Offsets(part: try nextPart(of: count == 0 ? 0 : (count + 1) * (isLarge ? 8 : 4)), isLarge: isLarge)
    }

    private func decodeRanges(
        _ offsets: Offsets, _ count: Int, _ presence: Presence, of limit: Int, from base: Int,
        into values: inout [ColumnValue]
    ) throws(ColumnFailure) {
        // A dictionary has one value more (``ColumnDictionary``).
        values.reserveCapacity(count + 1)
        values.resize(to: count, filling: .absent)
        guard count > 0 else { return }
        let memory = bytes.span
        var start = offsets.offset(0, in: memory)
        guard 0...limit ~= start else { throw offsets.failure("the first offset is \(start), of \(limit)", at: 0) }
        var all = values.mutableSpan
        for row in 0..<count {
            let end = offsets.offset(row + 1, in: memory)
            guard start <= end, end <= limit else {
                throw offsets.failure("row \(row + 1) is from \(start) to \(end), of \(limit)", at: row + 1)
            }
            if presence.contains(row, in: memory) { all[row] = ColumnValue(base + start..<base + end) }
            start = end
        }
    }

    // A view is a length, and either up to 12 bytes, or 4 of them, the number of a part and an offset in it.
    private mutating func decodeViews(
        _ count: Int, _ presence: Presence, into values: inout [ColumnValue], isText: Bool
    ) throws(ColumnFailure) {
        let views = try nextPart(of: 16 * count)
        let parts = try nextViewParts()
        values.resize(to: count, filling: .absent)
        let fields = Offsets(part: views, isLarge: false)
        var total = 0
        for row in 0..<count where presence.contains(row, in: bytes.span) {
            let start = views.range.lowerBound + 16 * row + 4
            let length = fields.offset(4 * row, in: bytes.span)
            guard length >= 0 else { throw fields.failure("row \(row + 1) has \(length) bytes", at: 4 * row) }
            if length <= 12 {
                values[row] = ColumnValue(start..<start + length)
            } else {
                let (index, offset) = (
                    fields.offset(4 * row + 2, in: bytes.span), fields.offset(4 * row + 3, in: bytes.span)
                )
                guard parts.indices.contains(index), offset >= 0, offset <= parts[index].range.count - length else {
                    let message = "\(length) bytes from byte \(offset) of part \(index) of row \(row + 1) are not there"
                    throw fields.failure(message, at: 4 * row)
                }
                let first = parts[index].range.lowerBound + offset
                values[row] = ColumnValue(first..<first + length)
            }
            // Many views may share bytes.
            total += length
            guard total <= ColumnLimits.bodyBytes else { throw views.failure("the values have more than 1 GiB") }
            if isText { try checkText(values[row], row, views, at: 16 * row) }
        }
    }

    private mutating func decodeLists(
        _ layout: ColumnType.ListLayout, _ count: Int, _ presence: Presence, _ element: ColumnField,
        into column: inout Column, _ dictionaries: [Int64: ColumnDictionary]
    ) throws(ColumnFailure) {
        let (isLarge, isView) = (layout == .large || layout == .largeView, layout == .view || layout == .largeView)
        let size = isLarge ? 8 : 4
        let offsets =
            isView
            ? Offsets(part: try nextPart(of: count * size), isLarge: isLarge)
            : try nextOffsets(count, isLarge: isLarge)
        let sizes = isView ? Offsets(part: try nextPart(of: count * size), isLarge: isLarge) : nil
        let node = try nextNode()
        if column.elements.isEmpty { column.elements.append(Column()) }
        try decode(element, node, into: &column.elements[0], wantsNumbers: false, dictionaries: dictionaries)
        column.content = .lists
        guard let sizes else {
            return try decodeRanges(offsets, count, presence, of: node.count, from: 0, into: &column.values)
        }
        column.values.resize(to: count, filling: .absent)
        var total = 0
        for row in 0..<count where presence.contains(row, in: bytes.span) {
            let (start, length) = (offsets.offset(row, in: bytes.span), sizes.offset(row, in: bytes.span))
            guard 0...node.count ~= start, 0...node.count - start ~= length else {
                let message = "row \(row + 1) has \(length) elements from element \(start), of \(node.count)"
                throw offsets.failure(message, at: row)
            }
            column.values[row] = ColumnValue(start..<start + length)
            // Many lists may share elements.
            total += length
            guard total <= ColumnLimits.values else { throw sizes.failure("the lists have too many elements", at: row) }
        }
    }

    // MARK: UTF-8

    private func isASCII(_ range: Range<Int>) -> Bool {
        (try? UTF8Span(validating: bytes.span.extracting(range)).isKnownASCII) ?? false
    }

    private mutating func checkText(
        _ value: ColumnValue, _ row: Int, _ part: Part, at byte: Int
    ) throws(ColumnFailure) {
        do {
            _ = try UTF8Span(validating: bytes.span.extracting(value.range))
        } catch {
            guard keepsDamagedText else { throw part.failure("the text of row \(row + 1) is not UTF-8", at: byte) }
            damaged.append(row)
        }
    }
}

extension Span<Int64> {
    // Many are compared at a time, as none ends the loop.
    fileprivate func contains(_ number: Int64) -> Bool {
        var count = 0
        for index in indices { count &+= self[index] == number ? 1 : 0 }
        return count > 0
    }
}

extension Column {
    /// Forgets the values, and keeps the memory.
    mutating func clear() {
        (content, dictionary) = (.text, nil)
        damaged.removeAll()
        keys.removeAll(keepingCapacity: true)
        values.removeAll(keepingCapacity: true)
        numbers.removeAll(keepingCapacity: true)
    }
}
