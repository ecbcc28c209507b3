/// Reads a strict part of TOML 1.0: bare keys, strings on one line, whole and decimal numbers, booleans, arrays of strings, and
/// one level of tables.
package struct TOMLParser {
    private let source: SourceFile
    private let text: [Unicode.Scalar]
    private var index = 0
    private var position = SourcePosition(line: 1, column: 1)
    private var entries: [TOMLEntry] = []
    private var tables: Set<String> = []
    // The keys of each table, and of none.
    private var keys: [String: Set<String>] = [:]
    private var diagnostics = Diagnostics()

    /// Why a line is not read: at a position.
    private struct Mistake: Error {
        let position: SourcePosition
        let message: String
        var hint: String?
    }

    private init(_ source: SourceFile) {
        self.source = source
        text = Array(source.text.unicodeScalars)
    }

    /// Reads the bytes of a file.
    ///
    /// - Returns: The entries in their order, and everything that is wrong, a mistake for each line; never traps.
    /// - Complexity: O(length).
    package static func parse(bytes: [UInt8], path: String) -> (entries: [TOMLEntry], diagnostics: Diagnostics) {
        guard bytes.count <= DocumentLimits.maximumBytes, let text = String(validating: bytes, as: UTF8.self) else {
            return ([], Diagnostics(Diagnostic(file: path, message: "the file is not valid UTF-8, or too long")))
        }
        var parser = TOMLParser(SourceFile(path: path, text: text))
        parser.readAll()
        return (parser.entries, parser.diagnostics)
    }

    private mutating func readAll() {
        var table = ""
        while current != nil {
            do throws(Mistake) {
                try readLine(&table)
            } catch {
                diagnostics.add(
                    Diagnostic(in: source, at: error.position, message: error.message, hint: error.hint))
                while let scalar = current, scalar != "\n" { advance() }
                advance()
            }
        }
    }

    private mutating func readLine(_ table: inout String) throws(Mistake) {
        skipSpace()
        if let scalar = current, scalar != "#", scalar != "\n", scalar != "\r" {
            if scalar == "[" { table = try readTable() } else { try readEntry(in: table) }
        }
        try endLine()
    }

    private mutating func readTable() throws(Mistake) -> String {
        let start = position
        advance()
        skipSpace()
        let name = try readKey("the name of a table")
        skipSpace()
        guard skip("]") else {
            throw mistake("`]` is missing behind the name of a table", hint: "a table is within no other one")
        }
        guard tables.insert(name).inserted, keys[""]?.contains(name) != true else {
            throw Mistake(position: start, message: "the table or key \(name.quoted) is given more than once")
        }
        return name
    }

    private mutating func readEntry(in table: String) throws(Mistake) {
        let start = position
        let key = try readKey("a key")
        skipSpace()
        guard skip("=") else { throw mistake("`=` is missing behind the key \(key.quoted)") }
        skipSpace()
        let valueStart = position
        let value = try readValue()
        guard keys[table, default: []].insert(key).inserted else {
            throw Mistake(position: start, message: "the key \(key.quoted) is given more than once")
        }
        entries.append(TOMLEntry(table: table, key: key, value: value, keyPosition: start, position: valueStart))
    }

    private mutating func readKey(_ what: String) throws(Mistake) -> String {
        var key = ""
        while let scalar = current, scalar.isBareKey {
            key.unicodeScalars.append(scalar)
            advance()
        }
        guard !key.isEmpty else {
            throw mistake("\(what) is expected", hint: "keys have letters, digits, `-` and `_`, without quotes")
        }
        return key
    }

    private mutating func readValue() throws(Mistake) -> TOMLValue {
        switch current {
        case "\"", "'": .string(try readString())
        case "[": .strings(try readStrings())
        default: try readWord()
        }
    }

    private mutating func readWord() throws(Mistake) -> TOMLValue {
        let start = position
        var word = ""
        while let scalar = current, scalar.isBareKey || scalar == "+" || scalar == "." {
            word.unicodeScalars.append(scalar)
            advance()
        }
        if let value = TOMLValue(word: word) { return value }
        throw Mistake(
            position: start, message: word.isEmpty ? "a value is missing" : "\(word.quoted) is not a value",
            hint: "a text is in quotes; numbers, `true` and `false` are not, and dates are texts here")
    }

    private mutating func readStrings() throws(Mistake) -> [String] {
        var strings: [String] = []
        advance()
        while true {
            try skipBetweenItems()
            if skip("]") { return strings }
            guard current == "\"" || current == "'" else { throw mistake("a text in quotes or `]` is expected") }
            strings.append(try readString())
            try skipBetweenItems()
            guard skip(",") || current == "]" else { throw mistake("`,` or `]` is expected behind a text") }
        }
    }

    private mutating func skipBetweenItems() throws(Mistake) {
        while let scalar = current {
            if scalar == "#" {
                try skipComment()
            } else if scalar == " " || scalar == "\t" || scalar == "\n" || isLineBreak {
                advance()
            } else {
                return
            }
        }
        throw mistake("`]` is missing at the end of a list")
    }

    private mutating func readString() throws(Mistake) -> String {
        guard let quote = current else { throw mistake("a text is missing") }
        let start = position
        advance()
        var string = ""
        while let scalar = current, scalar != "\n", scalar != "\r" {
            advance()
            if scalar == quote {
                guard !string.isEmpty || current != quote else {
                    throw Mistake(position: start, message: "texts of several lines are not read")
                }
                return string
            }
            guard scalar == "\t" || !scalar.isControl else {
                throw Mistake(position: start, message: "a text has a control character", hint: "`\\u0000` writes one")
            }
            string.unicodeScalars.append(quote == "\"" && scalar == "\\" ? try readEscape() : scalar)
        }
        throw Mistake(position: start, message: "the quotation mark at the end of a text is missing")
    }

    private mutating func readEscape() throws(Mistake) -> Unicode.Scalar {
        let start = position
        let scalar = current
        advance()
        switch scalar {
        case "\"", "\\": return scalar ?? "\\"
        case "b": return "\u{8}"
        case "t": return "\t"
        case "n": return "\n"
        case "f": return "\u{C}"
        case "r": return "\r"
        case "u", "U":
            var digits = ""
            while digits.count < (scalar == "u" ? 4 : 8), let digit = current, digit.properties.isASCIIHexDigit {
                digits.unicodeScalars.append(digit)
                advance()
            }
            if digits.count == (scalar == "u" ? 4 : 8),
                let value = UInt32(digits, radix: 16).flatMap(Unicode.Scalar.init)
            {
                return value
            }
        default: break
        }
        throw Mistake(
            position: start, message: "the escape behind `\\` is not known",
            hint: "in single quotes, `\\` is a character like any other")
    }

    private mutating func skipComment() throws(Mistake) {
        while let scalar = current, scalar != "\n", scalar != "\r" {
            guard scalar == "\t" || !scalar.isControl else { throw mistake("a comment has a control character") }
            advance()
        }
    }

    private mutating func endLine() throws(Mistake) {
        skipSpace()
        if current == "#" { try skipComment() }
        if isLineBreak { advance() }
        guard current == nil || current == "\n" else { throw mistake("something follows the value on its line") }
        advance()
    }

    // MARK: Characters

    // True at a carriage return before the end of a line; alone it ends none.
    private var isLineBreak: Bool { current == "\r" && index + 1 < text.count && text[index + 1] == "\n" }

    private var current: Unicode.Scalar? { index < text.count ? text[index] : nil }

    private mutating func advance() {
        guard let scalar = current else { return }
        index += 1
        position =
            scalar == "\n"
            ? SourcePosition(line: position.line + 1, column: 1)
            : SourcePosition(line: position.line, column: position.column + 1)
    }

    private mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
        guard current == scalar else { return false }
        advance()
        return true
    }

    private mutating func skipSpace() {
        while current == " " || current == "\t" { advance() }
    }

    private func mistake(_ message: String, hint: String? = nil) -> Mistake {
        Mistake(position: position, message: message, hint: hint)
    }
}

/// A key of a TOML file, with its value and their positions.
package struct TOMLEntry: Hashable, Sendable {
    /// The table; empty above all tables.
    package let table: String
    package let key: String
    package let value: TOMLValue
    package let keyPosition: SourcePosition
    /// The position at which the value starts.
    package let position: SourcePosition
}

/// A value of a TOML file.
package enum TOMLValue: Hashable, Sendable {
    case string(String)
    case strings([String])
    case integer(Int)
    /// A decimal number as it is written, without underscores.
    case decimal(String)
    case boolean(Bool)

    // A value that has no quotes.
    fileprivate init?(word: String) {
        let parts = word.split(separator: ".", omittingEmptySubsequences: false)
        let unsigned = parts.first.map { $0.hasPrefix("+") || $0.hasPrefix("-") ? $0.dropFirst() : $0 } ?? ""
        let isWhole = unsigned.isDigits && (unsigned == "0" || !unsigned.hasPrefix("0"))
        if word == "true" || word == "false" {
            self = .boolean(word == "true")
        } else if isWhole, parts.count == 1, let number = Int(word.replacing("_", with: "")) {
            self = .integer(number)
        } else if isWhole, parts.count == 2, parts[1].isDigits {
            self = .decimal(word.replacing("_", with: ""))
        } else {
            return nil
        }
    }
}

extension Substring {
    // Digits, with single underscores between them at most.
    fileprivate var isDigits: Bool {
        !isEmpty
            && split(separator: "_", omittingEmptySubsequences: false).allSatisfy { part in
                !part.isEmpty && part.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
            }
    }
}

extension Unicode.Scalar {
    fileprivate var isBareKey: Bool {
        switch self {
        case "a"..."z", "A"..."Z", "0"..."9", "-", "_": true
        default: false
        }
    }

    fileprivate var isControl: Bool { properties.generalCategory == .control }
}
