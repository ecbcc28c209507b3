/// Knows by the first bytes of a value which of some patterns cannot be found in it, so that they need not be searched.
///
/// Most values do not begin as a pattern such as `^10\.` asks for. PCRE2 itself says of each beginning whether a pattern can
/// still be found behind it (``PatternMatcher/mayBeFound(_:behind:)``); it is asked when a value begins so for the first time,
/// and its answer is kept. A pattern that may be found anywhere in a value stays possible whatever the beginning.
///
/// For `^10\.` and `^192\.`, nothing is possible behind `8`, both are behind `1`, and the first is behind `10`.
struct PatternBeginnings: Sendable {
    private let patterns: [PatternReference]
    // The patterns that are only found at the start of a value.
    private let anchored: Mask
    // Beginnings by their number; that of no bytes is the first.
    private var beginnings: [Beginning]
    // By beginning that may grow and by byte: the beginning that is a byte longer, 0 where it is not known.
    private var longer: [UInt16] = []
    // Values that are searched before any beginning is looked at: few values are not worth the questions.
    private var valuesLeft = 256

    /// A bit for each pattern, by its index among the patterns.
    typealias Mask = UInt32

    private struct Beginning {
        /// The patterns that may be found in a value that begins so.
        let possible: Mask
        /// The index in the table `longer` of the beginnings that are a byte longer; `nil` if they would exclude no more.
        let longer: Int?
    }

    /// - Parameter patterns: The patterns, which somebody else keeps alive.
    /// - Returns: `nil` where each of them may be found anywhere in a value.
    init?(_ patterns: [PatternReference]) {
        guard patterns.count <= Mask.bitWidth else { return nil }
        self.patterns = patterns
        anchored = patterns.enumerated().reduce(0) { $1.element.dependsOnBeginning ? $0 | 1 << Mask($1.offset) : $0 }
        guard anchored != 0 else { return nil }
        beginnings = []
        _ = add(possible: Self.all(patterns.count), length: 0)
    }

    // The longest beginning, in bytes.
    private static var lengthLimit: Int { 4 }
    // Beginnings that may grow, those that come first; the table of all of them has 24 KB.
    private static var growingLimit: Int { 96 }
    private static var byteCount: Int { 128 }
    private static var askedBytes: Range<UInt8> { 0x20..<0x7F }

    private static func all(_ count: Int) -> Mask { count == Mask.bitWidth ? .max : 1 << Mask(count) - 1 }

    /// The patterns that may be found in a value; all others are not found in it.
    ///
    /// - Parameters:
    ///   - value: The value, which is UTF-8.
    ///   - matcher: Answers what is not known yet.
    /// - Complexity: O(1), but for what is asked for the first time.
    @inline(__always)
    mutating func possible(in value: Span<UInt8>, matcher: PatternMatcher) -> Mask {
        guard valuesLeft == 0 else {
            valuesLeft -= 1
            return Self.all(patterns.count)
        }
        var (number, length) = (0, 0)
        while length < value.count, let start = beginnings[number].longer {
            // A character of several bytes is not taken apart, and of one that may end a line PCRE2 cannot be asked.
            guard Self.askedBytes.contains(value[length]) else { break }
            length += 1
            let known = Int(longer[start + Int(value[length - 1])])
            number = known > 0 ? known : learn(value.extracting(first: length), from: number, at: start, matcher)
        }
        return beginnings[number].possible
    }

    // Returns the number of the beginning.
    @inline(never)
    private mutating func learn(
        _ beginning: Span<UInt8>, from shorter: Int, at start: Int, _ matcher: PatternMatcher
    ) -> Int {
        var possible = beginnings[shorter].possible
        for (index, pattern) in patterns.enumerated() where possible & anchored & 1 << Mask(index) != 0 {
            if !matcher.mayBeFound(pattern, behind: beginning) { possible &= ~(1 << Mask(index)) }
        }
        let number = add(possible: possible, length: beginning.count)
        longer[start + Int(beginning[beginning.count - 1])] = UInt16(number)
        return number
    }

    // Beginnings that cannot grow differ in their possible patterns only.
    private mutating func add(possible: Mask, length: Int) -> Int {
        let mayGrow =
            possible & anchored != 0 && length < Self.lengthLimit
            && longer.count < Self.growingLimit * Self.byteCount
        if !mayGrow, let same = beginnings.firstIndex(where: { $0.possible == possible && $0.longer == nil }) {
            return same
        }
        beginnings.append(Beginning(possible: possible, longer: mayGrow ? longer.count : nil))
        if mayGrow { longer.append(contentsOf: repeatElement(0, count: Self.byteCount)) }
        return beginnings.count - 1
    }
}
