/// The reason why columns cannot be read, and its place in the input.
package struct ColumnFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The problem, for people.
    package let message: String
    /// Advice on what to do about it, where there is some.
    package let hint: String?
    /// The byte of the input at which it was noticed, counted from 0; of compressed data the start of the buffer.
    package let offset: Int
    /// The batch of records, counted from 1.
    package var batch: Int?
    /// The name of the column.
    package var column: String?

    package init(_ message: String, at offset: Int, hint: String? = nil) {
        (self.message, self.offset, self.hint) = (message, offset, hint)
    }

    /// Does something in a column, and names it in the failure.
    static func naming<Result>(
        column: String? = nil, batch: Int? = nil, _ body: () throws(ColumnFailure) -> Result
    ) throws(ColumnFailure) -> Result {
        do throws(ColumnFailure) {
            return try body()
        } catch {
            var failure = error
            failure.column = failure.column ?? column
            failure.batch = failure.batch ?? batch
            throw failure
        }
    }

    /// The place and the problem: ``byte 4096, batch 3, column `ip`: the offsets decrease at row 17``.
    package var description: String {
        let parts = ["byte \(offset)", batch.map { "batch \($0)" }, column.map { "column `\($0)`" }]
        return parts.compactMap(\.self).joined(separator: ", ") + ": " + message
    }
}

/// Bounds on the sizes that a file may name: what is beyond them is refused before memory is taken for it.
package enum ColumnLimits {
    /// The records of a batch.
    package static let rows = 1 << 20
    /// The values of a dictionary, and the elements of all lists of a batch.
    package static let values = 1 << 26
    /// The bytes of a batch or a dictionary: those that are stored, those that are unpacked, and texts of numbers, together.
    package static let bodyBytes = 1 << 30
    /// The bytes of what describes a batch or a file.
    package static let metadataBytes = 1 << 24
    /// The columns of a schema.
    package static let columns = 4096
    /// The bytes of a column's name.
    package static let nameBytes = 1024
}
