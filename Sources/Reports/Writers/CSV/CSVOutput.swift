internal import Documents

/// Comma-separated values as bytes (RFC 4180).
struct CSVOutput {
    /// The output so far.
    private(set) var bytes: [UInt8] = []
    private var isAtStart = true

    /// Writes a field of words.
    mutating func field(_ text: String) {
        separate()
        CSVText.append(text, to: &bytes)
    }

    /// Writes a field that no stranger chose, such as a device ID, unchanged.
    mutating func plain(_ text: String) {
        separate()
        bytes += text.utf8
    }

    /// Writes a field of a figure.
    mutating func field(_ number: Int) { plain(String(number)) }

    /// Ends the row.
    mutating func endRow() {
        VisibleText.appendLiteral("\r\n", to: &bytes)
        isAtStart = true
    }

    private mutating func separate() {
        if !isAtStart { bytes.append(UInt8(ascii: ",")) }
        isAtStart = false
    }
}
