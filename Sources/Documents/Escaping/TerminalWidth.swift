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
