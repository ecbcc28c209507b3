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

    /// The text with every control character replaced by one that can be seen, so that printing it moves nothing.
    ///
    /// One character becomes one character: columns stay what they were.
    ///
    /// - Parameter keepingTabs: Whether tabs stay tabs.
    /// - Returns: Text that is safe to print.
    package func showingControls(keepingTabs: Bool = false) -> String {
        guard unicodeScalars.contains(where: { $0.isControlling }) else { return self }
        var result = UnicodeScalarView()
        for scalar in unicodeScalars {
            result.append(keepingTabs && scalar == "\t" ? scalar : scalar.visible)
        }
        return String(result)
    }
}

extension Unicode.Scalar {
    /// Whether a terminal might act on it instead of showing it: control characters, marks that turn the direction or end
    /// lines, marks that are not seen, and tags. `JSONBytes` writes the same by their numbers.
    package var isControlling: Bool {
        switch value {
        case 0x00...0x1F, 0x7F...0x9F: true
        case 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF, 0xFFF9...0xFFFB, 0xE0000...0xE007F: true
        default: false
        }
    }

    /// The scalar, or one that can be seen where a terminal might act on it.
    var visible: Unicode.Scalar {
        guard isControlling else { return self }
        let picture: UInt32 =
            switch value {
            case 0x00...0x1F: 0x2400 + value
            case 0x7F: 0x2421
            default: 0xFFFD
            }
        return Unicode.Scalar(picture) ?? "?"
    }
}
