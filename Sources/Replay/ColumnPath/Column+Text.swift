internal import Columns
internal import PolicyEngine

extension Column {
    /// True if a row has a value.
    func hasValue(_ row: Int) -> Bool {
        if let dictionary { return !dictionary.values[Int(keys[row])].isAbsent }
        if content == .numbers { return row < numbers.count && numbers[row] != Column.absentNumber }
        return row < values.count && !values[row].isAbsent
    }

    /// The text that a value has in a capture of lines: a time in RFC 3339, an ID in base64, a list joined by commas.
    ///
    /// - Parameters:
    ///   - row: A row that has a value.
    ///   - field: The form of the column.
    ///   - batch: The batch that it was decoded from.
    /// - Returns: `nil` for bytes that are no ID, and for a list with an element that is no name, or that is very long.
    func text(_ row: Int, _ field: ColumnField, _ batch: borrowing ColumnBatch) -> [UInt8]? {
        switch content {
        case .text: return bytes(row, batch)
        case .bytes:
            let bytes = bytes(row, batch)
            return DeviceID(column: bytes.span, 0..<bytes.count, isText: false).map { Array($0.description.utf8) }
        case .numbers:
            guard case .time(let unit, _) = field.type else { return Array(numbers[row].description.utf8) }
            let seconds = ColumnTimes.quotient(numbers[row], unit.perSecond)
            return Array(Instant(secondsSinceEpoch: seconds).description.utf8)
        case .lists:
            var text: [UInt8] = []
            for (number, element) in values[row].range.enumerated() {
                let name = elements[0].name(element, batch)
                guard let name, text.count + name.count < CaptureLimits.listBytes else { return nil }
                if number > 0 { text.append(UInt8(ascii: ",")) }
                text += name
            }
            return text
        }
    }

    /// A value in a message.
    func shown(_ row: Int, _ field: ColumnField, _ batch: borrowing ColumnBatch) -> String {
        switch content {
        case .text: String(decoding: bytes(row, batch), as: UTF8.self)
        case .bytes:
            bytes(row, batch).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        case .numbers: numbers[row].description
        case .lists: text(row, field, batch).map { String(decoding: $0, as: UTF8.self) } ?? ""
        }
    }

    // An element of a list of flags.
    private func name(_ row: Int, _ batch: borrowing ColumnBatch) -> [UInt8]? {
        let isDamaged = dictionary?.damaged.contains(Int(keys[row])) ?? damaged.contains(row)
        guard !isDamaged, hasValue(row) else { return nil }
        let name = bytes(row, batch)
        return name.isEmpty || name.contains(UInt8(ascii: ",")) ? nil : name
    }

    private func bytes(_ row: Int, _ batch: borrowing ColumnBatch) -> [UInt8] {
        if let dictionary { return Array(dictionary.bytes[dictionary.values[Int(keys[row])].range]) }
        return Array(bytes(in: batch)[values[row].range])
    }
}
