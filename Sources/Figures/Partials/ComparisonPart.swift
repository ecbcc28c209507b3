/// The result of a comparison on some devices, before it is a report; parts for different devices add up.
package struct ComparisonPart: Figure, Addable {
    private var counted = DoubtedFigures(PairFigures())
    private var malformed = 0
    private var fetches: Fetches?
    private var accounts = ComparedAccounts()

    package static let fields: [Field<ComparisonPart>] =
        PairFigures.fields.map { $0.of(\.counted.value) } + [
            .value("doubtful", \.counted.doubtful) { $0.counted.addDoubt($1.counted) },
            .sum("malformed", \.malformed), .sum("fetches", \.fetches), .value("accounts", \.accounts),
        ]

    package init() {}

    /// The fetch counts of the devices, weighed by the decisions of each side.
    package struct Fetches: Figure, Addable {
        package var before = FetchFigures()
        package var after = FetchFigures()

        package static let fields: [Field<Fetches>] = [.sum("before", \.before), .sum("after", \.after)]

        package init() {}
    }

    package init(
        _ counted: DoubtedFigures<PairFigures>, malformed: Int, fetches: Fetches?, accounts: ComparedAccounts
    ) {
        (self.counted, self.malformed, self.fetches, self.accounts) = (counted, malformed, fetches, accounts)
    }

    /// The comparison that is reported.
    package var comparison: Comparison {
        var finished = counted
        finished.finish()
        finished.value.before.addMalformed(malformed)
        finished.value.after.addMalformed(malformed)
        return Comparison(
            before: Comparison.Side(figures: finished.value.before, fetches: fetches?.before),
            after: Comparison.Side(figures: finished.value.after, fetches: fetches?.after),
            accounts: accounts, changes: finished.value.changes.finished, isCapture: true)
    }
}
