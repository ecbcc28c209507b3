extension StoredColumn {
    /// Adds texts or bytes by their views.
    ///
    /// A view is a length, and either up to 12 bytes, or 4 of them, the number of a part and an offset in it.
    func appendViews(
        _ views: StoredOffsets, _ parts: [StoredPart], _ rows: Range<Int>, _ bytes: [UInt8], to column: inout Column
    ) throws(ColumnFailure) {
        let first = column.values.count
        column.values.resize(to: first + rows.count, filling: .absent)
        var found = FoundViews()
        if let wrong = find(views, parts, rows, bytes, from: first, in: &column.values, &found) {
            throw failure(views, parts, wrong, bytes)
        }
        guard column.content == .text, !found.areASCII || !isASCII(found.extent, bytes) else { return }
        for (index, row) in zip(first..<column.values.count, rows) where !column.values[index].isAbsent {
            try checkText(column.values[index], row, at: index, bytes, views.part, 16 * row, &column.damaged)
        }
    }

    /// The bytes of some texts, as far as their views say.
    private struct FoundViews {
        // The bits of all bytes that are in views.
        var short: UInt64 = 0
        // The first and the last byte of the others, and how many these are.
        var (start, end, total) = (Int.max, 0, 0)

        /// True if no byte in a view is anything but ASCII, and the others lie close to each other.
        var areASCII: Bool { short & 0x8080_8080_8080_8080 == 0 && extent.count <= 2 * total }

        /// The place of the bytes that are in no view.
        var extent: Range<Int> { start < end ? start..<end : 0..<0 }

        @inline(__always)
        mutating func add(_ value: Range<Int>) {
            (start, end, total) = (min(start, value.lowerBound), max(end, value.upperBound), total &+ value.count)
        }
    }

    // Returns the first row whose value is not there.
    private func find(
        _ views: StoredOffsets, _ parts: [StoredPart], _ rows: Range<Int>, _ bytes: [UInt8], from first: Int,
        in values: inout [ColumnValue], _ found: inout FoundViews
    ) -> Int? {
        let memory = views.part.range
        precondition(memory.count >= 16 * rows.upperBound && memory.upperBound <= bytes.count, "a view for each row")
        // SAFETY: bytes are all that they contain.
        let views = unsafe bytes.span.bytes.extracting(memory)
        let parts = parts.span
        var all = values.mutableSpan
        var kept = found
        defer { found = kept }
        for row in rows where presence.contains(row, in: bytes) {
            let byte = 16 &* row
            // SAFETY: a view of 16 bytes for each row was checked to be there, and every pattern of bits is a number.
            let (low, high) = unsafe (
                UInt64(littleEndian: views.unsafeLoadUnaligned(fromUncheckedByteOffset: byte, as: UInt64.self)),
                UInt64(littleEndian: views.unsafeLoadUnaligned(fromUncheckedByteOffset: byte &+ 8, as: UInt64.self))
            )
            let (length, index) = (Int(Int32(truncatingIfNeeded: low)), first &+ (row &- rows.lowerBound))
            if 0...12 ~= length {
                let start = memory.lowerBound &+ 16 &* row &+ 4
                all[index] = ColumnValue(start..<start &+ length)
                kept.short |= low >> 32 | high
                continue
            }
            let (part, offset) = (Int(Int32(truncatingIfNeeded: high)), Int(Int32(truncatingIfNeeded: high >> 32)))
            guard length > 0, parts.indices.contains(part), offset >= 0, offset <= parts[part].range.count &- length
            else { return row }
            let start = parts[part].range.lowerBound &+ offset
            all[index] = ColumnValue(start..<start &+ length)
            kept.add(start..<start &+ length)
        }
        return nil
    }

    private func failure(_ views: StoredOffsets, _ parts: [StoredPart], _ row: Int, _ bytes: [UInt8]) -> ColumnFailure {
        let length = views.offset(4 * row, in: bytes)
        guard length >= 0 else { return views.failure("row \(row + 1) has \(length) bytes", at: 4 * row) }
        let (part, offset) = (views.offset(4 * row + 2, in: bytes), views.offset(4 * row + 3, in: bytes))
        let message = "\(length) bytes from byte \(offset) of part \(part) of row \(row + 1) are not there"
        return views.failure(message, at: 4 * row)
    }
}
