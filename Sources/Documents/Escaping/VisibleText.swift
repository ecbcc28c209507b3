/// Text as bytes in which everything can be seen; the output forms that are written as bytes use it.
package enum VisibleText {
    /// Appends a text in UTF-8, with characters that a terminal would act on, and invisible ones, replaced by visible ones.
    ///
    /// - Parameters:
    ///   - text: Any text.
    ///   - limit: The number of characters after which it is cut; `…` marks the cut.
    ///   - bytes: Gets the text.
    ///   - escape: The replacement of a byte of ASCII; `nil` for the byte itself.
    /// - Complexity: O(length of the text, at most the limit).
    static func append(
        _ text: String, limit: Int = .max, to bytes: inout [UInt8], escape: (UInt8) -> StaticString?
    ) {
        var count = 0
        var visible = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            guard count < limit else { return appendLiteral("…", to: &bytes) }
            count += 1
            if scalar.isControlling {
                visible.appendVisible(scalar)
                for shown in visible { append(shown, to: &bytes, escape) }
                visible.removeAll(keepingCapacity: true)
            } else {
                append(scalar, to: &bytes, escape)
            }
        }
    }

    private static func append(
        _ scalar: Unicode.Scalar, to bytes: inout [UInt8], _ escape: (UInt8) -> StaticString?
    ) {
        if scalar.isASCII {
            let byte = UInt8(truncatingIfNeeded: scalar.value)
            if let replacement = escape(byte) { appendLiteral(replacement, to: &bytes) } else { bytes.append(byte) }
        } else {
            bytes.append(contentsOf: Unicode.UTF8.encode(scalar).map(Array.init) ?? [])
        }
    }

    /// Appends a literal of the program.
    package static func appendLiteral(_ text: StaticString, to bytes: inout [UInt8]) {
        text.withUTF8Buffer { buffer in
            // SAFETY: the buffer is the literal's own and lives for ever.
            unsafe bytes.append(contentsOf: buffer)
        }
    }
}
