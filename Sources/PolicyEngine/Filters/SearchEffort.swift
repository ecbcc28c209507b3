/// The effort of a search that is not done quickly (R7.2).
enum SearchEffort {
    /// Not at all: it is given up, and somebody else makes it later.
    case deferred
    /// As far as the filter's budget of the run allows. The result depends on what was searched before.
    case ofRun
    /// So far that it depends on the value alone.
    case ofValue
}

/// The budgets of a run for each filter's searches that are not done quickly (R7.2).
///
/// Steps are counted, as in ``SearchBudget``, and no clock is read.
package struct RunBudget {
    // By filter, and behind them for patterns of no filter.
    private var remaining: [Int]

    /// The index of the budget of patterns that belong to no filter.
    static let others = FilterSet.limit

    /// The amount that a filter may spend in a run: some seconds' worth.
    package static let total = 2_000_000_000
    /// The amount that one search may spend if the order of searches differs between runs.
    static let ofValue = 20_000

    /// - Parameter total: The work that each filter may spend.
    init(total: Int) {
        remaining = Array(repeating: total, count: FilterSet.limit + 1)
    }

    /// True if the budget of some filter is spent.
    var isSpent: Bool { remaining.contains(0) }

    /// The amount that a search of a filter may still spend.
    func limit(of filter: Int, _ effort: SearchEffort) -> Int {
        switch effort {
        case .deferred: 0
        case .ofRun: remaining[filter]
        case .ofValue: Self.ofValue
        }
    }

    /// Takes away what a search of a filter spent.
    mutating func spend(_ cost: Int, of filter: Int, _ effort: SearchEffort) {
        if effort == .ofRun { remaining[filter] = max(0, remaining[filter] - cost) }
    }
}

/// The results of searches that took long, so that equal ones are made once, however often a command asks (R7.2).
struct SearchMemo {
    /// A search: patterns with equal sources find the same, whichever account they are in.
    struct Key: Hashable {
        let source: ExactText
        let value: [UInt8]
        /// True if its effort is limited so that the result depends on the value alone.
        let isOfValue: Bool
    }

    private var answers: [Key: PatternMatcher.Answer] = [:]
    private var bytes = 0

    /// The number of results that are kept, and of bytes of values; past that, searches are made anew.
    private static let (countLimit, byteLimit) = (65_536, 16 * 1024 * 1024)

    /// The result of a search; `nil` if it is not kept.
    func answer(of key: Key) -> PatternMatcher.Answer? { answers[key] }

    /// Keeps what a search found.
    mutating func keep(_ answer: PatternMatcher.Answer, of key: Key) {
        guard answers.count < Self.countLimit, bytes + key.value.count <= Self.byteLimit else { return }
        if answers.updateValue(answer, forKey: key) == nil { bytes += key.value.count }
    }
}

/// Why a text is not a regular expression.
public struct PatternError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The pattern.
    public let source: String
    /// PCRE2's words.
    public let reason: String
    /// The offset of the mistake in the pattern, in bytes of UTF-8 from its start.
    public let offset: Int

    /// The reason, and the offset of the mistake.
    public var description: String { "bad regex `\(source)`: \(reason) at offset \(offset)" }

    /// A hint on how to correct the pattern.
    package var hint: String? {
        "write `\\` before a special character to match it literally, as in `1\\.2\\.3\\.4`"
    }
}
