/// A field of words among comma-separated values (RFC 4180).
package enum CSVText {
    /// Appends a field, in quotes if it needs them. If a program for tables would take it for a formula, `'` is put before it;
    /// characters that a terminal would act on are made visible.
    package static func append(_ text: String, to bytes: inout [UInt8]) {
        var field: [UInt8] = []
        if let first = text.utf8.first, formulaSigns.contains(first) { field.append(UInt8(ascii: "'")) }
        VisibleText.append(text, to: &field) { $0 == UInt8(ascii: "\"") ? "\"\"" : nil }
        let needsQuotes = field.contains { quoted.contains($0) }
        if needsQuotes { bytes.append(UInt8(ascii: "\"")) }
        bytes += field
        if needsQuotes { bytes.append(UInt8(ascii: "\"")) }
    }

    // With these the formulas of programs for tables begin.
    private static let formulaSigns = Set("=+-@\t\r".utf8)

    private static let quoted = Set(",\"\r\n; '".utf8)
}
