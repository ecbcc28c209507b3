/// A request to split captures.
package struct SplitRequest: Sendable {
    /// The captures, in the order of time; `-` is standard input.
    package var captures: [String]
    /// The number of parts of the devices that there are to be.
    package var shards: Int
    /// The folder to write, which must not be there.
    package var output: String
    /// The bytes of the only capture in which the records start that are split; `nil` for all.
    package var range: Range<Int>?
    /// The kind of the captures; `nil` where their content decides.
    package var format: CaptureFormat?
    /// The time zones that text captures may name.
    package var zones = TimeZones()
    /// Bytes that are read at a time; the records of the parts do not depend on it.
    package var blockBytes = CaptureLimits.blockBytes
    /// Bytes of records that are packed together at most, unless one is longer; `nil` for what fits into the memory.
    package var chunkBytes: Int?

    package init(captures: [String], shards: Int, output: String) {
        (self.captures, self.shards, self.output) = (captures, shards, output)
    }
}
