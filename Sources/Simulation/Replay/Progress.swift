/// How far a replay or a run is, told now and then to whoever wants to show it.
package struct Progress {
    private let show: ((Position) -> Void)?
    private var recordsUntilNext = Self.interval
    private var records = 0

    /// A place in the input.
    package struct Position: Sendable {
        /// Records read, or fetches made, so far.
        package let records: Int
        /// The share of the work that is done, 0 through 1; `nil` where its length is not known.
        package let share: Double?
        /// What is counted.
        package var unit = "records"
    }

    /// Records between two calls.
    private static let interval = 4096

    /// - Parameter show: Called every few thousand records; decides itself, by its clock, whether to print.
    package init(_ show: ((Position) -> Void)? = nil) {
        self.show = show
    }

    /// Tells of a run that is part of the way through its scenarios.
    func report(fetches: Int, share: Double) {
        show?(Position(records: fetches, share: share, unit: "fetches"))
    }

    /// Tells of a capture of which some records are written.
    func report(records: Int, of total: Int) {
        show?(Position(records: records, share: Double(records) / Double(total)))
    }

    mutating func advance(_ reader: borrowing RecordReader) {
        guard let show else { return }
        recordsUntilNext -= 1
        guard recordsUntilNext == 0 else { return }
        recordsUntilNext = Self.interval
        records += Self.interval
        let file = reader.file
        let share = file.isCompressed ? nil : file.length.map { Double(file.buffer.consumedCount) / Double(max(1, $0)) }
        show(Position(records: records, share: share))
    }
}
