/// Comma-separated values as bytes (RFC 4180). Fields of strangers are made harmless here only.
struct CSVOutput {
    /// What was written so far.
    private(set) var bytes: [UInt8] = []
    private var isAtStart = true

    /// Writes a field of words. Where a program for tables would take it for a formula, `'` stands before it.
    mutating func field(_ text: String) {
        var content: [UInt8] = []
        if let first = text.utf8.first, Self.formulaSigns.contains(first) { content.append(UInt8(ascii: "'")) }
        VisibleText.append(text, to: &content) { $0 == UInt8(ascii: "\"") ? "\"\"" : nil }
        write(content)
    }

    /// Writes a field that no stranger chose, such as a device ID, as it stands.
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

    // With these the formulas of programs for tables begin.
    private static let formulaSigns = Set("=+-@\t\r".utf8)

    private static let quoted = Set(",\"\r\n; '".utf8)

    private mutating func write(_ content: [UInt8]) {
        separate()
        let needsQuotes = content.contains { Self.quoted.contains($0) }
        if needsQuotes { bytes.append(UInt8(ascii: "\"")) }
        bytes += content
        if needsQuotes { bytes.append(UInt8(ascii: "\"")) }
    }

    private mutating func separate() {
        if !isAtStart { bytes.append(UInt8(ascii: ",")) }
        isAtStart = false
    }
}
