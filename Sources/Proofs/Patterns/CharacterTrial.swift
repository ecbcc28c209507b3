internal import PolicyEngine
internal import Synchronization

/// Finds out by trial which characters a pattern takes that is for one character, such as `\p{Greek}`.
///
/// So the properties of characters and their other cases are those that PCRE2 knows.
enum CharacterTrial {
    // The results so far; the patterns of an account are read many times.
    private static let known = Mutex<[ExactText: ScalarSet]>([:])

    // Texts are so short that no search is given up, in characters.
    private static let blockLength: UInt32 = 128

    /// The characters that a pattern takes.
    ///
    /// - Returns: `nil` if it is no pattern.
    /// - Complexity: O(number of all characters) the first time.
    static func characters(of pattern: String) -> ScalarSet? {
        if let set = known.withLock({ $0[ExactText(pattern)] }) { return set }
        guard let taking = try? Pattern(pattern), let leaving = try? Pattern("(?!\(pattern))(?s:.)") else { return nil }
        var ranges: [ClosedRange<UInt32>] = []
        for part in ScalarSet.all.ranges {
            for start in stride(from: part.lowerBound, through: part.upperBound, by: Int(blockLength)) {
                add(start...min(part.upperBound, start + blockLength - 1), taking, leaving, to: &ranges)
            }
        }
        let set = ScalarSet(ranges)
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

    // Halves a range until all or none of it is taken.
    private static func add(
        _ range: ClosedRange<UInt32>, _ taking: Pattern, _ leaving: Pattern, to ranges: inout [ClosedRange<UInt32>]
    ) {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: range.lazy.compactMap(Unicode.Scalar.init))
        guard taking.isFound(in: String(text)) else { return }
        guard leaving.isFound(in: String(text)) else { return ranges.append(range) }
        let middle = range.lowerBound + (range.upperBound - range.lowerBound) / 2
        add(range.lowerBound...middle, taking, leaving, to: &ranges)
        add(middle + 1...range.upperBound, taking, leaving, to: &ranges)
    }
}
