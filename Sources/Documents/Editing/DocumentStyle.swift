/// The style of a document, so that new parts look like the existing ones.
struct DocumentStyle: Sendable {
    /// True if mappings inside the document are in braces.
    private(set) var bracesMappings = true
    /// True if lists of texts are in brackets.
    private(set) var bracketsTexts = true
    /// True if lists of mappings are in brackets.
    private(set) var bracketsMappings = false
    /// True if braces have a space inside.
    private(set) var padsBraces = false
    /// The number of columns that a dash is indented further than the key above it.
    private(set) var dashIndentation = 2
    /// The number of columns that a key is indented further than the key above it.
    private(set) var keyIndentation = 2
    /// The line break of the document.
    private(set) var lineBreak = "\n"

    /// The style of a new document whose mappings are blocks.
    static let blocks: DocumentStyle = {
        var style = DocumentStyle()
        style.bracesMappings = false
        return style
    }()

    private init() {}

    /// Finds the style of a document; properties that it does not show are as in the reference.
    ///
    /// - Complexity: O(number of values).
    init(of root: Node, in text: DocumentText) {
        lineBreak = text.lineBreak
        var seen = Seen()
        look(at: root, indentation: nil, in: text, &seen)
        bracesMappings = seen.blockMappings == 0 || seen.bracedMappings > 0
        bracketsTexts = seen.blockTexts == 0 || seen.bracketedTexts > 0
        bracketsMappings = seen.blockLists == 0 && seen.bracketedLists > 0
    }

    private struct Seen {
        var (bracedMappings, blockMappings, bracketedTexts, blockTexts) = (0, 0, 0, 0)
        var (bracketedLists, blockLists) = (0, 0)
        var hasDash = false
        var hasKey = false
    }

    // `indentation` is that of the key whose value the node is; `nil` for the outermost one and for items.
    private mutating func look(at node: Node, indentation: Int?, in text: DocumentText, _ seen: inout Seen) {
        let start = node.range.lowerBound
        let isFlow = text.scalar(at: start) == "{" || text.scalar(at: start) == "["
        let column = start - text.lineStart(of: start)
        switch node.content {
        case .scalar: break
        case .sequence(let items) where !items.isEmpty:
            count(items, isFlow: isFlow, &seen)
            if !isFlow, !seen.hasDash, let indentation {
                (dashIndentation, seen.hasDash) = (max(0, column - indentation), true)
            }
            for item in items { look(at: item, indentation: nil, in: text, &seen) }
        case .mapping(let entries) where !entries.isEmpty:
            if isFlow {
                seen.bracedMappings += 1
                if text.scalar(at: start + 1) == " " { padsBraces = true }
            } else if let indentation {
                seen.blockMappings += 1
                if !seen.hasKey { (keyIndentation, seen.hasKey) = (max(1, column - indentation), true) }
            } else if start > 0, column > 0 {
                seen.blockMappings += 1
            }
            for entry in entries {
                let key = entry.keyRange.lowerBound
                look(at: entry.value, indentation: key - text.lineStart(of: key), in: text, &seen)
            }
        case .sequence, .mapping: break
        }
    }

    private func count(_ items: [Node], isFlow: Bool, _ seen: inout Seen) {
        let isOfTexts = items.allSatisfy { if case .scalar = $0.content { true } else { false } }
        switch (isOfTexts, isFlow) {
        case (true, true): seen.bracketedTexts += 1
        case (true, false): seen.blockTexts += 1
        case (false, true): seen.bracketedLists += 1
        case (false, false): seen.blockLists += 1
        }
    }
}

// MARK: Writing

extension DocumentStyle {
    /// A value on one line, as it is written between brackets or braces.
    func flow(_ value: DocumentValue) -> String {
        switch value {
        case .text(let text): return ScalarText.write(text, isInFlow: true)
        case .list(let items): return "[\(items.map(flow).joined(separator: ", "))]"
        case .mapping(let entries):
            let inner = entries.map(flow).joined(separator: ", ")
            return padsBraces && !inner.isEmpty ? "{ \(inner) }" : "{\(inner)}"
        }
    }

    /// An entry on one line, as it is written between braces.
    func flow(_ entry: DocumentField) -> String { "\(entry.key): \(entry.value.map(flow) ?? "")" }

    /// An entry as lines of a block.
    ///
    /// - Parameter indentation: The spaces before the key.
    func lines(of entry: DocumentField, indentation: Int) -> [String] {
        let start = Self.spaces(indentation) + "\(entry.key):"
        guard let value = entry.value else { return [start] }
        switch value {
        case .text(let text): return ["\(start) \(ScalarText.write(text, isInFlow: false))"]
        case .mapping(let entries) where !bracesMappings && !entries.isEmpty:
            return [start] + entries.flatMap { lines(of: $0, indentation: indentation + keyIndentation) }
        case .list(let items) where !isBracketed(value) && !items.isEmpty:
            return [start] + items.flatMap { lines(ofItem: $0, indentation: indentation + dashIndentation) }
        case .list, .mapping: return ["\(start) \(flow(value))"]
        }
    }

    /// An item as lines of a block.
    ///
    /// - Parameters:
    ///   - indentation: The spaces before the dash.
    ///   - isBraced: True if a mapping is written in braces; `nil` as the document has it.
    func lines(ofItem value: DocumentValue, indentation: Int, isBraced: Bool? = nil) -> [String] {
        let dash = Self.spaces(indentation) + "- "
        switch value {
        case .text(let text): return [dash + ScalarText.write(text, isInFlow: false)]
        case .mapping(let entries) where !(isBraced ?? bracesMappings) && !entries.isEmpty:
            let lines = entries.flatMap { self.lines(of: $0, indentation: indentation + 2) }
            return [dash + lines[0].dropFirst(indentation + 2)] + lines.dropFirst()
        case .list, .mapping: return [dash + flow(value)]
        }
    }

    /// True if a new list is written in brackets.
    func isBracketed(_ list: DocumentValue) -> Bool { list.isListOfTexts ? bracketsTexts : bracketsMappings }

    private static func spaces(_ count: Int) -> String { String(repeating: " ", count: count) }
}

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
