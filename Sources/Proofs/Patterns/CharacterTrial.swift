internal import PolicyEngine
internal import Synchronization

/// Finds out by trial which characters a pattern takes that is for one character, such as `\p{Greek}`.
///
/// So the properties of characters and their other cases are those that PCRE2 knows.
enum CharacterTrial {
    // The results so far; the patterns of an account are read many times.
    private static let known = Mutex<[ExactText: ScalarSet]>([:])

    // The length of the texts in characters: so short that a search is rarely given up.
    private static let blockLength: UInt32 = 512

    /// The characters that a pattern takes.
    ///
    /// - Returns: `nil` if it is no pattern, or a search for it was given up.
    /// - Complexity: O(number of all characters) the first time.
    static func characters(of pattern: String) -> ScalarSet? {
        if let set = known.withLock({ $0[ExactText(pattern)] }) { return set }
        guard let taking = try? Pattern(pattern), let leaving = try? Pattern("(?!\(pattern))(?s:.)") else { return nil }
        var trial = Trial(taking: taking, leaving: leaving)
        for part in ScalarSet.all.ranges {
            for start in stride(from: part.lowerBound, through: part.upperBound, by: Int(blockLength)) {
                guard trial.add(start...min(part.upperBound, start + blockLength - 1)) else { return nil }
            }
        }
        let set = ScalarSet(trial.ranges)
        known.withLock { $0[ExactText(pattern)] = set }
        return set
    }

    /// The characters that a pattern takes, if it takes all or none of those that are in the same of some sets, and of one size
    /// in UTF-8.
    ///
    /// - Returns: `nil` if it is no pattern.
    static func characters(of pattern: String, telling sets: [ScalarSet]) -> ScalarSet? {
        guard let taking = try? Pattern(pattern) else { return nil }
        let sizes: [UInt32] = [0, 0x80, 0x100, 0x800, 0xE000, 0x1_0000, 0x11_0000]
        let starts = Set(sizes + sets.flatMap(\.ranges).flatMap { [$0.lowerBound, $0.upperBound + 1] }).sorted()
        var (ranges, answers): ([ClosedRange<UInt32>], [[Int]: Bool]) = ([], [:])
        for (start, end) in zip(starts, starts.dropFirst()) {
            guard let scalar = Unicode.Scalar(start) else { continue }
            let size = sizes.count { $0 <= start }
            let kind = [size] + sets.indices.filter { sets[$0].contains(start) }
            let isTaken = answers[kind] ?? taking.isFound(in: String(scalar))
            answers[kind] = isTaken
            if isTaken { ranges.append(start...end - 1) }
        }
        return ScalarSet(ranges).withoutSurrogates
    }

    // The trial of one pattern: the characters that it takes, found by it and by a pattern that takes all others.
    private struct Trial {
        let taking, leaving: Pattern
        let matcher = PatternMatcher()
        private(set) var ranges: [ClosedRange<UInt32>] = []

        init(taking: Pattern, leaving: Pattern) {
            (self.taking, self.leaving) = (taking, leaving)
        }

        // Halves a range until all or none of it is taken; false if a search was given up.
        mutating func add(_ range: ClosedRange<UInt32>) -> Bool {
            let places = CharacterTrial.place(of: range.lowerBound)..<CharacterTrial.place(of: range.upperBound + 1)
            let text = CharacterTrial.alphabet.span.extracting(places)
            guard let takesSome = matcher.isFound(taking, inUTF8: text) else { return false }
            guard takesSome else { return true }
            guard let leavesSome = matcher.isFound(leaving, inUTF8: text) else { return false }
            guard leavesSome else {
                ranges.append(range)
                return true
            }
            let middle = range.lowerBound + (range.upperBound - range.lowerBound) / 2
            return add(range.lowerBound...middle) && add(middle + 1...range.upperBound)
        }
    }

    // Every character that UTF-8 can write, one behind the other.
    private static let alphabet: [UInt8] = {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(place(of: 0x11_0000))
        for range in ScalarSet.all.ranges {
            for number in range {
                if let scalar = Unicode.Scalar(number) { bytes.append(contentsOf: UTF8.encode(scalar) ?? .init()) }
            }
        }
        return bytes
    }()

    // The offset of a character in that text: of one to four bytes each, and without those of U+D800 to U+DFFF.
    private static func place(of scalar: UInt32) -> Int {
        switch scalar {
        case ..<0x80: Int(scalar)
        case ..<0x800: 0x80 + 2 * Int(scalar - 0x80)
        case ...0xD800: 0xF80 + 3 * Int(scalar - 0x800)
        case ..<0x1_0000: 0xF80 + 3 * Int(scalar - 0x800 - 0x800)
        default: 0x2_DF80 + 4 * Int(scalar - 0x1_0000)
        }
    }
}
