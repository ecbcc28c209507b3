package import Figures
package import PolicyEngine

/// Selects records of captures by what they say: `flag:frida and not device~"^iOS"`.
package indirect enum RecordExpression: Sendable {
    case flag(String)
    case devices(Set<DeviceID>)
    /// The label of the device; ``resolved(_:)`` makes ``devices(_:)`` of it.
    case label(DeviceLabel)
    /// The verdict of the service.
    case verdict(passed: Bool)
    case value(key: RecordKey, ExactText)
    case pattern(key: RecordKey, Pattern)
    case not(RecordExpression)
    case all([RecordExpression])
    case any([RecordExpression])

    /// Reads an expression.
    ///
    /// - Parameters:
    ///   - text: Conditions `flag:NAME`, `did:ID`, `did:@FILE`, `label:bad`, `verdict:pass`, `verdict:fail`, `KEY=VALUE`
    ///     and `KEY~REGEX`, joined by `and`, `or`, `not` and round brackets; values with spaces are in double quotes.
    ///   - file: Reads a file that names a device ID on each line.
    /// - Throws: ``RecordExpressionError``.
    package init(
        _ text: String, file: (String) throws(RecordExpressionError) -> [String]
    ) throws(RecordExpressionError) {
        var parser = try ExpressionParser(text)
        self = try parser.alternatives(file: file)
        if let word = parser.next {
            throw RecordExpressionError(
                "`\(word.text)` is not expected at character \(word.start)", hint: word.joiningHint)
        }
    }

    /// The attributes that it looks at.
    package var keys: [String] {
        switch self {
        case .flag, .devices, .label, .verdict: []
        case .value(let key, _), .pattern(let key, _): [key.attribute]
        case .not(let inner): inner.keys
        case .all(let parts), .any(let parts): parts.flatMap(\.keys)
        }
    }

    /// The flags that it looks for.
    package var flags: [String] {
        switch self {
        case .flag(let name): [name]
        case .devices, .label, .verdict, .value, .pattern: []
        case .not(let inner): inner.flags
        case .all(let parts), .any(let parts): parts.flatMap(\.flags)
        }
    }

    /// True if it looks at labels.
    package var needsLabels: Bool {
        switch self {
        case .label: true
        case .flag, .devices, .verdict, .value, .pattern: false
        case .not(let inner): inner.needsLabels
        case .all(let parts), .any(let parts): parts.contains(where: \.needsLabels)
        }
    }

    /// The same with the devices in place of their label.
    package func resolved(_ labelled: LabelledDevices) -> RecordExpression {
        switch self {
        case .label(.unknown): .not(.devices(labelled.devices(.bad).union(labelled.devices(.good))))
        case .label(let label): .devices(labelled.devices(label))
        case .flag, .devices, .verdict, .value, .pattern: self
        case .not(let inner): .not(inner.resolved(labelled))
        case .all(let parts): .all(parts.map { $0.resolved(labelled) })
        case .any(let parts): .any(parts.map { $0.resolved(labelled) })
        }
    }

    /// True if a record is selected; its attributes include those of ``keys``.
    ///
    /// - Parameters:
    ///   - matcher: Runs the patterns.
    ///   - isGivenUp: Becomes true where a pattern is not searched to the end (R7.2); what is returned is worth nothing then.
    package func selects(_ record: some ExpressedRecord, by matcher: PatternMatcher, isGivenUp: inout Bool) -> Bool {
        switch self {
        case .flag(let name): record.hasFlag(named: name)
        case .label: false
        case .devices(let devices): devices.contains(record.device)
        case .verdict(let passed): record.capturedVerdict == passed
        case .value(let key, let value): record.value(of: key).map { ExactText($0) == value } ?? false
        case .pattern(let key, let pattern): Self.isFound(pattern, in: record.value(of: key), matcher, &isGivenUp)
        case .not(let inner): !inner.selects(record, by: matcher, isGivenUp: &isGivenUp)
        case .all(let parts): parts.allSatisfy { $0.selects(record, by: matcher, isGivenUp: &isGivenUp) }
        case .any(let parts): parts.contains { $0.selects(record, by: matcher, isGivenUp: &isGivenUp) }
        }
    }

    private static func isFound(
        _ pattern: Pattern, in value: String?, _ matcher: PatternMatcher, _ isGivenUp: inout Bool
    ) -> Bool {
        guard let value else { return false }
        guard let isFound = matcher.isFound(pattern, in: value) else {
            isGivenUp = true
            return false
        }
        return isFound
    }
}

extension RecordExpression {
    /// The key, the sign and the value of a condition on an attribute; `nil` for a text that is none.
    static func parts(ofCondition word: String) -> (key: String, sign: Character, value: String)? {
        guard let first = word.firstIndex(where: { "=~".contains($0) }), first > word.startIndex else { return nil }
        // `app-version~major=5` asks for a derived value, and not for a pattern.
        let end = word[first...].sign(behind: "~major") ?? first
        return (String(word[..<end]), word[end], String(word[word.index(after: end)...]))
    }
}

/// Why a text is no expression.
package struct RecordExpressionError: Error, Sendable {
    /// The error, in words.
    package let description: String
    /// Advice that might help.
    package let hint: String?

    package init(_ description: String, hint: String? = nil) {
        (self.description, self.hint) = (description, hint)
    }
}

/// Takes an expression apart.
private struct ExpressionParser {
    private let words: [ExpressionWord]
    private var position = 0
    // The number of brackets and negations that are open.
    private var depth = 0

    /// The deepest that brackets and negations may lie in each other.
    private static let depthLimit = 64

    /// - Throws: ``RecordExpressionError``, where a double quote is missing.
    init(_ text: String) throws(RecordExpressionError) {
        words = try ExpressionWord.words(of: text)
    }

    var next: ExpressionWord? { position < words.count ? words[position] : nil }

    // Each level is a call within a call, here and wherever the expression is looked at.
    private mutating func enter(at start: Int) throws(RecordExpressionError) {
        guard depth < Self.depthLimit else {
            throw RecordExpressionError(
                "brackets and `not` lie more than \(Self.depthLimit) deep at character \(start)",
                hint: "two brackets in a row, or `not not`, have no effect")
        }
        depth += 1
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
        let start = next?.start
        if let start, skip("not") {
            try enter(at: start)
            defer { depth -= 1 }
            return .not(try condition(file: file))
        }
        if let start, skip("(") {
            try enter(at: start)
            defer { depth -= 1 }
            let inner = try alternatives(file: file)
            guard skip(")") else {
                throw RecordExpressionError("the bracket at character \(start) is not closed")
            }
            return inner
        }
        guard let word = next?.text else { throw RecordExpressionError("a condition is missing") }
        if let hint = next?.joiningHint { throw RecordExpressionError("`\(word)` is not a condition", hint: hint) }
        position += 1
        return try Self.atom(word, file: file)
    }

    private static func atom(
        _ word: String, file: (String) throws(RecordExpressionError) -> [String]
    ) throws(RecordExpressionError) -> RecordExpression {
        if let name = word.suffix(behind: "flag:") { return .flag(name) }
        if let path = word.suffix(behind: "did:@") { return .devices(try devices(file(path))) }
        if let id = word.suffix(behind: "did:") { return .devices([try device(id, named: "`\(id)`")]) }
        if let name = word.suffix(behind: "label:"), let label = DeviceLabel(rawValue: name) { return .label(label) }
        if word == "verdict:pass" { return .verdict(passed: true) }
        if word == "verdict:fail" { return .verdict(passed: false) }
        guard let (name, sign, value) = RecordExpression.parts(ofCondition: word) else {
            throw RecordExpressionError(
                "`\(word)` is not a condition",
                hint: FlagCatalogue().namedFlag(word) != nil
                    ? "did you mean `flag:\(word)`?"
                    : "there are `flag:NAME`, `did:ID`, `did:@FILE`, `label:bad`, `verdict:pass`, `KEY=VALUE` and `KEY~REGEX`"
            )
        }
        let key: RecordKey
        do throws(RecordKeyError) {
            key = try RecordKey(name)
        } catch {
            throw RecordExpressionError(error.description, hint: error.hint)
        }
        if sign == "=" { return .value(key: key, ExactText(value)) }
        do throws(PatternError) {
            return .pattern(key: key, try Pattern(value))
        } catch {
            throw RecordExpressionError(error.description)
        }
    }

    // The file may be another one than was meant, so nothing of it is shown.
    private static func devices(_ lines: [String]) throws(RecordExpressionError) -> Set<DeviceID> {
        var devices: Set<DeviceID> = []
        for (index, line) in lines.enumerated() where !line.isEmpty {
            devices.insert(try device(line, named: "line \(index + 1) of the file"))
        }
        return devices
    }

    private static func device(_ text: String, named name: String) throws(RecordExpressionError) -> DeviceID {
        guard let device = DeviceID(text), !device.isFilteredPolicy else {
            throw RecordExpressionError("\(name) is not a device ID")
        }
        return device
    }
}

extension String {
    // The text behind a beginning.
    fileprivate func suffix(behind start: String) -> String? {
        hasPrefix(start) ? String(dropFirst(start.count)) : nil
    }
}

extension Substring {
    // The sign of a condition that follows upon a beginning.
    fileprivate func sign(behind start: String) -> Index? {
        guard hasPrefix(start) else { return nil }
        let end = index(startIndex, offsetBy: start.count)
        return end < endIndex && "=~".contains(self[end]) ? end : nil
    }
}
