extension String {
    /// The text in backticks, cut where it is very long, as messages repeat what the user wrote.
    package var quoted: String {
        let scalars = unicodeScalars
        let limit = DocumentLimits.quotationLength
        guard let end = scalars.index(scalars.startIndex, offsetBy: limit, limitedBy: scalars.endIndex),
            end < scalars.endIndex
        else { return "`\(self)`" }
        return "`\(self[..<end])…`"
    }

    /// The text with characters that a terminal would act on, and invisible ones, written so that they are seen and move nothing.
    ///
    /// - Parameters:
    ///   - keepingTabs: True if tabs stay tabs.
    ///   - keepingLines: True if line feeds stay line feeds.
    /// - Returns: Text that is safe to print.
    package func showingControls(keepingTabs: Bool = false, keepingLines: Bool = false) -> String {
        guard unicodeScalars.contains(where: \.isControlling) else { return self }
        var result = UnicodeScalarView()
        for scalar in unicodeScalars {
            let isKept = keepingTabs && scalar == "\t" || keepingLines && scalar == "\n"
            if isKept { result.append(scalar) } else { result.appendVisible(scalar) }
        }
        return String(result)
    }
}

extension String.UnicodeScalarView {
    /// Appends a scalar, or a visible form of it: the picture of a control character of ASCII, or else the number, as `<U+200B>`.
    mutating func appendVisible(_ scalar: Unicode.Scalar) {
        guard scalar.isControlling else { return append(scalar) }
        switch scalar.value {
        case 0x00...0x1F: append(Unicode.Scalar(0x2400 + scalar.value) ?? "?")
        case 0x7F: append("␡")
        default:
            let digits = String(scalar.value, radix: 16, uppercase: true)
            self += "<U+\(String(repeating: "0", count: Swift.max(0, 4 - digits.count)))\(digits)>".unicodeScalars
        }
    }
}

extension Unicode.Scalar {
    /// True if a terminal might act on it, or shows nothing for it: control characters, characters that end lines or annotate,
    /// and those of Unicode's property Default_Ignorable_Code_Point, among them characters that turn the direction, join or fill.
    /// `JSONBytes` writes the same by their numbers.
    package var isControlling: Bool {
        switch value {
        case 0x20...0x7E: false
        case 0x00...0x1F, 0x7F...0x9F, 0x2028, 0x2029, 0xFFF9...0xFFFB: true
        default: properties.isDefaultIgnorableCodePoint
        }
    }
}
