/// Reads a pattern of PCRE2 (UTF mode, no other option) as a regular expression.
///
/// PCRE2 has compiled the pattern before, so mistakes need not be found. What is no regular expression, or is hardly ever
/// written, is refused; whoever asks must then take the pattern for anything at all.
struct PatternParser {
    private let scalars: [Unicode.Scalar]
    private var position = 0
    private var options = Options()

    // What `(?i)` and its like switch on.
    private struct Options {
        var ignoresCase = false
        var isMultiline = false
        var dotTakesNewlines = false
    }

    /// The pattern is none that can be read here.
    struct Refusal: Error {}

    /// The tree of a pattern.
    ///
    /// - Throws: ``Refusal`` for look-around, references to what was matched, atomic groups, possessive counts, recursion,
    ///   Unicode properties and verbs.
    static func tree(of source: String) throws(Refusal) -> PatternNode {
        var parser = PatternParser(scalars: Array(source.unicodeScalars))
        let tree = try parser.alternatives()
        guard parser.isAtEnd else { throw Refusal() }
        return tree
    }

    private init(scalars: [Unicode.Scalar]) {
        self.scalars = scalars
    }

    private var isAtEnd: Bool { position == scalars.count }
    private var next: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

    private mutating func take() throws(Refusal) -> Unicode.Scalar {
        guard let scalar = next else { throw Refusal() }
        position += 1
        return scalar
    }

    private mutating func skip(_ text: String) -> Bool {
        guard scalars[position...].starts(with: text.unicodeScalars) else { return false }
        position += text.unicodeScalars.count
        return true
    }
}

// MARK: Groups and counts

extension PatternParser {
    private mutating func alternatives() throws(Refusal) -> PatternNode {
        var choices = [try sequence()]
        while skip("|") { choices.append(try sequence()) }
        return choices.count == 1 ? choices[0] : .choice(choices)
    }

    private mutating func sequence() throws(Refusal) -> PatternNode {
        var items: [PatternNode] = []
        while let scalar = next, scalar != "|", scalar != ")" {
            if skip("\\Q") {
                items += try quoted()
                continue
            }
            if skip("\\E") { continue }
            var item = try item()
            while let (minimum, maximum) = try count() {
                if case .assertion = item { throw Refusal() }
                item = .repeated(item, minimum: minimum, maximum: maximum)
            }
            items.append(item)
        }
        return .sequence(items)
    }

    // What stands between `\Q` and `\E`; a count behind it is of the last character.
    private mutating func quoted() throws(Refusal) -> [PatternNode] {
        var items: [PatternNode] = []
        while !isAtEnd, !skip("\\E") { items.append(.character(try cased(ScalarSet(try take())))) }
        guard try count() == nil else { throw Refusal() }
        return items
    }

    private mutating func item() throws(Refusal) -> PatternNode {
        let scalar = try take()
        switch scalar {
        case "(": return try group()
        case "[": return .character(try characterClass())
        case ".": return .character(options.dotTakesNewlines ? .all : ScalarSet.newline.complement)
        case "^": return .assertion(options.isMultiline ? .lineStart : .textStart)
        case "$": return .assertion(options.isMultiline ? .lineEnd : .textEndOrLastNewline)
        case "\\": return try escape()
        case "*", "+", "?": throw Refusal()
        default: return .character(try cased(ScalarSet(scalar)))
        }
    }

    private mutating func group() throws(Refusal) -> PatternNode {
        let outer = options
        if skip("*") { throw Refusal() }
        if skip("?") {
            if skip("<") || skip("P<") {
                try skipName(until: ">")
            } else if skip("'") {
                try skipName(until: "'")
            } else if !skip(":"), !skip("|") {
                // `(?i)` holds to the end of the group around it; `(?i:` of its own group only.
                guard try readOptions() else { return .empty }
            }
        }
        let inner = try alternatives()
        guard skip(")") else { throw Refusal() }
        options = outer
        return inner
    }

    private mutating func skipName(until end: Unicode.Scalar) throws(Refusal) {
        while true {
            let scalar = try take()
            if scalar == end { return }
            // `(?<=` and `(?<!` look behind.
            guard scalar == "_" || scalar.isLetterOrDigit else { throw Refusal() }
        }
    }

    // Whether a group with these options follows.
    private mutating func readOptions() throws(Refusal) -> Bool {
        var isOn = true
        while true {
            switch try take() {
            case "i": options.ignoresCase = isOn
            case "m": options.isMultiline = isOn
            case "s": options.dotTakesNewlines = isOn
            case "-" where isOn: isOn = false
            case ":": return true
            case ")": return false
            default: throw Refusal()
            }
        }
    }

    private mutating func count() throws(Refusal) -> (Int, Int?)? {
        let result: (Int, Int?)
        if skip("*") {
            result = (0, nil)
        } else if skip("+") {
            result = (1, nil)
        } else if skip("?") {
            result = (0, 1)
        } else if let braces = braces() {
            result = braces
        } else {
            return nil
        }
        // PCRE2 10.42 misses matches behind what is repeated no times.
        if result.1 == 0 { throw Refusal() }
        // Lazy counts find the same; possessive ones do not.
        if !skip("?"), next == "+" { throw Refusal() }
        return result
    }

    // `{2}`, `{2,}` or `{2,3}`; any other brace stands for itself.
    private mutating func braces() -> (Int, Int?)? {
        let start = position
        guard skip("{"), let minimum = number() else {
            position = start
            return nil
        }
        var maximum: Int? = minimum
        if skip(",") { maximum = number() }
        guard skip("}") else {
            position = start
            return nil
        }
        return (minimum, maximum)
    }

    private mutating func number() -> Int? {
        var digits = ""
        while let scalar = next, ScalarSet.digits.contains(scalar.value) {
            digits.unicodeScalars.append(scalar)
            position += 1
        }
        return Int(digits)
    }
}

// MARK: Characters

extension PatternParser {
    private func cased(_ set: ScalarSet) throws(Refusal) -> ScalarSet {
        guard options.ignoresCase else { return set }
        guard let both = set.ignoringCase else { throw Refusal() }
        return both
    }

    private mutating func escape() throws(Refusal) -> PatternNode {
        switch next {
        case "b":
            position += 1
            return .assertion(.wordBoundary)
        case "B":
            position += 1
            return .assertion(.noWordBoundary)
        case "A":
            position += 1
            return .assertion(.textStart)
        case "z":
            position += 1
            return .assertion(.textEnd)
        case "Z":
            position += 1
            return .assertion(.textEndOrLastNewline)
        case "N":
            position += 1
            guard next != "{" else { throw Refusal() }
            return .character(ScalarSet.newline.complement)
        default: break
        }
        switch try escaped() {
        case .one(let scalar): return .character(try cased(ScalarSet(scalar)))
        case .several(let set): return .character(set)
        }
    }

    private enum Escaped {
        case one(Unicode.Scalar)
        case several(ScalarSet)
    }

    // What an escape stands for inside and outside of a class.
    private mutating func escaped() throws(Refusal) -> Escaped {
        let scalar = try take()
        switch scalar {
        case "d": return .several(.digits)
        case "D": return .several(ScalarSet.digits.complement)
        case "w": return .several(.words)
        case "W": return .several(ScalarSet.words.complement)
        case "s": return .several(.spaces)
        case "S": return .several(ScalarSet.spaces.complement)
        case "n": return .one("\n")
        case "r": return .one("\r")
        case "t": return .one("\t")
        case "f": return .one("\u{0C}")
        case "e": return .one("\u{1B}")
        case "a": return .one("\u{07}")
        case "x": return .one(try hexadecimal())
        default:
            guard !scalar.isLetterOrDigit else { throw Refusal() }
            return .one(scalar)
        }
    }

    private mutating func hexadecimal() throws(Refusal) -> Unicode.Scalar {
        let isBraced = skip("{")
        var digits = ""
        while let scalar = next, scalar.properties.isASCIIHexDigit, isBraced || digits.count < 2 {
            digits.unicodeScalars.append(scalar)
            position += 1
        }
        if isBraced, !skip("}") { throw Refusal() }
        guard let value = UInt32(digits.isEmpty && !isBraced ? "0" : digits, radix: 16),
            let scalar = Unicode.Scalar(value)
        else { throw Refusal() }
        return scalar
    }
}

// MARK: Classes

extension PatternParser {
    private mutating func characterClass() throws(Refusal) -> ScalarSet {
        let isNegated = skip("^")
        var (set, isFirst) = (ScalarSet([]), true)
        while isFirst || next != "]" {
            isFirst = false
            set = set.union(try classItem())
        }
        position += 1
        return isNegated ? set.complement : set
    }

    // A character, a range, or what an escape or a name stands for.
    private mutating func classItem() throws(Refusal) -> ScalarSet {
        if skip("[:") { return try namedClass() }
        let first: Unicode.Scalar
        switch try classCharacter() {
        case .one(let scalar): first = scalar
        case .several(let set):
            // What a hyphen means behind a set is no matter of course.
            if next == "-" { throw Refusal() }
            return set
        }
        guard next == "-", position + 1 < scalars.count, scalars[position + 1] != "]" else {
            return try cased(ScalarSet(first))
        }
        position += 1
        guard !skip("[:"), case .one(let last) = try classCharacter(), first.value <= last.value else {
            throw Refusal()
        }
        return try cased(ScalarSet([first.value...last.value]))
    }

    private mutating func classCharacter() throws(Refusal) -> Escaped {
        let scalar = try take()
        guard scalar == "\\" else { return .one(scalar) }
        if skip("b") { return .one("\u{08}") }
        // `\Q`, `\E`, `\N` and their like.
        return try escaped()
    }

    private static let named: [String: ScalarSet] = [
        "alpha": ScalarSet([0x41...0x5A, 0x61...0x7A]), "digit": .digits, "word": .words, "space": .spaces,
        "alnum": ScalarSet([0x30...0x39, 0x41...0x5A, 0x61...0x7A]), "upper": ScalarSet([0x41...0x5A]),
        "lower": ScalarSet([0x61...0x7A]), "xdigit": ScalarSet([0x30...0x39, 0x41...0x46, 0x61...0x66]),
    ]

    private mutating func namedClass() throws(Refusal) -> ScalarSet {
        var name = ""
        while let scalar = next, scalar.isLetterOrDigit {
            name.unicodeScalars.append(scalar)
            position += 1
        }
        guard skip(":]"), let set = Self.named[name], next != "-" else { throw Refusal() }
        // Without regard to case both are all letters.
        if options.ignoresCase, ["upper", "lower"].contains(name) { throw Refusal() }
        return set
    }
}

extension Unicode.Scalar {
    // Of ASCII.
    fileprivate var isLetterOrDigit: Bool {
        ScalarSet.words.contains(value) && self != "_"
    }
}
