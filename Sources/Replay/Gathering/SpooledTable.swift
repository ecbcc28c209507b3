internal import Columns
internal import Documents

/// Rows on their way into a file of columns: gathered batch by batch, and kept on the disk until the last one is there.
struct SpooledTable: Sendable {
    /// The rows of the current batch, and the batches before it.
    private(set) var table: GatheredTable
    /// Why batches could not be kept.
    private(set) var failure: FileFailure?
    private let spool: SpoolFile
    private let limits: GatheringLimits
    private var batch: [UInt8] = []
    // Of the batches in the spool, which other tables may use, too.
    private var offsets: [Int] = []
    private var byteCount = 0

    /// - Parameters:
    ///   - numberColumns: The number of columns of numbers.
    ///   - spool: Takes the batches.
    ///   - limits: The limits of batches.
    init(numberColumns: Int, spool: SpoolFile, limits: GatheringLimits) {
        (self.spool, self.limits) = (spool, limits)
        table = GatheredTable(numberColumns: numberColumns)
    }

    /// Gives the current row a value by its key in a dictionary.
    @inline(__always)
    mutating func append(key: Int32, to column: Int) { table.append(key: key, to: column) }

    /// Gives the current row and those behind it values by their keys in a dictionary; a negative key is absent.
    mutating func append(keys: [Int32], to column: Int) { table.append(keys: keys, to: column) }

    /// Gives the current row and those behind it values that are in no dictionary; `nil` is absent.
    mutating func append(texts: [ArraySlice<UInt8>?], to column: Int) { table.append(texts: texts, to: column) }

    /// Gives the current row a number; each column of numbers has one for each row.
    @inline(__always)
    mutating func append(number: Int, to column: Int) { table.append(number: Int64(number), to: column) }

    /// Gives the current row and those behind it numbers.
    mutating func append(numbers: [Int64], to column: Int) { table.append(numbers: numbers, to: column) }

    /// True if rows behind those of the current batch complete it.
    ///
    /// - Parameters:
    ///   - count: The number of these rows.
    ///   - bytes: The bytes of their values, or more.
    func isFull(with count: Int, bytes: Int) -> Bool {
        table.rowCount + count >= limits.rows || byteCount + bytes >= limits.bytes
    }

    /// Ends the current row, or as many rows as were given values.
    ///
    /// - Parameter bytes: The bytes of their values, or more.
    mutating func endRows(_ count: Int = 1, bytes: Int) {
        table.endRows(count)
        byteCount += bytes
        if isFull(with: 0, bytes: 0) { endBatch() }
    }

    private mutating func endBatch() {
        byteCount = 0
        table.takeBatch(into: &batch)
        guard failure == nil else { return }
        do throws(FileFailure) { offsets.append(try spool.append(batch)) } catch { failure = error }
    }

    /// Ends the last batch.
    mutating func finish() { if table.rowCount > 0 { endBatch() } }

    /// Goes through the batches and their bytes.
    ///
    /// - Throws: ``FileFailure``, also if a batch could not be kept.
    func forEachBatch(_ body: (GatheredTable.Batch, [UInt8]) throws(FileFailure) -> Void) throws(FileFailure) {
        if let failure { throw failure }
        var bytes: [UInt8] = []
        for (batch, offset) in zip(table.batches, offsets) {
            try spool.read(into: &bytes, count: batch.byteCount, at: offset)
            try body(batch, bytes)
        }
    }
}

/// Limits of what is in memory at a time, here and when the file is read.
package struct GatheringLimits: Sendable {
    /// The rows of a batch.
    package var rows = 1 << 16
    /// The bytes of the records of a batch; one record more may have 64 MiB.
    package var bytes = 1 << 28
    /// The values of a dictionary: a column with more has none.
    package var values = 1 << 20
    /// The bytes of the values of a dictionary.
    package var valueBytes = 1 << 26

    package init() {}

    // The rows of all tables that are gathered at a time, and the fewest of a batch.
    private static let (allRows, leastRows) = (1 << 19, 16)

    /// The limits of one of several tables that are gathered at a time, so that all of them fit into the memory.
    func shared(by count: Int) -> GatheringLimits {
        var limits = self
        limits.rows = min(rows, max(Self.leastRows, Self.allRows / count))
        limits.bytes = max(1, bytes / count)
        return limits
    }
}
