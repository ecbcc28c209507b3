/// Some whole records of a capture, in memory that is used again and again.
package struct CaptureBlock: Sendable {
    /// The memory. Behind ``end`` lies padding that JSON parsing may read.
    var bytes: [UInt8] = []
    /// The offset behind the last record; the first starts at 0.
    var end = 0
    /// Whether nothing comes behind it.
    package var isLast = false

    package init() {}

    /// Whether the last line lacks its newline.
    package var lacksFinalNewline: Bool { end > 0 && bytes[end - 1] != UInt8(ascii: "\n") }
}
