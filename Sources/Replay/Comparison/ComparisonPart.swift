/// The result of a comparison on some devices, before it is a report; parts for different devices add up.
package struct ComparisonPart: Sendable {
    private(set) var result: PairResult
    private(set) var malformed: Int
    private(set) var fetches: Fetches?
    let accounts: ComparedAccounts

    /// The fetch counts of the devices, weighed by the decisions of each side.
    struct Fetches: Sendable {
        var before: FetchFigures
        var after: FetchFigures
    }

    init(_ result: PairResult, malformed: Int, fetches: Fetches?, accounts: ComparedAccounts) {
        (self.result, self.malformed, self.fetches, self.accounts) = (result, malformed, fetches, accounts)
        self.result.verdictsAfter = [:]
    }

    /// Adds the part for other devices.
    mutating func add(_ other: ComparisonPart) {
        result.merge(other.result)
        malformed += other.malformed
        guard let more = other.fetches else { return }
        fetches?.before.add(more.before)
        fetches?.after.add(more.after)
        if fetches == nil { fetches = more }
    }

    /// The comparison that is reported.
    package var comparison: Comparison {
        var finished = result
        finished.finish()
        finished.figures.addMalformed(malformed)
        finished.figuresAfter.addMalformed(malformed)
        return Comparison(
            before: Comparison.Side(figures: finished.figures, fetches: fetches?.before),
            after: Comparison.Side(figures: finished.figuresAfter, fetches: fetches?.after),
            accounts: accounts, changes: finished.comparison.finished, isCapture: true)
    }
}
