/// A regular expression as a tree: what it may find, whichever way a search goes.
indirect enum PatternNode: Sendable {
    /// One character of a set.
    case character(ScalarSet)
    /// Nothing, at a place where something holds.
    case assertion(PatternAssertion)
    case sequence([PatternNode])
    case choice([PatternNode])
    /// Something so many times; without a maximum for `nil`.
    case repeated(PatternNode, minimum: Int, maximum: Int?)

    static let empty = PatternNode.sequence([])

    /// A whole value that is this text, as an exact filter wants it (R7.2).
    static func whole(_ text: String) -> PatternNode {
        let characters = text.unicodeScalars.map { PatternNode.character(ScalarSet($0)) }
        return .sequence([.assertion(.textStart)] + characters + [.assertion(.textEnd)])
    }
}

/// What must hold at a place of a text, between two characters or at its ends.
enum PatternAssertion: Sendable {
    case textStart, textEnd
    /// The end, or a newline that is the last character.
    case textEndOrLastNewline
    /// The start, or behind a newline that is not the last character.
    case lineStart
    /// The end, or before a newline.
    case lineEnd
    case wordBoundary, noWordBoundary

    /// Whether it holds between what stands before and what stands behind.
    func holds(between before: PrecedingCharacter, and after: FollowingCharacter) -> Bool {
        switch self {
        case .textStart: before == .none
        case .textEnd: after == .none
        case .textEndOrLastNewline: after == .none || after == .lastNewline
        case .lineStart: before == .none || before == .newline
        case .lineEnd: after != .word && after != .other
        case .wordBoundary: (before == .word) != (after == .word)
        case .noWordBoundary: (before == .word) == (after == .word)
        }
    }
}

/// What stands before a place of a text, as far as assertions ask.
enum PrecedingCharacter: UInt8, Sendable {
    case none, word, other
    /// A newline that is not the last character.
    case newline
}

/// What stands behind a place of a text, as far as assertions ask.
enum FollowingCharacter: UInt8, Sendable {
    case none, word, other
    /// A newline that is not the last character.
    case newline
    case lastNewline
}
