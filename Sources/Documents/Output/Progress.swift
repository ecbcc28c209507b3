/// The progress of a replay or a run, reported now and then to a caller that shows it.
package struct Progress: Sendable {
    private let shown: (@Sendable (Position) -> Void)?

    /// A position in the input.
    package struct Position: Sendable {
        /// Records read, or fetches made, so far.
        package let records: Int
        /// The share of the work that is done, 0 through 1; `nil` where its length is not known.
        package let share: Double?
        /// The unit of the count.
        package var unit = "records"

        package init(records: Int, share: Double?, unit: String = "records") {
            self.records = records
            self.share = share
            self.unit = unit
        }
    }

    /// - Parameter show: Called every few thousand records, by one thread at a time; decides itself, by its clock, whether
    ///   to print.
    package init(_ show: (@Sendable (Position) -> Void)? = nil) {
        shown = show
    }

    /// Reports a run that is part of the way through its scenarios.
    package func report(fetches: Int, share: Double) {
        show(Position(records: fetches, share: share, unit: "fetches"))
    }

    /// Reports a position.
    package func show(_ position: Position) { shown?(position) }

    /// Reports a capture of which some records are written.
    package func report(records: Int, of total: Int) {
        show(Position(records: records, share: Double(records) / Double(total)))
    }
}
