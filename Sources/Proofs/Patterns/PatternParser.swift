/// Reads a pattern of PCRE2 (UTF mode, no other option) as a regular expression.
///
/// PCRE2 has compiled the pattern before, so mistakes need not be found. A pattern that is no regular expression, or is rarely
/// ever written, is refused; the caller must then take it for anything at all.
struct PatternParser {
    private let scalars: [Unicode.Scalar]
    /// The next character.
    var position = 0
    /// The options that are on at this position.
    var options = Options()
    // The number of counts so far that take as little as they can.
    private var lazyCounts = 0

    /// The options of `(?i)` and its like.
    struct Options {
        var ignoresCase = false
        var isMultiline = false
        var dotTakesNewlines = false
        /// `(?x)`: white space and comments are skipped.
        var isExtended = false
        /// `(?xx)`: spaces and tabs in classes are skipped, too.
        var isExtendedInClasses = false
        /// `(?U)`: counts take as little as they can, unless they are marked.
        var isLazy = false
    }

    /// The pattern is none that can be read here.
    struct Refusal: Error {}

    /// The tree of a pattern.
    ///
    /// - Throws: ``Refusal`` for look-around at more than the next character, references to what was matched, groups that give
    ///   nothing back and could, recursion, and most verbs.
    static func tree(of source: String) throws(Refusal) -> PatternNode {
        var parser = PatternParser(scalars: Array(source.unicodeScalars))
        let tree = try parser.alternatives()
        guard parser.isAtEnd, let withoutOnce = tree.withoutOnce(before: .nothing) else { throw Refusal() }
        return withoutOnce
    }

    private init(scalars: [Unicode.Scalar]) {
        self.scalars = scalars
    }

    /// True if nothing is left.
    var isAtEnd: Bool { position == scalars.count }
    /// The next character.
    var next: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }
    /// The character behind the next one.
    var second: Unicode.Scalar? { position + 1 < scalars.count ? scalars[position + 1] : nil }
    /// An upper limit for the number of groups of the pattern.
    var groupLimit: Int { scalars.count { $0 == "(" } }

    /// Takes the next character.
    mutating func take() throws(Refusal) -> Unicode.Scalar {
        guard let scalar = next else { throw Refusal() }
        position += 1
        return scalar
    }

    /// Takes a text if it comes next.
    mutating func skip(_ text: String) -> Bool {
        guard scalars[position...].starts(with: text.unicodeScalars) else { return false }
        position += text.unicodeScalars.count
        return true
    }

    /// The text that was taken since a position.
    func text(from start: Int) -> String {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars[start..<position])
        return String(text)
    }

    /// Takes the text in front of an end, and the end.
    mutating func text(until end: Unicode.Scalar) throws(Refusal) -> String {
        var text = String.UnicodeScalarView()
        while true {
            let scalar = try take()
            if scalar == end { return String(text) }
            text.append(scalar)
        }
    }
}

// MARK: Sequences and counts

extension PatternParser {
    private mutating func alternatives() throws(Refusal) -> PatternNode {
        var choices = [try sequence()]
        while skip("|") { choices.append(try sequence()) }
        return choices.count == 1 ? choices[0] : .choice(choices)
    }

    private mutating func sequence() throws(Refusal) -> PatternNode {
        var (items, isQuoting): ([PatternNode], Bool) = ([], false)
        while !isAtEnd {
            if isQuoting {
                if skip("\\E") { isQuoting = false } else { items.append(.character(try cased(ScalarSet(try take())))) }
            } else if skip("\\Q") {
                isQuoting = true
            } else if skip("\\E") || skipComment() {
                continue
            } else if next == "|" || next == ")" {
                break
            } else if let count = try count() {
                guard let item = items.popLast() else { throw Refusal() }
                items.append(try repeated(item, count))
            } else {
                items.append(try item())
            }
        }
        return .sequence(items)
    }

    // Takes white space and a comment of `(?x)`, or `(?#a comment)`.
    private mutating func skipComment() -> Bool {
        if skip("(?#") {
            while !isAtEnd, !skip(")") { position += 1 }
            return true
        }
        guard options.isExtended, let scalar = next else { return false }
        if scalar == "#" {
            while let scalar = next, scalar != "\n" { position += 1 }
            return true
        }
        guard Self.ignored.contains(scalar.value) else { return false }
        position += 1
        return true
    }

    private static let ignored = ScalarSet([
        0x09...0x0D, 0x20...0x20, 0x85...0x85, 0x200E...0x200F, 0x2028...0x2029,
    ])

    private mutating func item() throws(Refusal) -> PatternNode {
        switch try take() {
        case "(": return try group()
        case "[":
            if skip("[:<:]]") { return .assertion(.wordStart) }
            if skip("[:>:]]") { return .assertion(.wordEnd) }
            return .character(try characterClass())
        case ".": return .character(options.dotTakesNewlines ? .all : ScalarSet.newline.complement)
        case "^": return .assertion(options.isMultiline ? .lineStart : .textStart)
        case "$": return .assertion(options.isMultiline ? .lineEnd : .textEndOrLastNewline)
        case "\\": return try escape()
        case let scalar: return .character(try cased(ScalarSet(scalar)))
        }
    }

    private struct Count {
        let minimum: Int
        let maximum: Int?
        let isPossessive: Bool
    }

    private mutating func count() throws(Refusal) -> Count? {
        let limits: (minimum: Int, maximum: Int?)
        if skip("*") {
            limits = (0, nil)
        } else if skip("+") {
            limits = (1, nil)
        } else if skip("?") {
            limits = (0, 1)
        } else if let braces = braces() {
            limits = braces
        } else {
            return nil
        }
        let isMarked = skip("?")
        if isMarked != options.isLazy { lazyCounts += 1 }
        let isPossessive = !isMarked && skip("+")
        // Between a count and its mark PCRE2 skips some things and others not.
        if !isMarked, !isPossessive, skipComment() {
            while skipComment() {}
            if next == "+" || next == "?" { throw Refusal() }
        }
        return Count(minimum: limits.minimum, maximum: limits.maximum, isPossessive: isPossessive)
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

    private func repeated(_ item: PatternNode, _ count: Count) throws(Refusal) -> PatternNode {
        if case .assertion(let assertion) = item {
            if count.minimum > 0 { return item }
            // To PCRE2 these are two assertions, of which the count is of the second.
            return assertion == .wordStart || assertion == .wordEnd ? .assertion(.wordBoundary) : .empty
        }
        // PCRE2 10.42 misses matches behind a start that is repeated no times.
        if count.maximum == 0, item.asksForStart { throw Refusal() }
        let node = PatternNode.repeated(item, minimum: count.minimum, maximum: count.maximum)
        return count.isPossessive ? .once(node, isGreedy: true) : node
    }
}

// MARK: Groups

extension PatternParser {
    private mutating func group() throws(Refusal) -> PatternNode {
        if skip("*") { return try verb() }
        guard skip("?") else { return try groupContent() }
        if skip(">") { return try atomicGroup() }
        if skip("=") { return try lookahead(isPositive: true) }
        if skip("!") { return try lookahead(isPositive: false) }
        if skip("<") || skip("P<") {
            try skipName(until: ">")
        } else if skip("'") {
            try skipName(until: "'")
        } else if !skip(":"), !skip("|") {
            // `(?i)` holds to the end of the group around it; `(?i:` of its own group only.
            let outer = options
            guard try readOptions() else { return .empty }
            return try groupContent(within: outer)
        }
        return try groupContent()
    }

    private mutating func groupContent(within outer: Options? = nil) throws(Refusal) -> PatternNode {
        let outer = outer ?? options
        let inner = try alternatives()
        guard skip(")") else { throw Refusal() }
        options = outer
        return inner
    }

    private mutating func atomicGroup() throws(Refusal) -> PatternNode {
        let counts = lazyCounts
        let node = try groupContent()
        return .once(node, isGreedy: lazyCounts == counts)
    }

    private mutating func lookahead(isPositive: Bool) throws(Refusal) -> PatternNode {
        switch try groupContent().withoutOnce(before: .unknown)?.simplified {
        case .character(let set): .assertion(isPositive ? .before(set) : .notBefore(set))
        // Nothing is found everywhere.
        case .sequence(let items) where items.isEmpty: isPositive ? .empty : .choice([])
        default: throw Refusal()
        }
    }

    // Of the verbs, those that match nothing, name a position, or set something that makes no difference.
    private mutating func verb() throws(Refusal) -> PatternNode {
        if skip("atomic:") { return try atomicGroup() }
        if skip("positive_lookahead:") || skip("pla:") { return try lookahead(isPositive: true) }
        if skip("negative_lookahead:") || skip("nla:") { return try lookahead(isPositive: false) }
        let name = try text(until: ")")
        switch name {
        case "F", "FAIL": return .choice([])
        case "UTF", "NO_JIT", "NO_START_OPT", "NO_AUTO_POSSESS", "NO_DOTSTAR_ANCHOR", "LF", "BSR_UNICODE": return .empty
        default:
            guard name.hasPrefix(":") || name.hasPrefix("MARK:") else { throw Refusal() }
            return .empty
        }
    }

    private mutating func skipName(until end: Unicode.Scalar) throws(Refusal) {
        // `(?<=` and `(?<!` look behind.
        let name = try text(until: end)
        guard name.unicodeScalars.allSatisfy({ $0 == "_" || $0.isLetterOrDigit }) else { throw Refusal() }
    }

    // True if a group with these options follows.
    private mutating func readOptions() throws(Refusal) -> Bool {
        var isOn = true
        if skip("^") {
            let isLazy = options.isLazy
            options = Options()
            options.isLazy = isLazy
        }
        while true {
            switch try take() {
            case "i": options.ignoresCase = isOn
            case "m": options.isMultiline = isOn
            case "s": options.dotTakesNewlines = isOn
            case "x":
                options.isExtended = isOn
                options.isExtendedInClasses = isOn && skip("x")
                if !isOn { _ = skip("x") }
            case "U": options.isLazy = isOn
            // The numbers of groups, and names given twice, make no difference.
            case "n", "J": break
            case "-" where isOn: isOn = false
            case ":": return true
            case ")": return false
            default: throw Refusal()
            }
        }
    }
}

extension Unicode.Scalar {
    /// True if it is a letter or a digit of ASCII.
    var isLetterOrDigit: Bool { ScalarSet.words.contains(value) && self != "_" }
}
