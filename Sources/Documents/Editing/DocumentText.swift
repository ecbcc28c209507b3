/// The text of a document as it is edited: Unicode scalars, counted from 0, as the parser counts them.
package struct DocumentText: Sendable {
    private(set) var scalars: [Unicode.Scalar]

    init(_ text: String) {
        scalars = Array(text.unicodeScalars)
    }

    /// The text as a string.
    package var string: String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        return String(view)
    }

    /// Replaces a part by a text.
    mutating func replace(_ range: Range<Int>, with text: String) {
        scalars.replaceSubrange(range, with: text.unicodeScalars)
    }

    /// The scalar at an offset; `nil` at the end.
    func scalar(at offset: Int) -> Unicode.Scalar? { offset < scalars.count ? scalars[offset] : nil }

    /// The offset at which the line with an offset starts.
    func lineStart(of offset: Int) -> Int {
        var start = offset
        while start > 0, !scalars[start - 1].isLineBreak { start -= 1 }
        return start
    }

    /// The offset at which the line with an offset ends, before its line break.
    func lineEnd(of offset: Int) -> Int {
        var end = offset
        while let scalar = scalar(at: end), !scalar.isLineBreak { end += 1 }
        return end
    }

    /// The offset at which the next line starts; the end of the text if there is none.
    func nextLine(after offset: Int) -> Int {
        let end = lineEnd(of: offset)
        guard let scalar = scalar(at: end) else { return end }
        return scalar == "\r" && self.scalar(at: end + 1) == "\n" ? end + 2 : end + 1
    }

    /// The offset of the first scalar from an offset on that is neither a space nor a tab.
    func skippingBlanks(from offset: Int) -> Int {
        var end = offset
        while let scalar = scalar(at: end), scalar.isBlank { end += 1 }
        return end
    }

    /// True if a part holds spaces and tabs only.
    func isBlank(_ range: Range<Int>) -> Bool { scalars[range].allSatisfy(\.isBlank) }

    /// The end of a part without the blanks and line breaks that it ends with.
    func contentEnd(of range: Range<Int>) -> Int {
        var end = min(range.upperBound, scalars.count)
        while end > range.lowerBound, scalars[end - 1].isBlank || scalars[end - 1].isLineBreak { end -= 1 }
        return end
    }

    /// The end of the line behind which new lines of a block go: comments that are indented more than the block belong to the
    /// text above them.
    ///
    /// - Parameters:
    ///   - offset: The end of the block's content.
    ///   - indentation: The indentation of the block.
    func extentEnd(from offset: Int, deeperThan indentation: Int) -> Int {
        var end = lineEnd(of: offset)
        while scalar(at: end) != nil {
            let start = nextLine(after: end)
            let content = skippingBlanks(from: start)
            guard scalar(at: content) == "#", content - start > indentation else { break }
            end = lineEnd(of: content)
        }
        return end
    }

    /// The line break that the text uses first.
    var lineBreak: String {
        guard let first = scalars.firstIndex(where: \.isLineBreak), scalars[first] == "\r" else { return "\n" }
        return scalar(at: first + 1) == "\n" ? "\r\n" : "\r"
    }
}

extension Unicode.Scalar {
    // As YAML 1.1 has them.
    fileprivate var isLineBreak: Bool {
        switch value {
        case 0x0A, 0x0D, 0x85, 0x2028, 0x2029: true
        default: false
        }
    }

    fileprivate var isBlank: Bool { self == " " || self == "\t" }
}
