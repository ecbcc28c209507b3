/// Where a scanner found a record.
struct FoundRecord {
    /// Where it starts; `nil` when there were only lines between records.
    let start: Int?
    /// The lines between records before it.
    var skippedLines = 0
    /// The offset behind it.
    let end: Int
    /// The lines up to there.
    let lineCount: Int
}
