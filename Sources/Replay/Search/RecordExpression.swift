package import PolicyEngine

/// Selects records of captures by what they say: `flag:frida and not device~"^iOS"`.
package indirect enum RecordExpression: Sendable {
    case flag(String)
    case devices(Set<DeviceID>)
    /// What the service decided.
    case verdict(passed: Bool)
    case value(key: String, ExactText)
    case pattern(key: String, Pattern)
    case not(RecordExpression)
    case all([RecordExpression])
    case any([RecordExpression])

    /// Reads an expression.
    ///
    /// - Parameters:
    ///   - text: Conditions `flag:NAME`, `did:ID`, `did:@FILE`, `verdict:pass`, `verdict:fail`, `KEY=VALUE` and `KEY~REGEX`,
    ///     joined by `and`, `or`, `not` and round brackets; values with spaces stand in double quotes.
    ///   - file: Reads a file that names a device ID on each line.
    /// - Throws: ``RecordExpressionError``.
    package init(
        _ text: String, file: (String) throws(RecordExpressionError) -> [String]
    ) throws(RecordExpressionError) {
        var parser = ExpressionParser(words: try ExpressionParser.words(of: text))
        self = try parser.alternatives(file: file)
        if let word = parser.next { throw RecordExpressionError("`\(word.text)` is not expected there") }
    }

    /// The attributes that it looks at.
    package var keys: [String] {
        switch self {
        case .flag, .devices, .verdict: []
        case .value(let key, _), .pattern(let key, _): [key]
        case .not(let inner): inner.keys
        case .all(let parts), .any(let parts): parts.flatMap(\.keys)
        }
    }

    /// The flags that it looks for.
    package var flags: [String] {
        switch self {
        case .flag(let name): [name]
        case .devices, .verdict, .value, .pattern: []
        case .not(let inner): inner.flags
        case .all(let parts), .any(let parts): parts.flatMap(\.flags)
        }
    }

    /// Whether a record is selected; its attributes include those of ``keys``.
    package func selects(_ record: KeptRecord) -> Bool {
        switch self {
        case .flag(let name): record.flags.contains { ExactText($0) == ExactText(name) }
        case .devices(let devices): devices.contains(record.device)
        case .verdict(let passed): record.capturedVerdict == passed
        case .value(let key, let value): record.value(of: key).map { ExactText($0) == value } ?? false
        case .pattern(let key, let pattern): record.value(of: key).map(pattern.isFound) ?? false
        case .not(let inner): !inner.selects(record)
        case .all(let parts): parts.allSatisfy { $0.selects(record) }
        case .any(let parts): parts.contains { $0.selects(record) }
        }
    }
}

/// Why a text is no expression.
package struct RecordExpressionError: Error, Sendable {
    /// What is wrong.
    package let description: String
    /// What might help.
    package let hint: String?

    package init(_ description: String, hint: String? = nil) {
        (self.description, self.hint) = (description, hint)
    }
}

/// Takes an expression apart.
private struct ExpressionParser {
    /// A word, and whether quotes stood in it.
    struct Word {
        var text = ""
        var isQuoted = false
    }

    private let words: [Word]
    private var position = 0

    init(words: [Word]) {
        self.words = words
    }

    var next: Word? { position < words.count ? words[position] : nil }

    /// The words of a text; brackets are words of their own outside of quotes.
    static func words(of text: String) throws(RecordExpressionError) -> [Word] {
        var (words, word, isOpen): ([Word], Word, Bool) = ([], Word(), false)
        func end() {
            if !word.text.isEmpty || word.isQuoted { words.append(word) }
            word = Word()
        }
        for character in text {
            if character == "\"" {
                isOpen.toggle()
                word.isQuoted = true
            } else if isOpen {
                word.text.append(character)
            } else if character.isWhitespace {
                end()
            } else if "()".contains(character), !word.text.contains(where: { "=~".contains($0) }) {
                end()
                words.append(Word(text: String(character)))
            } else if character == ")", Self.isClosing(word.text) {
                end()
                words.append(Word(text: ")"))
            } else {
                word.text.append(character)
            }
        }
        if isOpen { throw RecordExpressionError("a double quote is missing") }
        end()
        return words
    }

    // Whether the brackets of a value are closed, so that one more is not its own.
    private static func isClosing(_ text: String) -> Bool {
        text.count { $0 == "(" } == text.count { $0 == ")" }
    }

    private mutating func skip(_ word: String) -> Bool {
        guard let next, next.text == word, !next.isQuoted else { return false }
        position += 1
        return true
    }

    mutating func alternatives(
        file: (String) throws(RecordExpressionError) -> [String]
    ) throws(RecordExpressionError) -> RecordExpression {
        var parts = [try conjunction(file: file)]
        while skip("or") { parts.append(try conjunction(file: file)) }
        return parts.count == 1 ? parts[0] : .any(parts)
    }

    private mutating func conjunction(
        file: (String) throws(RecordExpressionError) -> [String]
    ) throws(RecordExpressionError) -> RecordExpression {
        var parts = [try condition(file: file)]
        while skip("and") { parts.append(try condition(file: file)) }
        return parts.count == 1 ? parts[0] : .all(parts)
    }

    private mutating func condition(
        file: (String) throws(RecordExpressionError) -> [String]
    ) throws(RecordExpressionError) -> RecordExpression {
        if skip("not") { return .not(try condition(file: file)) }
        if skip("(") {
            let inner = try alternatives(file: file)
            guard skip(")") else { throw RecordExpressionError("a bracket is not closed") }
            return inner
        }
        guard let word = next?.text else { throw RecordExpressionError("a condition is missing") }
        position += 1
        return try Self.atom(word, file: file)
    }

    private static func atom(
        _ word: String, file: (String) throws(RecordExpressionError) -> [String]
    ) throws(RecordExpressionError) -> RecordExpression {
        if let name = word.suffix(behind: "flag:") { return .flag(name) }
        if let path = word.suffix(behind: "did:@") { return .devices(try devices(file(path))) }
        if let id = word.suffix(behind: "did:") { return .devices(try devices([id])) }
        if word == "verdict:pass" { return .verdict(passed: true) }
        if word == "verdict:fail" { return .verdict(passed: false) }
        guard let sign = word.firstIndex(where: { "=~".contains($0) }), sign > word.startIndex else {
            throw RecordExpressionError(
                "`\(word)` is no condition",
                hint: "there are `flag:NAME`, `did:ID`, `did:@FILE`, `verdict:pass`, `KEY=VALUE` and `KEY~REGEX`")
        }
        let (key, value) = (String(word[..<sign]), String(word[word.index(after: sign)...]))
        if word[sign] == "=" { return .value(key: key, ExactText(value)) }
        do throws(PatternError) {
            return .pattern(key: key, try Pattern(value))
        } catch {
            throw RecordExpressionError(error.description)
        }
    }

    private static func devices(_ texts: [String]) throws(RecordExpressionError) -> Set<DeviceID> {
        var devices: Set<DeviceID> = []
        for text in texts where !text.isEmpty {
            guard let device = DeviceID(text), !device.isFilteredPolicy else {
                throw RecordExpressionError("`\(text)` is not a device ID")
            }
            devices.insert(device)
        }
        return devices
    }
}

extension String {
    // What stands behind a beginning.
    fileprivate func suffix(behind start: String) -> String? {
        hasPrefix(start) ? String(dropFirst(start.count)) : nil
    }
}
