/// Text as a value of a YAML document, with quotes where it needs or had some.
package enum ScalarText {
    /// The quotes around a value.
    package enum Quotes: Unicode.Scalar {
        case single = "'"
        case double = "\""
    }

    /// Writes a text so that it is read back as it is.
    ///
    /// - Parameters:
    ///   - text: Any text.
    ///   - quotes: The quotes to take if that is possible; `nil` takes some only if they are needed.
    ///   - isInFlow: True between brackets or braces, where more characters have a meaning.
    package static func write(_ text: String, quotes: Quotes? = nil, isInFlow: Bool) -> String {
        if quotes == nil, isPlain(text, isInFlow: isInFlow) { return text }
        let isPrintable = text.unicodeScalars.allSatisfy(\.isPrintableInYAML)
        let hasEscapes = text.unicodeScalars.contains { $0 == "\\" || $0 == "\"" }
        let isSingle = quotes == .single || quotes == nil && hasEscapes
        if isSingle, isPrintable { return "'\(text.replacing("'", with: "''"))'" }
        return "\"\(text.unicodeScalars.map(escaped).joined())\""
    }

    // Careful: a text that looks like anything else is quoted, even if no parser would mind.
    private static func isPlain(_ text: String, isInFlow: Bool) -> Bool {
        guard let first = text.unicodeScalars.first, let last = text.unicodeScalars.last else { return false }
        let starts = first.properties.isAlphabetic || "0"..."9" ~= first || "+/.".unicodeScalars.contains(first)
        return starts && last != " "
            && text.unicodeScalars.allSatisfy { scalar in
                scalar.isPrintableInYAML && !":#&*!|>%@`\\\"'{}[]".unicodeScalars.contains(scalar)
                    && (!isInFlow || scalar != "," && scalar != "?")
            }
    }

    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\"": return "\\\""
        case "\\": return "\\\\"
        case "\n": return "\\n"
        case "\t": return "\\t"
        case _ where scalar.isPrintableInYAML: return String(scalar)
        default:
            let digits = String(scalar.value, radix: 16, uppercase: true)
            let (letter, width) = scalar.value > 0xFFFF ? ("U", 8) : ("u", 4)
            return "\\\(letter)" + String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
    }
}

extension Unicode.Scalar {
    // On one line, seen, and as it is.
    fileprivate var isPrintableInYAML: Bool {
        switch value {
        case 0x20...0x7E, 0xA0...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: !isControlling
        default: false
        }
    }
}
