/// A record that makes no sense.
package struct MalformedRecord: Sendable {
    /// Why; its line is counted from the start of the block.
    package let problem: RecordProblem
    /// Where it stands in the block.
    let range: Range<Int>
}
