internal import PolicyEngine

/// A record of a capture on its way to the device that it is about.
package struct ParsedRecord<Findings: Sendable>: Sendable {
    let id: DeviceID
    let time: Instant
    var flags: FlagSet
    /// What its attributes came to.
    let findings: Findings
    /// Whether the service passed it, where the record tells.
    let capturedVerdict: Bool?
    /// The line at which it starts, counted from 1 at the start of its block.
    let line: Int32
    private let start: Int32
    private let end: Int32

    init(
        id: DeviceID, time: Instant, flags: FlagSet, findings: Findings, capturedVerdict: Bool?, line: Int,
        range: Range<Int>
    ) {
        (self.id, self.time, self.flags, self.findings) = (id, time, flags, findings)
        self.capturedVerdict = capturedVerdict
        // Blocks are much shorter than 2 GiB.
        self.line = Int32(line)
        (start, end) = (Int32(range.lowerBound), Int32(range.upperBound))
    }

    /// Where it stands in its block.
    var range: Range<Int> { Int(start)..<Int(end) }
}
