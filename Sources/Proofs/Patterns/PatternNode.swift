/// A regular expression as a tree: the texts that it may find, in any order of trial.
indirect enum PatternNode: Sendable {
    /// One character of a set.
    case character(ScalarSet)
    /// The empty text, at a position where an assertion holds.
    case assertion(PatternAssertion)
    case sequence([PatternNode])
    case choice([PatternNode])
    /// An item `minimum` to `maximum` times; `nil` is no maximum.
    case repeated(PatternNode, minimum: Int, maximum: Int?)
    /// The first text that is found; no other may be found there: an atomic group, a possessive count. `isGreedy` is true if all
    /// its counts take as much as they can.
    case once(PatternNode, isGreedy: Bool)

    static let empty = PatternNode.sequence([])

    /// A whole value that is this text, as an exact filter wants it (R7.2).
    static func whole(_ text: String) -> PatternNode {
        let characters = text.unicodeScalars.map { PatternNode.character(ScalarSet($0)) }
        return .sequence([.assertion(.textStart)] + characters + [.assertion(.textEnd)])
    }

    /// The same, without groups around a single item.
    var simplified: PatternNode {
        switch self {
        case .sequence(let items) where items.count == 1: items[0].simplified
        case .choice(let items) where items.count == 1: items[0].simplified
        case .choice(let items) where !items.isEmpty: Self.characters(items).map { .character($0) } ?? self
        default: self
        }
    }

    // The characters of alternatives that are one character each.
    private static func characters(_ items: [PatternNode]) -> ScalarSet? {
        var set = ScalarSet([])
        for item in items {
            guard case .character(let other) = item.simplified else { return nil }
            set = set.union(other)
        }
        return set
    }

    /// True if it asks for the start of the text or of a line.
    var asksForStart: Bool {
        switch self {
        case .character: false
        case .assertion(let assertion): assertion == .textStart || assertion == .lineStart
        case .sequence(let items), .choice(let items): items.contains(where: \.asksForStart)
        case .repeated(let item, _, _), .once(let item, _): item.asksForStart
        }
    }

    /// The expression behind an item, as far as it makes a difference to ``once(_:isGreedy:)``.
    struct Rest {
        /// True if it may be nothing at all: then any text that is found first will do.
        var mayBeNothing: Bool
        /// The characters of which one comes next; `nil` where that is not known.
        var next: ScalarSet?

        static let nothing = Rest(mayBeNothing: true, next: nil)
        static let unknown = Rest(mayBeNothing: false, next: nil)
    }

    /// The same without ``once(_:isGreedy:)``.
    ///
    /// - Returns: `nil` where that is no regular expression, or not known to be one.
    func withoutOnce(before rest: Rest) -> PatternNode? {
        switch self {
        case .character, .assertion: return self
        case .sequence(let items):
            var (withoutOnce, rest): ([PatternNode], Rest) = ([], rest)
            for item in items.reversed() {
                guard let item = item.withoutOnce(before: rest) else { return nil }
                withoutOnce.append(item)
                rest = Rest(mayBeNothing: rest.mayBeNothing && item.mayBeEmpty, next: item.firstCharacters)
            }
            return .sequence(withoutOnce.reversed())
        case .choice(let items):
            let withoutOnce = items.compactMap { $0.withoutOnce(before: rest) }
            return withoutOnce.count == items.count ? .choice(withoutOnce) : nil
        case .repeated(let item, let minimum, let maximum):
            var inner = Rest.unknown
            inner.mayBeNothing = rest.mayBeNothing && (minimum <= 1 || item.mayBeEmpty)
            return item.withoutOnce(before: inner).map { .repeated($0, minimum: minimum, maximum: maximum) }
        case .once(let item, let isGreedy):
            guard let inner = item.withoutOnce(before: rest.mayBeNothing ? .nothing : .unknown) else { return nil }
            if rest.mayBeNothing || isGreedy && inner.mayNotEndEarly(before: rest) { return inner }
            return isGreedy ? inner.givingNothingBack : nil
        }
    }

    // True if giving back never helps: behind fewer repetitions the next character would begin another one.
    private func mayNotEndEarly(before rest: Rest) -> Bool {
        guard case .repeated(let item, _, _) = simplified, item.hasOneWay, let own = item.firstCharacters,
            let next = rest.next
        else { return false }
        return own.intersection(next).ranges.isEmpty
    }

    // True if it finds the empty text at every position.
    private var mayBeEmpty: Bool {
        switch self {
        case .character, .assertion: false
        case .sequence(let items): items.allSatisfy(\.mayBeEmpty)
        case .choice(let items): items.contains(where: \.mayBeEmpty)
        case .repeated(let item, let minimum, _): minimum == 0 || item.mayBeEmpty
        case .once(let item, _): item.mayBeEmpty
        }
    }

    // An expression that finds only the text that this one finds first.
    private var givingNothingBack: PatternNode? {
        switch simplified {
        case .character, .assertion: return self
        case .once: return nil
        case .choice(let items):
            let withoutOnce = items.compactMap(\.givingNothingBack)
            return Self.beginDifferently(items) && withoutOnce.count == items.count ? .choice(withoutOnce) : nil
        case .sequence(let items):
            guard let last = items.last else { return self }
            guard items.dropLast().allSatisfy(\.hasOneWay), let end = last.givingNothingBack else { return nil }
            return .sequence(items.dropLast() + [end])
        case .repeated(let item, let minimum, let maximum):
            if minimum == maximum, item.hasOneWay { return self }
            guard case .character(let set) = item.simplified else { return nil }
            let stop = PatternNode.assertion(.notBefore(set))
            guard let maximum else { return .sequence([.repeated(item, minimum: minimum, maximum: nil), stop]) }
            guard minimum < maximum else { return .repeated(item, minimum: minimum, maximum: maximum) }
            return .choice([
                .repeated(item, minimum: maximum, maximum: maximum),
                .sequence([.repeated(item, minimum: minimum, maximum: maximum - 1), stop]),
            ])
        }
    }

    // True if at any position there is at most one way to find it.
    private var hasOneWay: Bool {
        switch simplified {
        case .character, .assertion: true
        case .sequence(let items): items.allSatisfy(\.hasOneWay)
        case .choice(let items): Self.beginDifferently(items) && items.allSatisfy(\.hasOneWay)
        case .repeated(let item, let minimum, let maximum): minimum == maximum && item.hasOneWay
        case .once: false
        }
    }

    // True if the next character tells which of some alternatives may be found.
    private static func beginDifferently(_ items: [PatternNode]) -> Bool {
        var seen = ScalarSet([])
        for item in items {
            guard let first = item.firstCharacters, first.intersection(seen).ranges.isEmpty else { return false }
            seen = seen.union(first)
        }
        return true
    }

    // The characters that may be found first; `nil` where it may find nothing at all.
    private var firstCharacters: ScalarSet? {
        switch self {
        case .character(let set): return set
        case .assertion, .once: return nil
        case .sequence(let items):
            // In front of it there may be assertions only.
            let first = items.first { item in if case .assertion = item { false } else { true } }
            return first?.firstCharacters
        case .choice(let items):
            var all = ScalarSet([])
            for item in items {
                guard let first = item.firstCharacters else { return nil }
                all = all.union(first)
            }
            return all
        case .repeated(let item, let minimum, _): return minimum > 0 ? item.firstCharacters : nil
        }
    }
}

/// A condition at a position of a text, between two characters or at its ends.
enum PatternAssertion: Hashable, Sendable {
    case textStart, textEnd
    /// The end, or a newline that is the last character.
    case textEndOrLastNewline
    /// The start, or behind a newline that is not the last character.
    case lineStart
    /// The end, or before a newline.
    case lineEnd
    case wordBoundary, noWordBoundary
    case wordStart, wordEnd
    /// The next character is one of a set.
    case before(ScalarSet)
    /// The end, or the next character is none of a set.
    case notBefore(ScalarSet)

    /// True if it holds between the character before and the letter behind, if there is one.
    func holds(between before: PrecedingCharacter, and letter: Letter?) -> Bool {
        let after = letter?.seenFromBefore ?? .none
        return switch self {
        case .textStart: before == .none
        case .textEnd: after == .none
        case .textEndOrLastNewline: after == .none || after == .lastNewline
        case .lineStart: before == .none || before == .newline
        case .lineEnd: after != .word && after != .other
        case .wordBoundary: (before == .word) != (after == .word)
        case .noWordBoundary: (before == .word) == (after == .word)
        case .wordStart: before != .word && after == .word
        case .wordEnd: before == .word && after != .word
        case .before(let set): letter.map { set.contains($0.scalar) } ?? false
        case .notBefore(let set): letter.map { !set.contains($0.scalar) } ?? true
        }
    }

    /// True if it asks for words.
    var asksForWords: Bool {
        switch self {
        case .wordBoundary, .noWordBoundary, .wordStart, .wordEnd: true
        case .textStart, .textEnd, .textEndOrLastNewline, .lineStart, .lineEnd, .before, .notBefore: false
        }
    }

    /// The characters that it asks for.
    var set: ScalarSet? {
        switch self {
        case .before(let set), .notBefore(let set): set
        case .textStart, .textEnd, .textEndOrLastNewline, .lineStart, .lineEnd, .wordBoundary, .noWordBoundary,
            .wordStart, .wordEnd:
            nil
        }
    }
}

/// The character before a position of a text, as far as assertions ask.
enum PrecedingCharacter: UInt8, Sendable {
    case none, word, other
    /// A newline that is not the last character.
    case newline
}

/// The character behind a position of a text, as far as assertions ask.
enum FollowingCharacter: UInt8, Sendable {
    case none, word, other
    /// A newline that is not the last character.
    case newline
    case lastNewline
}
