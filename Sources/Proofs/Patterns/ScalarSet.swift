/// A set of characters: ranges of Unicode scalars.
struct ScalarSet: Hashable, Sendable {
    /// In ascending order; none touches another.
    let ranges: [ClosedRange<UInt32>]

    /// Every character that UTF-8 can write.
    static let all = ScalarSet([0...0xD7FF, 0xE000...0x10FFFF])
    static let newline = ScalarSet([0x0A...0x0A])
    // Without PCRE2's option UCP these are characters of ASCII only.
    static let digits = ScalarSet([0x30...0x39])
    static let words = ScalarSet([0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A])
    static let spaces = ScalarSet([0x09...0x0D, 0x20...0x20])
    /// `\h`: spaces of any script.
    static let horizontalSpaces = ScalarSet([
        0x09...0x09, 0x20...0x20, 0xA0...0xA0, 0x1680...0x1680, 0x180E...0x180E, 0x2000...0x200A, 0x202F...0x202F,
        0x205F...0x205F, 0x3000...0x3000,
    ])
    /// `\v`: characters that end a line.
    static let verticalSpaces = ScalarSet([0x0A...0x0D, 0x85...0x85, 0x2028...0x2029])

    init(_ ranges: [ClosedRange<UInt32>]) {
        var merged: [ClosedRange<UInt32>] = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = merged.last, range.lowerBound <= last.upperBound &+ 1 {
                merged[merged.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
            } else {
                merged.append(range)
            }
        }
        self.ranges = merged
    }

    init(_ scalar: Unicode.Scalar) {
        ranges = [scalar.value...scalar.value]
    }

    /// True if a character is in the set.
    ///
    /// - Complexity: O(log number of ranges).
    func contains(_ scalar: UInt32) -> Bool {
        var (low, high) = (0, ranges.count)
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].upperBound < scalar { low = middle + 1 } else { high = middle }
        }
        return low < ranges.count && ranges[low].lowerBound <= scalar
    }

    /// The characters in either set.
    func union(_ other: ScalarSet) -> ScalarSet { ScalarSet(ranges + other.ranges) }

    /// The characters in both sets.
    func intersection(_ other: ScalarSet) -> ScalarSet { complement.union(other.complement).complement }

    /// All other characters.
    var complement: ScalarSet {
        var (gaps, start): ([ClosedRange<UInt32>], UInt32) = ([], 0)
        for range in ranges {
            if range.lowerBound > start { gaps.append(start...range.lowerBound - 1) }
            start = range.upperBound + 1
        }
        if start <= 0x10FFFF { gaps.append(start...0x10FFFF) }
        return ScalarSet(gaps).withoutSurrogates
    }

    /// The characters of the set that UTF-8 can write.
    var withoutSurrogates: ScalarSet {
        ScalarSet(
            ranges.flatMap { range in
                Self.all.ranges.compactMap { part in
                    let (low, high) = (max(part.lowerBound, range.lowerBound), min(part.upperBound, range.upperBound))
                    return low <= high ? low...high : nil
                }
            })
    }

    /// The set with the other cases of its letters, as PCRE2 takes them in UTF mode.
    ///
    /// - Returns: `nil` where the set has characters beyond ASCII, whose other cases are not known here.
    var ignoringCase: ScalarSet? {
        guard ranges.allSatisfy({ $0.upperBound < 0x80 }) else { return nil }
        var added: [ClosedRange<UInt32>] = []
        for scalar in ranges.flatMap({ Array($0) }) {
            let lower = scalar | 0x20
            guard 0x61...0x7A ~= lower else { continue }
            added += [lower...lower, (lower ^ 0x20)...(lower ^ 0x20)]
            // The sign of Kelvin and the long s are other cases of letters of ASCII.
            if lower == 0x6B { added.append(0x212A...0x212A) }
            if lower == 0x73 { added.append(0x017F...0x017F) }
        }
        return ScalarSet(ranges + added)
    }
}
