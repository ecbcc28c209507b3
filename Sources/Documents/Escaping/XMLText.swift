/// Text in XML 1.0, in attributes and between tags.
package enum XMLText {
    /// The text as it is written. Characters that XML does not have are replaced, and characters that a terminal would act on are
    /// written by their numbers.
    package static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "\n", "\t", "\r": result += "&#\(scalar.value);"
            default: append(scalar, to: &result)
            }
        }
        return result
    }

    private static func append(_ scalar: Unicode.Scalar, to result: inout String) {
        if !isAllowed(scalar) {
            result += "\u{FFFD}"
        } else if scalar.isControlling {
            result += "&#\(scalar.value);"
        } else {
            result.unicodeScalars.append(scalar)
        }
    }

    // The characters that XML 1.0 has; others cannot be written, not even by their number.
    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: true
        default: false
        }
    }
}
