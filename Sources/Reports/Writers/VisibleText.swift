/// Text of strangers, made harmless for every form: names come from files and devices of others.
///
/// Each form escapes its own marks besides, in one place: ``HTMLOutput``, ``CSVOutput``, ``MetricsOutput``.
enum VisibleText {
    /// Appends a text in UTF-8, with what acts instead of being seen replaced: control characters by their pictures, and
    /// marks that turn the direction or stay invisible by U+FFFD.
    ///
    /// - Parameters:
    ///   - text: Any text.
    ///   - limit: After how many characters it is cut; `…` then says so.
    ///   - bytes: Gets the text.
    ///   - escape: What stands for a byte of ASCII; `nil` for the byte itself.
    /// - Complexity: O(length of the text, at most the limit).
    static func append(
        _ text: String, limit: Int = .max, to bytes: inout [UInt8], escape: (UInt8) -> StaticString? = { _ in nil }
    ) {
        var count = 0
        for scalar in text.unicodeScalars {
            guard count < limit else { return appendLiteral("…", to: &bytes) }
            count += 1
            let visible = visible(scalar)
            if visible.isASCII {
                let byte = UInt8(truncatingIfNeeded: visible.value)
                if let replacement = escape(byte) { appendLiteral(replacement, to: &bytes) } else { bytes.append(byte) }
            } else {
                bytes.append(contentsOf: Unicode.UTF8.encode(visible).map(Array.init) ?? [])
            }
        }
    }

    /// The text with what acts replaced.
    static func text(_ text: String) -> String {
        var bytes: [UInt8] = []
        append(text, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends a text that stands in the program.
    static func appendLiteral(_ text: StaticString, to bytes: inout [UInt8]) {
        text.withUTF8Buffer { buffer in
            // SAFETY: the buffer is the literal's own and lives for ever.
            unsafe bytes.append(contentsOf: buffer)
        }
    }

    private static func visible(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        switch scalar.value {
        case 0x00...0x1F: Unicode.Scalar(0x2400 + scalar.value) ?? replacement
        case 0x7F: "\u{2421}"
        // Control characters; marks of direction; ends of lines; marks that are not seen; tags.
        case 0x80...0x9F, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF, 0xFFF9...0xFFFB,
            0xE0000...0xE007F:
            replacement
        default: scalar
        }
    }

    private static let replacement: Unicode.Scalar = "\u{FFFD}"
}
