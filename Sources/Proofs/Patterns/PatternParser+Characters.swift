// MARK: Escapes

extension PatternParser {
    /// A set of characters with their other cases, where those are wanted.
    func cased(_ set: ScalarSet) throws(Refusal) -> ScalarSet {
        guard options.ignoresCase else { return set }
        if let both = set.ignoringCase { return both }
        let hexadecimal = { (scalar: UInt32) in "\\x{\(String(scalar, radix: 16))}" }
        let ranges = set.ranges.map { "\(hexadecimal($0.lowerBound))-\(hexadecimal($0.upperBound))" }
        return try asked("(?i)[\(ranges.joined())]")
    }

    /// The characters that a pattern for one character takes, by PCRE2.
    private func asked(_ pattern: String) throws(Refusal) -> ScalarSet {
        guard let set = CharacterTrial.characters(of: pattern) else { throw Refusal() }
        return set
    }

    /// The node of an escape outside of a class; its backslash was taken.
    mutating func escape() throws(Refusal) -> PatternNode {
        if let index = next.flatMap({ Self.indices[$0] }) {
            position += 1
            return .assertion(index)
        }
        if skip("R") { return Self.newlineSequence }
        // The start of a match makes no difference to whether there is one.
        if skip("K") { return .empty }
        if next == "N", !isCodePoint {
            position += 1
            return .character(ScalarSet.newline.complement)
        }
        switch try escaped(isInClass: false) {
        case .one(let scalar): return .character(try cased(ScalarSet(scalar)))
        case .several(let set): return .character(set)
        }
    }

    // `\N{U+41}` is a character, and `\N{2}` two.
    private var isCodePoint: Bool {
        var ahead = self
        return ahead.skip("N{U+")
    }

    private static let indices: [Unicode.Scalar: PatternAssertion] = [
        "b": .wordBoundary, "B": .noWordBoundary, "A": .textStart, "z": .textEnd, "Z": .textEndOrLastNewline,
        // The search begins at the start of the text.
        "G": .textStart,
    ]

    // `\R` takes a carriage return with its newline, and gives neither back.
    private static let newlineSequence: PatternNode = {
        let (carriageReturn, newline) = (ScalarSet([0x0D...0x0D]), ScalarSet.newline)
        let others = ScalarSet([0x0A...0x0C, 0x85...0x85, 0x2028...0x2029])
        return .choice([
            .sequence([.character(carriageReturn), .character(newline)]), .character(others),
            .sequence([.character(carriageReturn), .assertion(.notBefore(newline))]),
        ])
    }()

    /// The characters of an escape.
    enum Escaped {
        case one(Unicode.Scalar)
        case several(ScalarSet)
    }

    /// The characters of an escape inside or outside of a class; its backslash was taken.
    mutating func escaped(isInClass: Bool) throws(Refusal) -> Escaped {
        let scalar = try take()
        if let set = Self.sets[scalar] { return .several(set) }
        if let control = Self.controls[scalar] { return .one(control) }
        switch scalar {
        case "x": return .one(try hexadecimal())
        case "c": return .one(try controlCharacter())
        case "o": return .one(try braced(radix: 8))
        case "N":
            guard skip("{U+") else { throw Refusal() }
            return .one(try Self.scalar(try text(until: "}"), radix: 16))
        case "p", "P": return .several(try property(scalar, isInClass: isInClass))
        case "0"..."7" where isInClass || scalar == "0" || isOctal: return .one(try octal())
        default:
            guard !scalar.isLetterOrDigit else { throw Refusal() }
            return .one(scalar)
        }
    }

    private static let sets: [Unicode.Scalar: ScalarSet] = [
        "d": .digits, "D": ScalarSet.digits.complement, "w": .words, "W": ScalarSet.words.complement,
        "s": .spaces, "S": ScalarSet.spaces.complement, "h": .horizontalSpaces,
        "H": ScalarSet.horizontalSpaces.complement, "v": .verticalSpaces, "V": ScalarSet.verticalSpaces.complement,
    ]

    private static let controls: [Unicode.Scalar: Unicode.Scalar] = [
        "n": "\n", "r": "\r", "t": "\t", "f": "\u{0C}", "e": "\u{1B}", "a": "\u{07}",
    ]

    // `\x41`, `\x{e9}`.
    private mutating func hexadecimal() throws(Refusal) -> Unicode.Scalar {
        if next == "{" { return try braced(radix: 16) }
        var digits = ""
        while digits.count < 2, let scalar = next, scalar.properties.isASCIIHexDigit {
            digits.unicodeScalars.append(scalar)
            position += 1
        }
        return try Self.scalar(digits.isEmpty ? "0" : digits, radix: 16)
    }

    private mutating func braced(radix: Int) throws(Refusal) -> Unicode.Scalar {
        guard skip("{") else { throw Refusal() }
        return try Self.scalar(try text(until: "}"), radix: radix)
    }

    private static func scalar(_ digits: String, radix: Int) throws(Refusal) -> Unicode.Scalar {
        guard let value = UInt32(digits, radix: radix), let scalar = Unicode.Scalar(value) else { throw Refusal() }
        return scalar
    }

    private mutating func controlCharacter() throws(Refusal) -> Unicode.Scalar {
        let scalar = try take()
        let isLowercase = 0x61...0x7A ~= scalar.value
        guard scalar.isASCII, let control = Unicode.Scalar((isLowercase ? scalar.value - 0x20 : scalar.value) ^ 0x40)
        else { throw Refusal() }
        return control
    }

    // True if digits, of which the first was taken, name no group: the pattern has fewer groups.
    private var isOctal: Bool {
        var ahead = self
        ahead.position -= 1
        var digits = ""
        while let scalar = ahead.next, ScalarSet.digits.contains(scalar.value) {
            digits.unicodeScalars.append(scalar)
            ahead.position += 1
        }
        return digits.count > 1 && (Int(digits) ?? .max) > groupLimit
    }

    // Up to three digits, of which the first was taken.
    private mutating func octal() throws(Refusal) -> Unicode.Scalar {
        position -= 1
        var digits = ""
        while digits.count < 3, let scalar = next, 0x30...0x37 ~= scalar.value {
            digits.unicodeScalars.append(scalar)
            position += 1
        }
        return try Self.scalar(digits, radix: 8)
    }

    // `\pL` or `\p{Greek}`; its first letter was taken.
    private mutating func property(_ letter: Unicode.Scalar, isInClass: Bool) throws(Refusal) -> ScalarSet {
        let name = skip("{") ? try text(until: "}") : String(try take())
        let item = "\\\(letter){\(name)}"
        return try asked((options.ignoresCase ? "(?i)" : "") + (isInClass ? "[\(item)]" : item))
    }
}

// MARK: Classes

extension PatternParser {
    /// A class, of which the bracket was taken.
    mutating func characterClass() throws(Refusal) -> ScalarSet {
        let start = position - 1
        let isNegated = skip("^")
        var content = ClassContent()
        if skip("]") { try add(.one("]"), to: &content) }
        var isQuoting = false
        while isQuoting || next != "]" {
            if isQuoting {
                if skip("\\E") {
                    isQuoting = false
                } else {
                    let scalar = try take()
                    try add(.one(scalar), to: &content)
                }
            } else if skip("\\Q") {
                isQuoting = true
            } else if skip("\\E") || options.isExtendedInClasses && (skip(" ") || skip("\t")) {
                continue
            } else if next == "-", content.mayBeginRange {
                position += 1
                content.isRange = true
            } else {
                // Only as the last item a hyphen may be behind a set.
                if content.isBehindSet, next == "-", second != "]" { throw Refusal() }
                if next == "[", second == ":" { content.hasName = true }
                let item = try classItem()
                try add(item, to: &content)
            }
        }
        position += 1
        finish(&content)
        // PCRE2 10.42 leaves characters beyond Latin-1 out if a name is behind a negated item.
        if content.hasName, content.isNegatedWithin {
            let options = (options.ignoresCase ? "(?i)" : "") + (options.isExtendedInClasses ? "(?xx)" : "")
            let source = options + text(from: start)
            guard let set = CharacterTrial.characters(of: source, telling: content.parts) else { throw Refusal() }
            return set
        }
        return isNegated ? content.set.complement : content.set
    }

    private struct ClassContent {
        private(set) var set = ScalarSet([])
        // The sets that it was put together of.
        private(set) var parts: [ScalarSet] = []
        // The latest character, with which a range may begin.
        var latest: Unicode.Scalar?
        // True if a hyphen is behind it.
        var isRange = false
        // True if an escape or a name for several characters was the latest item.
        var isBehindSet = false
        // True if it has a name such as `[:alpha:]`.
        var hasName = false
        // True if all but few characters are in it.
        var isNegatedWithin = false

        var mayBeginRange: Bool { latest != nil && !isRange }

        mutating func add(_ part: ScalarSet) {
            set = set.union(part)
            parts.append(part)
        }
    }

    private mutating func classItem() throws(Refusal) -> Escaped {
        if next == "[", second == ":", let set = try namedClass() { return .several(set) }
        let scalar = try take()
        guard scalar == "\\" else { return .one(scalar) }
        if skip("b") { return .one("\u{08}") }
        return try escaped(isInClass: true)
    }

    private func add(_ item: Escaped, to content: inout ClassContent) throws(Refusal) {
        switch item {
        case .one(let scalar):
            content.isBehindSet = false
            guard content.isRange, let first = content.latest else {
                content.add(try cased(ScalarSet(scalar)))
                content.latest = scalar
                return
            }
            guard first.value <= scalar.value else { throw Refusal() }
            content.add(try cased(ScalarSet([first.value...scalar.value]).withoutSurrogates))
            (content.latest, content.isRange) = (nil, false)
        case .several(let set):
            if content.isRange { throw Refusal() }
            content.add(set)
            if set.contains(0x10FFFF) { content.isNegatedWithin = true }
            (content.latest, content.isBehindSet) = (nil, true)
        }
    }

    // A hyphen in front of the end is one.
    private func finish(_ content: inout ClassContent) {
        if content.isRange { content.add(ScalarSet("-")) }
    }

    private static let named: [String: ScalarSet] = [
        "alpha": ScalarSet([0x41...0x5A, 0x61...0x7A]), "digit": .digits, "word": .words, "space": .spaces,
        "alnum": ScalarSet([0x30...0x39, 0x41...0x5A, 0x61...0x7A]), "upper": ScalarSet([0x41...0x5A]),
        "lower": ScalarSet([0x61...0x7A]), "xdigit": ScalarSet([0x30...0x39, 0x41...0x46, 0x61...0x66]),
        "ascii": ScalarSet([0x00...0x7F]), "blank": ScalarSet([0x09...0x09, 0x20...0x20]),
        "cntrl": ScalarSet([0x00...0x1F, 0x7F...0x7F]), "graph": ScalarSet([0x21...0x7E]),
        "print": ScalarSet([0x20...0x7E]),
        "punct": ScalarSet([0x21...0x2F, 0x3A...0x40, 0x5B...0x60, 0x7B...0x7E]),
    ]

    // `[:alpha:]`, `[:^alpha:]`; anything else here is a bracket.
    private mutating func namedClass() throws(Refusal) -> ScalarSet? {
        let start = position
        position += 2
        let isNegated = skip("^")
        var name = ""
        while let scalar = next, scalar.isLetterOrDigit {
            name.unicodeScalars.append(scalar)
            position += 1
        }
        guard skip(":]") else {
            position = start
            return nil
        }
        // Without regard to case both are all letters.
        if options.ignoresCase, ["upper", "lower"].contains(name) { name = "alpha" }
        guard let set = Self.named[name] else { throw Refusal() }
        return isNegated ? set.complement : set
    }
}
