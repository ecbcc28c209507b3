/// Rows that are gathered before it is known which columns their file has, and how many values these have: so how wide their keys
/// are.
///
/// Each batch is handed over as plain bytes, which the caller keeps until the last row; then the columns are made of them.
package struct GatheredTable: Sendable {
    /// The batches that were handed over, in their order.
    package private(set) var batches: [Batch] = []
    /// The rows since then.
    package private(set) var rowCount = 0
    private var keyed: [KeyedRows] = []
    private var numbers: [[Int64]]

    /// A batch that was handed over.
    package struct Batch: Sendable {
        /// The number of its rows.
        package let rowCount: Int
        /// The number of its bytes.
        package let byteCount: Int
        // By column; a column that came later has none.
        fileprivate let keyed: [KeyedRows.Place?]
        fileprivate let numbers: [Range<Int>]
    }

    /// - Parameter numberColumns: The columns of numbers; those of keys are made when they get a value.
    package init(numberColumns: Int) { numbers = Array(repeating: [], count: numberColumns) }

    /// Gives the current row a value by its key in a dictionary.
    @inline(__always)
    package mutating func append(key: Int32, to column: Int) {
        while keyed.count <= column { keyed.append(KeyedRows()) }
        keyed[column].append(key, row: rowCount)
    }

    /// Gives the current row and those behind it values by their keys in a dictionary; a negative key is absent.
    package mutating func append(keys: [Int32], to column: Int) {
        guard keys.contains(where: { $0 >= 0 }) else { return }
        while keyed.count <= column { keyed.append(KeyedRows()) }
        keyed[column].append(keys, row: rowCount)
    }

    /// Gives the current row and those behind it values that are in no dictionary; `nil` is absent.
    package mutating func append(texts: [ArraySlice<UInt8>?], to column: Int) {
        while keyed.count <= column { keyed.append(KeyedRows()) }
        for (index, text) in texts.enumerated() {
            if let text { keyed[column].append(text, row: rowCount + index) }
        }
    }

    /// Gives the current row a number; each column of numbers has one for each row.
    @inline(__always)
    package mutating func append(number: Int64, to column: Int) { numbers[column].append(number) }

    /// Gives the current row and those behind it numbers.
    package mutating func append(numbers: [Int64], to column: Int) { self.numbers[column] += numbers }

    /// Ends the current row, or as many rows as were given values.
    @inline(__always)
    package mutating func endRows(_ count: Int = 1) { rowCount += count }

    /// Hands the rows over as a batch.
    ///
    /// - Parameter output: Takes the bytes, in place of its content.
    package mutating func takeBatch(into output: inout [UInt8]) {
        output.removeAll(keepingCapacity: true)
        var places: [KeyedRows.Place?] = []
        for column in keyed.indices { places.append(keyed[column].take(rowCount, to: &output)) }
        var ranges: [Range<Int>] = []
        for column in numbers.indices {
            ranges.append(output.append(numbers[column].narrowed(to: Int64.self, from: .min)))
            numbers[column].removeAll(keepingCapacity: true)
        }
        batches.append(Batch(rowCount: rowCount, byteCount: output.count, keyed: places, numbers: ranges))
        rowCount = 0
    }

    /// The numbers of a column of a batch.
    ///
    /// - Parameter bytes: The bytes of the batch.
    package func numbers(_ column: Int, of batch: Batch, in bytes: [UInt8]) -> [Int64] {
        bytes.numbers(in: batch.numbers[column])
    }

    /// The keys of a column of a batch, in which each value has one.
    ///
    /// - Parameter bytes: The bytes of the batch.
    package func keys(_ column: Int, of batch: Batch, in bytes: [UInt8]) -> [Int32] {
        let place = column < batch.keyed.count ? batch.keyed[column] : nil
        return place?.keys(in: bytes) ?? Array(repeating: KeyedRows.absent, count: batch.rowCount)
    }

    /// The values of a column of a batch, of which some may have no key.
    ///
    /// - Parameters:
    ///   - bytes: The bytes of the batch.
    ///   - dictionary: The values of the keys.
    package func values(_ column: Int, of batch: Batch, in bytes: [UInt8], dictionary: ValueList) -> ValueList {
        let place = column < batch.keyed.count ? batch.keyed[column] : nil
        var values = ValueList()
        guard let place else {
            for _ in 0..<batch.rowCount { values.appendAbsent() }
            return values
        }
        let ends: [Int32] = bytes.numbers(in: place.ends)
        for key in place.keys(in: bytes) {
            if key >= 0 {
                values.append(dictionary[Int(key)])
            } else if key == KeyedRows.absent {
                values.appendAbsent()
            } else {
                let text = KeyedRows.text(ofKey: key)
                let range = (text == 0 ? 0 : Int(ends[text - 1]))..<Int(ends[text])
                values.append(
                    bytes[place.texts.lowerBound + range.lowerBound..<place.texts.lowerBound + range.upperBound])
            }
        }
        return values
    }

    /// True if no row of the batches has a value in a column.
    package func isEmpty(_ column: Int) -> Bool {
        !batches.contains { column < $0.keyed.count && $0.keyed[column] != nil }
    }
}

/// The keys of one column in the rows of a batch, with values that have no key.
private struct KeyedRows: Sendable {
    private var keys: [Int32] = []
    private var texts = ValueList()

    static let absent: Int32 = -1

    /// The index of a text whose row has a key below ``absent``.
    static func text(ofKey key: Int32) -> Int { Int(-2 - key) }

    /// The place of a batch's keys and texts in its bytes.
    struct Place: Sendable {
        let bits: Int
        let keys: Range<Int>
        let ends: Range<Int>
        let texts: Range<Int>

        func keys(in bytes: [UInt8]) -> [Int32] {
            switch bits {
            case 8: (bytes.numbers(in: keys) as [Int8]).map(Int32.init)
            case 16: (bytes.numbers(in: keys) as [Int16]).map(Int32.init)
            default: bytes.numbers(in: keys)
            }
        }
    }

    @inline(__always)
    mutating func append(_ key: Int32, row: Int) {
        while keys.count < row { keys.append(Self.absent) }
        keys.append(key)
    }

    mutating func append(_ others: [Int32], row: Int) {
        keys.resize(to: row, filling: Self.absent)
        keys += others
    }

    mutating func append(_ text: ArraySlice<UInt8>, row: Int) {
        append(Int32(-2 - texts.count), row: row)
        texts.append(text)
    }

    // `nil` where no row has a value.
    mutating func take(_ count: Int, to output: inout [UInt8]) -> Place? {
        guard !keys.isEmpty else { return nil }
        while keys.count < count { keys.append(Self.absent) }
        var (least, greatest) = (Int32(0), Int32(0))
        for key in keys { (least, greatest) = (min(least, key), max(greatest, key)) }
        let bits = least >= -1 << 7 && greatest < 1 << 7 ? 8 : least >= -1 << 15 && greatest < 1 << 15 ? 16 : 32
        let part =
            switch bits {
            case 8: keys.narrowed(to: Int8.self, from: .min)
            case 16: keys.narrowed(to: Int16.self, from: .min)
            default: keys.narrowed(to: Int32.self, from: .min)
            }
        let place = Place(
            bits: bits, keys: output.append(part), ends: output.append(texts.ends.narrowed(to: Int32.self, from: .min)),
            texts: output.append(texts.bytes))
        keys.removeAll(keepingCapacity: true)
        texts.clear()
        return place
    }
}

extension [UInt8] {
    // Appends bytes, and returns where they are.
    fileprivate mutating func append(_ part: [UInt8]) -> Range<Int> {
        let start = count
        self += part
        return start..<count
    }

    /// The numbers in some of the bytes, the little end first.
    func numbers<Number: FixedWidthInteger & BitwiseCopyable>(in range: Range<Int>) -> [Number] {
        let size = MemoryLayout<Number>.size
        return unsafe withUnsafeBytes { bytes in
            // SAFETY: the slice checks the range, and each number lies in it.
            let part = unsafe UnsafeRawBufferPointer(rebasing: bytes[range])
            return (0..<range.count / size).map { index in
                Number(littleEndian: unsafe part.loadUnaligned(fromByteOffset: index * size, as: Number.self))
            }
        }
    }
}
