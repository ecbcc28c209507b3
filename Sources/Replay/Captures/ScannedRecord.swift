/// What a scanner found: a record, or only lines between records.
struct ScannedRecord {
    /// Where it stands in the block; `nil` where there were only lines between records.
    let range: Range<Int>?
    /// The record's first line.
    let line: Int
    /// The offset behind it.
    let end: Int
    /// The line that starts there.
    let nextLine: Int
}
