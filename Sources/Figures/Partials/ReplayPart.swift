/// The result of a replay of some devices, before it is a report; parts for different devices add up.
package struct ReplayPart: Figure, Addable {
    private var counted = DoubtedFigures(Figures())
    private var malformed = 0
    /// The fetch counts of the devices, where captures of fetches were read.
    package private(set) var fetches: FetchFigures?

    package static let fields: [Field<ReplayPart>] = [
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
