/// The place of a record, for messages.
struct RecordPlace {
    /// The capture.
    let path: String
    /// The line, counted from 1; `nil` for a record of columns whose original line is not known.
    let line: Int?
    /// The batch and the row of such a record.
    var row: String?

    /// A message about the record.
    func message(_ text: String) -> String { row.map { "\($0): \(text)" } ?? text }
}
