/// The names of columns that say where a record comes from; they are no attributes.
package enum ColumnNames {
    /// The line of the original capture at which the record starts, counted from 1.
    package static let originLine = "origin-line"
    /// The path of the original capture.
    package static let originCapture = "origin-capture"
    /// The number of the record among the valid ones of all captures that were split, counted from 0.
    package static let originRecord = "origin-record"

    /// All of them.
    static let origins = [originLine, originCapture, originRecord]
}
