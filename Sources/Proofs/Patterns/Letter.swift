/// One of the characters that texts are made of where others would make no difference.
struct Letter: Hashable {
    /// The character.
    let scalar: UInt32
    /// The kind of the letter to an assertion in front of it.
    let seenFromBefore: FollowingCharacter

    /// The kind of the letter to an assertion behind it; to those, a newline at the end is nothing special.
    var seenFromBehind: PrecedingCharacter {
        switch seenFromBefore {
        case .word: .word
        case .newline: .newline
        case .none, .other, .lastNewline: .other
        }
    }

    init(_ scalar: UInt32, isWord: Bool) {
        self.scalar = scalar
        seenFromBefore = isWord ? .word : .other
    }

    private init(newline: FollowingCharacter) {
        scalar = 0x0A
        seenFromBefore = newline
    }

    static let newline = Letter(newline: .newline)
    static let lastNewline = Letter(newline: .lastNewline)

    /// One letter for all characters that are in the same of some sets, those first that people read best.
    ///
    /// - Parameter areWordsAsked: True if it makes a difference whether a character belongs to a word.
    static func alphabet(telling sets: [ScalarSet], areWordsAsked: Bool) -> [Letter] {
        var distinct: [ScalarSet] = []
        for set in sets + [.newline] + (areWordsAsked ? [.words] : []) where !distinct.contains(set) {
            distinct.append(set)
        }
        let parts = distinct.flatMap(\.ranges) + ScalarSet.all.ranges
        let starts = Set(parts.flatMap { [$0.lowerBound, $0.upperBound + 1] }).sorted()
        let candidates = preferred + starts.filter { ScalarSet.all.contains($0) }
        var (seen, letters): (Set<[Bool]>, [Letter]) = ([], [])
        for scalar in candidates {
            let kind = distinct.map { $0.contains(scalar) }
            guard seen.insert(kind).inserted else { continue }
            if scalar == 0x0A {
                letters += [.newline, .lastNewline]
            } else {
                letters.append(Letter(scalar, isWord: areWordsAsked && ScalarSet.words.contains(scalar)))
            }
        }
        return letters
    }

    // Letters and digits, then the other printable characters.
    private static let preferred: [UInt32] =
        Array(0x61...0x7A) + Array(0x30...0x39) + Array(0x41...0x5A)
        + (0x21...0x7E).filter { !ScalarSet.words.contains($0) || $0 == 0x5F } + [0x20]
}
