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

extension String {
    /// The number of columns that a terminal with a font of fixed width gives to the text, of which no character acts on it
    /// (``showingControls(keepingTabs:keepingLines:)``).
    package var terminalWidth: Int {
        // ASCII is most of what is shown.
        utf8.allSatisfy { $0 < 0x80 } ? utf8.count : unicodeScalars.reduce(0) { $0 + $1.terminalWidth }
    }
}

extension Unicode.Scalar {
    // 2 for East Asian characters that are wide or fullwidth, and for emoji; 0 for what is drawn over another character.
    fileprivate var terminalWidth: Int {
        // Latin letters are much of the rest.
        if value < 0x300 { return 1 }
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark: return 0
        default: break
        }
        switch value {
        // Vowels and final consonants of Hangul are drawn into the syllable.
        case 0x1160...0x11FF, 0xD7B0...0xD7FB: return 0
        // Two letters make a flag.
        case 0x1F1E6...0x1F1FF: return 1
        default: return Self.wide.contains { $0.contains(value) } || properties.isEmojiPresentation ? 2 : 1
        }
    }

    // The blocks of the property East_Asian_Width with the values W and F, emoji aside.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97F,
        0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6,
        0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF, 0x1F200...0x1F265, 0x20000...0x3FFFD,
    ]
}

extension StringProtocol {
    /// True if a reader can see any character of it: not where it has white space, controls and invisible characters alone.
    package var hasVisibleContent: Bool {
        unicodeScalars.contains { scalar in
            !scalar.properties.isWhitespace && !scalar.properties.isDefaultIgnorableCodePoint
                && scalar.properties.generalCategory != .control
        }
    }
}
