internal import PolicyEngine

/// The findings in values, kept by the bytes of the values: most values of a capture come again and again.
struct ValueMemo<Found: Finding>: Sendable {
    private var slots: ValueSlots
    // The distinct findings, since most are the same. The first is nothing.
    private var findings = Numbering<Found>([.nothing])
    private let limit: Int
    private let searches: Int
    private let instructions: VectorInstructions
    private let tagBits: UInt32
    private var lookups = 0
    private var missCount = 0
    /// True if so few lookups found a value that they cost more than they saved.
    private(set) var isUseless = false
    // Of the current rows.
    private var answers = ValueSlots.Answers()

    private static var nearFindings: Int { 16 }
    /// The maximum number of rows of one lookup.
    static var rowsAtOnce: Int { ValueSlots.rowsAtOnce }
    /// Bytes that are kept, whatever the values.
    private static var byteLimit: Int { 16 * 1024 * 1024 }
    /// Lookups after which it is seen whether they are worth it.
    private static var trial: Int { 16_384 }

    /// - Parameters:
    ///   - limit: The number of values that are kept.
    ///   - searches: The cost of examining a value, in searches of one regex.
    ///   - instructions: The instructions that values are hashed and compared with; the processor may have less.
    ///   - tagBits: The bits of hashes that count: all, unless a test wants values to collide.
    init(
        limit: Int, searches: Int = 1, instructions: VectorInstructions, tagBits: UInt32 = .max
    ) {
        (self.limit, self.searches) = (limit, searches)
        (self.instructions, self.tagBits) = (instructions, tagBits)
        slots = ValueSlots(instructions: instructions, tagBits: tagBits)
    }

    /// Looks for the values of some rows.
    ///
    /// - Parameters:
    ///   - rows: The rows.
    ///   - range: Which of them, no more than ``rowsAtOnce``.
    ///   - column: Which value of each.
    ///   - besides: A column; rows that have a value there are left out.
    ///   - misses: Takes the rows whose value is not kept.
    ///   - found: Takes what was found in each row's value besides what is there; nothing of rows without one.
    /// - Returns: The number of rows that had a value.
    /// - Complexity: O(length of the values).
    @discardableResult
    mutating func find(
        _ rows: borrowing ValueRows, _ range: Range<Int>, column: Int, besides: Int? = nil, misses: inout [Int32],
        into found: inout [Found]
    ) -> Int {
        precondition(
            range.count <= Self.rowsAtOnce && range.upperBound <= found.count, "few rows, each with its result")
        let count = slots.find(rows, range, column: column, besides: besides, into: &answers)
        lookups &+= count
        var all = found.mutableSpan
        let (numbers, findings) = (answers.numbers.span, findings.keys.span)
        for row in range {
            let number = numbers[row &- range.lowerBound]
            if number != 0 { all[row].formUnion(findings[Int(number)]) }
        }
        for row in answers.misses { misses.append(Int32(truncatingIfNeeded: range.lowerBound &+ Int(row))) }
        return count
    }

    /// Keeps what was found in a value that was missed, while there is room.
    mutating func keep(_ found: Found, for value: Span<UInt8>, range: Range<Int>) {
        missCount += 1
        let isFull = slots.count >= limit || slots.byteCount + range.count > Self.byteLimit
        if lookups >= Self.trial {
            // Looking costs as much as seven eighths of a search. A memo that is not full yet may fill, unless almost no
            // value comes again.
            isUseless = (lookups - missCount) * searches * 8 < lookups * (isFull ? 7 : 2)
            (lookups, missCount) = (0, 0)
            if isUseless { return forget() }
        }
        guard !isFull else { return }
        // The current rows may have had it twice.
        _ = slots.insert(value, range, number: index(of: found))
    }

    // Lets go of the memory.
    private mutating func forget() {
        slots = ValueSlots(instructions: instructions, tagBits: tagBits)
        findings = Numbering([.nothing])
    }

    private mutating func index(of found: Found) -> UInt32 {
        // Few findings make most values.
        let near = findings.keys.prefix(Self.nearFindings).firstIndex(of: found)
        return UInt32(near ?? findings.number(of: found))
    }
}
