/// The result of a comparison on some devices, before it is a report; parts for different devices add up.
package struct ComparisonPart: Figure, Addable {
    private var counted = DoubtedFigures(PairFigures())
    private var malformed = 0
    private var fetches: Fetches?
    private var accounts = ComparedAccounts()
    /// The devices by the values that they showed, if groups of them are asked for.
    package var shown: ShownDevices?

    package static let fields: [Field<ComparisonPart>] =
        PairFigures.fields.map { $0.of(\.counted.value) } + [
            .value("doubtful", \.counted.doubtful) { $0.counted.addDoubt($1.counted) },
            .sum("malformed", \.malformed), .sum("fetches", \.fetches), .value("accounts", \.accounts),
            .sum("shown", \.shown),
        ]

    package init() {}

    /// The fetch counts of the devices, weighed by the decisions of each side.
    package struct Fetches: Figure, Addable {
        package var before = FetchFigures()
        package var after = FetchFigures()
        /// The fetches of devices that fail after, less those of devices that fail before; `nil` if nobody asked for intervals.
        package var turned: ShareMoments?

        package static let fields: [Field<Fetches>] = [
            .sum("before", \.before), .sum("after", \.after), .sum("turned", \.turned),
        ]

        package init() {}
    }

    package init(
        _ counted: DoubtedFigures<PairFigures>, malformed: Int, fetches: Fetches?, accounts: ComparedAccounts
    ) {
        (self.counted, self.malformed, self.fetches, self.accounts) = (counted, malformed, fetches, accounts)
        self.counted.value.changes.order()
    }

    /// The comparison that is reported.
    package var comparison: Comparison {
        var finished = counted
        finished.finish()
        finished.value.before.addMalformed(malformed)
        finished.value.after.addMalformed(malformed)
        var comparison = Comparison(
            before: Comparison.Side(figures: finished.value.before, fetches: fetches?.before),
            after: Comparison.Side(figures: finished.value.after, fetches: fetches?.after),
            accounts: accounts, changes: finished.value.changes.finished, isCapture: true)
        comparison.turnedFetches = fetches?.turned
        return comparison
    }
}
