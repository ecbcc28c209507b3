/// The budget of a search (R7.2): steps and characters are counted, so that it ends the same way on every machine. A clock is
/// read only if a command gives up altogether at some time.
struct SearchBudget: Hashable {
    private let total: Int
    private var remaining: Int
    private var position = 0
    private let perByte: Int
    private let perStep: Int
    /// When the search gives up whatever is left; `nil` for never.
    private(set) var deadline: ContinuousClock.Instant?
    // The remaining budget at which the clock is read again.
    private var nextLook = Int.min

    // The budget that is spent between two readings of the clock: some tenths of a second's worth.
    private static let lookInterval = 20_000_000

    /// Nothing may be done.
    static let none = SearchBudget(total: 0, perByte: 1, perStep: 1)

    /// - Parameters:
    ///   - total: All that may be spent.
    ///   - perByte: The cost of moving over one byte of the value.
    ///   - perStep: The cost of trying one item of the pattern.
    init(total: Int, perByte: Int, perStep: Int) {
        (self.total, remaining, self.perByte, self.perStep) = (total, total, perByte, perStep)
    }

    /// The same up to a deadline.
    func until(_ deadline: ContinuousClock.Instant?) -> SearchBudget {
        var budget = self
        budget.deadline = deadline
        budget.nextLook = deadline == nil ? .min : total
        return budget
    }

    /// The amount that was spent: no more than there was.
    var spent: Int { total - max(0, remaining) }

    /// Spends what it costs to have moved to a position of the value and to try an item of the pattern there.
    ///
    /// - Returns: True if the search may continue.
    mutating func spend(movingTo index: Int) -> Bool {
        let moved = index > position ? index - position : position - index
        remaining -= moved * perByte + perStep
        position = index
        if remaining < nextLook {
            nextLook = remaining - Self.lookInterval
            if let deadline, ContinuousClock.now >= deadline { return false }
        }
        return remaining >= 0
    }
}

/// The cost of searching for a pattern, estimated from its text (R7.2).
struct SearchCost: Sendable {
    private let length: Int
    private let longestRepetition: Int
    private let hasBackreferences: Bool

    /// The amount that every search may spend.
    static let base = 1_000_000
    /// The largest amount that a search may spend: some seconds' worth.
    static let limit = 1_000_000_000

    /// - Parameters:
    ///   - pattern: The pattern as it was written.
    ///   - hasBackreferences: True if it refers to what it matched before.
    init(of pattern: String, hasBackreferences: Bool) {
        length = pattern.utf8.count
        longestRepetition = Self.longestRepetition(in: pattern)
        self.hasBackreferences = hasBackreferences
    }

    /// The budget of one search.
    ///
    /// The length of the pattern by that of the value is what trying every item at every position costs, once. An item
    /// with a count, or that compares with what was matched before, runs over characters and may fail without moving:
    /// its step costs that much more.
    ///
    /// - Parameter count: The length of the value.
    func budget(forBytes count: Int) -> SearchBudget {
        let (product, isTooMuch) = length.multipliedReportingOverflow(by: count)
        let total = isTooMuch ? Self.limit : min(Self.base + product, Self.limit)
        // Testing a character against a long list of others takes longer.
        let perByte = 1 + length / 1024
        let unseen = max(longestRepetition, hasBackreferences ? count : 0)
        return SearchBudget(total: total, perByte: perByte, perStep: perByte + unseen / 16)
    }

    // The largest number behind a brace, whatever the brace stands for.
    private static func longestRepetition(in pattern: String) -> Int {
        var (longest, number) = (0, Int?.none)
        for byte in pattern.utf8 {
            if byte == UInt8(ascii: "{") {
                number = 0
            } else if byte.isDigit, let soFar = number {
                number = min(soFar * 10 + Int(byte - UInt8(ascii: "0")), limit)
            } else {
                number = nil
            }
            longest = max(longest, number ?? 0)
        }
        return longest
    }
}
