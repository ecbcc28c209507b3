extension StoredColumn {
    /// Adds keys; that of a row without a value is that behind the dictionary.
    func appendKeys(
        _ form: DictionaryKeys, _ limit: Int, _ part: StoredPart, _ rows: Range<Int>, _ bytes: [UInt8],
        to keys: inout [Int32]
    ) throws(ColumnFailure) {
        let first = keys.count
        widen(form.bits, isSigned: form.isSigned, part, rows, bytes, to: &keys)
        // A negative key is a large one.
        let limit = UInt32(limit)
        var all = keys.mutableSpan
        if presence.start == nil {
            var outside: UInt32 = 0
            for index in first..<all.count { outside |= UInt32(bitPattern: all[index]) >= limit ? 1 : 0 }
            if outside == 0 { return }
        }
        for (index, row) in zip(first..<all.count, rows) {
            if !presence.contains(row, in: bytes) {
                all[index] = Int32(bitPattern: limit)
            } else if UInt32(bitPattern: all[index]) >= limit {
                let message = "key \(all[index]) of row \(row + 1) is not in the dictionary, which has \(limit) values"
                throw part.failure(message, at: row * form.bits / 8)
            }
        }
    }

    /// Adds numbers.
    func appendNumbers(
        _ bits: Int, isSigned: Bool, _ part: StoredPart, _ rows: Range<Int>, _ bytes: [UInt8],
        to numbers: inout [Int64]
    ) throws(ColumnFailure) {
        let first = numbers.count
        widen(bits, isSigned: isSigned, part, rows, bytes, to: &numbers)
        if presence.start == nil, isSigned, !numbers.span.extracting(first...).contains(Column.absentNumber) { return }
        for (index, row) in zip(first..<numbers.count, rows) {
            if !presence.contains(row, in: bytes) {
                numbers[index] = Column.absentNumber
            } else if numbers[index] == Column.absentNumber || numbers[index] < 0 && !isSigned {
                throw part.failure("the number of row \(row + 1) is too large")
            }
        }
    }

    /// Adds the JSON texts of numbers; a number without one is refused.
    func appendTexts(
        _ bits: Int, isSigned: Bool, _ part: StoredPart, _ rows: Range<Int>, _ bytes: [UInt8], to column: inout Column,
        _ text: (Int64) -> String?
    ) throws(ColumnFailure) {
        var numbers: [Int64] = []
        widen(bits, isSigned: isSigned, part, rows, bytes, to: &numbers)
        column.texts = column.texts ?? []
        for (row, number) in zip(rows, numbers) {
            guard presence.contains(row, in: bytes) else {
                column.values.append(.absent)
                continue
            }
            guard let text = text(number) else {
                throw part.failure("the number of row \(row + 1) is infinite or none, which JSON does not have")
            }
            column.append(text)
            guard column.texts?.count ?? 0 <= ColumnLimits.bodyBytes else {
                throw part.failure("the texts of the numbers have more than 1 GiB")
            }
        }
    }

    /// Adds the JSON texts of booleans.
    func appendBooleans(_ part: StoredPart, _ rows: Range<Int>, _ bytes: [UInt8], to column: inout Column) {
        let bits = Presence(start: part.range.lowerBound)
        column.texts = Array("truefalse".utf8)
        for row in rows {
            let value = ColumnValue(bits.contains(row, in: bytes) ? 0..<4 : 4..<9)
            column.values.append(presence.contains(row, in: bytes) ? value : .absent)
        }
    }

    // Numbers of the same or fewer bits, as wider ones; those of more lose the upper ones.
    private func widen<Wide: FixedWidthInteger>(
        _ bits: Int, isSigned: Bool, _ part: StoredPart, _ rows: Range<Int>, _ bytes: [UInt8],
        to numbers: inout [Wide]
    ) {
        switch (bits, isSigned) {
        case (8, true): widen(Int8.self, part, rows, bytes, to: &numbers)
        case (8, false): widen(UInt8.self, part, rows, bytes, to: &numbers)
        case (16, true): widen(Int16.self, part, rows, bytes, to: &numbers)
        case (16, false): widen(UInt16.self, part, rows, bytes, to: &numbers)
        case (32, true): widen(Int32.self, part, rows, bytes, to: &numbers)
        case (32, false): widen(UInt32.self, part, rows, bytes, to: &numbers)
        default: widen(Int64.self, part, rows, bytes, to: &numbers)
        }
    }

    private func widen<Stored: FixedWidthInteger & BitwiseCopyable, Wide: FixedWidthInteger>(
        _ type: Stored.Type, _ part: StoredPart, _ rows: Range<Int>, _ bytes: [UInt8], to numbers: inout [Wide]
    ) {
        let (size, first) = (MemoryLayout<Stored>.size, numbers.count)
        precondition(
            part.range.count >= rows.upperBound * size && part.range.upperBound <= bytes.count, "a number for each row")
        numbers.resize(to: first + rows.count, filling: 0)
        let start = part.range.lowerBound + rows.lowerBound * size
        unsafe bytes.withUnsafeBytes { bytes in
            unsafe numbers.withUnsafeMutableBufferPointer { numbers in
                for index in 0..<rows.count {
                    // SAFETY: the part was checked to lie in the memory, and to have a number for each row; there is room for
                    // as many. Without further checks many are read at a time.
                    let stored = unsafe bytes.loadUnaligned(fromByteOffset: start &+ index &* size, as: Stored.self)
                    unsafe numbers[first &+ index] = Wide(truncatingIfNeeded: Stored(littleEndian: stored))
                }
            }
        }
    }
}

/// The JSON texts of floating-point numbers.
enum FloatText {
    /// The text of a number.
    ///
    /// - Parameters:
    ///   - number: Its bits.
    ///   - bits: How many they are: 16, 32 or 64.
    /// - Returns: `nil` for what is infinite or no number.
    static func text(of number: Int64, bits: Int) -> String? {
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
    // Adds a value that is a text of its own.
    fileprivate mutating func append(_ text: String) {
        let start = texts?.count ?? 0
        texts?.append(contentsOf: text.utf8)
        values.append(ColumnValue(start..<(texts?.count ?? 0)))
    }
}
