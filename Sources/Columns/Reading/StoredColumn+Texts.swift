extension StoredColumn {
    /// Adds texts or bytes that are one behind the other.
    func appendRanges(
        _ offsets: StoredOffsets, _ data: StoredPart, _ rows: Range<Int>, _ bytes: [UInt8], to column: inout Column
    ) throws(ColumnFailure) {
        guard !rows.isEmpty else { return }
        let (first, base) = (column.values.count, data.range.lowerBound)
        let range = try appendRanges(offsets, data.range.count, base, rows, bytes, to: &column.values)
        let all = base + range.lowerBound..<base + range.upperBound
        guard column.content == .text, !isASCII(all, bytes) else { return }
        for (index, row) in zip(first..<column.values.count, rows) where !column.values[index].isAbsent {
            let byte = column.values[index].range.lowerBound - base
            try checkText(column.values[index], row, at: index, bytes, data, byte, &column.damaged)
        }
    }

    // Returns from where to where they are.
    private func appendRanges(
        _ offsets: StoredOffsets, _ limit: Int, _ base: Int, _ rows: Range<Int>, _ bytes: [UInt8],
        to values: inout [ColumnValue]
    ) throws(ColumnFailure) -> Range<Int> {
        let count = values.count
        // A dictionary has one value more (``ColumnDictionary``).
        values.reserveCapacity(count + rows.count + 1)
        values.resize(to: count + rows.count, filling: .absent)
        let first = offsets.offset(rows.lowerBound, in: bytes)
        guard 0...limit ~= first else {
            throw offsets.failure("the first offset is \(first), of \(limit)", at: rows.lowerBound)
        }
        var start = first
        var all = values.mutableSpan
        for row in rows {
            let end = offsets.offset(row &+ 1, in: bytes)
            guard start <= end, end <= limit else {
                throw offsets.failure("row \(row + 1) is from \(start) to \(end), of \(limit)", at: row + 1)
            }
            if presence.contains(row, in: bytes) {
                all[count &+ (row &- rows.lowerBound)] = ColumnValue(base &+ start..<base &+ end)
            }
            start = end
        }
        return first..<start
    }

    /// Adds lists, and their elements one behind the other.
    func appendLists(
        _ offsets: StoredOffsets, _ sizes: StoredOffsets?, _ elements: StoredColumn, _ rows: Range<Int>,
        _ bytes: [UInt8], to column: inout Column
    ) throws(ColumnFailure) {
        guard !rows.isEmpty else { return }
        var count = column.elements[0].rowCount
        guard let sizes else {
            let start = offsets.offset(rows.lowerBound, in: bytes)
            // So a list that starts there starts at the number of elements so far.
            let range = try appendRanges(offsets, elements.count, 0, rows, bytes, to: &column.values)
            for index in column.values.indices.suffix(rows.count) where !column.values[index].isAbsent {
                let list = column.values[index].range
                column.values[index] = ColumnValue(list.lowerBound - start + count..<list.upperBound - start + count)
            }
            return try elements.append(range, from: bytes, to: &column.elements[0])
        }
        for row in rows {
            guard presence.contains(row, in: bytes) else {
                column.values.append(.absent)
                continue
            }
            let (start, length) = (offsets.offset(row, in: bytes), sizes.offset(row, in: bytes))
            guard 0...elements.count ~= start, 0...elements.count - start ~= length else {
                let message = "row \(row + 1) has \(length) elements from element \(start), of \(elements.count)"
                throw offsets.failure(message, at: row)
            }
            try elements.append(start..<start + length, from: bytes, to: &column.elements[0])
            column.values.append(ColumnValue(count..<count + length))
            count += length
        }
    }

    // MARK: UTF-8

    /// True if some bytes are ASCII.
    func isASCII(_ range: Range<Int>, _ bytes: [UInt8]) -> Bool {
        let part = bytes.span.extracting(range)
        // Many are looked at at a time, as none ends the loop.
        var all: UInt8 = 0
        for index in part.indices { all |= part[index] }
        return all < 0x80
    }

    /// Checks a text.
    ///
    /// - Parameters:
    ///   - value: The text.
    ///   - row: Its row in the batch.
    ///   - index: Its row among those that are decoded.
    ///   - bytes: The memory of the batch.
    ///   - part: The part that is named where it is refused.
    ///   - byte: The byte of that part.
    ///   - damaged: Takes its row where it is kept.
    func checkText(
        _ value: ColumnValue, _ row: Int, at index: Int, _ bytes: [UInt8], _ part: StoredPart, _ byte: Int,
        _ damaged: inout [Int]
    ) throws(ColumnFailure) {
        do {
            _ = try UTF8Span(validating: bytes.span.extracting(value.range))
        } catch {
            guard keepsDamagedText else { throw part.failure("the text of row \(row + 1) is not UTF-8", at: byte) }
            damaged.append(index)
        }
    }
}

extension Column {
    /// The number of rows.
    fileprivate var rowCount: Int { dictionary == nil ? values.count : keys.count }
}
