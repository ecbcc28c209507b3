/// The result of a comparison on some devices, before it is a report; parts for different devices add up.
package struct ComparisonPart: Figure, Addable {
    private var counted = DoubtedFigures(PairFigures())
    private var malformed = 0
    private var fetches: Fetches?
    private var accounts = ComparedAccounts()
    /// The devices by the values that they showed, if groups of them are asked for.
    package var shown: ShownDevices?

    package static let fields: [FigureField<ComparisonPart>] =
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

        package static let fields: [FigureField<Fetches>] = [.sum("before", \.before), .sum("after", \.after)]

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

/// The result of a replay of some devices, before it is a report; parts for different devices add up.
package struct ReplayPart: Figure, Addable {
    private var counted = DoubtedFigures(Figures())
    private var malformed = 0
    /// The fetch counts of the devices, where captures of fetches were read.
    package private(set) var fetches: FetchFigures?

    package static let fields: [FigureField<ReplayPart>] = [
        .sum("figures", \.counted.value), .value("doubtful", \.counted.doubtful) { $0.counted.addDoubt($1.counted) },
        .sum("malformed", \.malformed), .sum("fetches", \.fetches),
    ]

    package init() {}

    package init(_ counted: DoubtedFigures<Figures>, malformed: Int, fetches: FetchFigures?) {
        (self.counted, self.malformed, self.fetches) = (counted, malformed, fetches)
    }

    /// The figures of a report.
    package var figures: Figures {
        var finished = counted
        finished.finish()
        finished.value.addMalformed(malformed)
        return finished.value
    }
}

/// The figures of the same devices under two accounts.
package struct PairFigures: Figure, Addable, Doubtable {
    package var before = Figures()
    package var after = Figures()
    package var changes = ComparisonFigures()

    package static let fields: [FigureField<PairFigures>] = [
        .sum("before", \.before), .sum("after", \.after), .sum("changes", \.changes),
    ]

    package init() {}

    package mutating func finish(_ doubtful: PairFigures) {
        before.finish(doubtful.before)
        after.finish(doubtful.after)
        let (disagreements, rules) = (changes.disagreements, changes.decidedRules)
        changes = doubtful.changes
        changes.disagreements = disagreements
        changes.decidedRules.add(rules)
    }
}
