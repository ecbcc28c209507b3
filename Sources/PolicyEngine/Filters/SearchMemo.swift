/// The results of searches that took long, so that equal ones are made once, however often they are asked for (R7.2).
struct SearchMemo {
    /// A search: patterns with equal sources find the same, whichever account they are in.
    struct Key: Hashable {
        let source: ExactText
        let value: [UInt8]
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
