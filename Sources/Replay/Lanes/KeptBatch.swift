internal import PolicyEngine

/// Records that are kept, in the order of time, in 24 bytes each: as many as a batch has, and with its numbers.
struct KeptBatch: Sendable {
    private let start: Instant
    // By record, in seconds after the start.
    private var seconds: [UInt32] = []
    /// The device of each record.
    private(set) var devices: [DeviceIndex] = []
    /// The observed flags of each record, by their number in the batch that they come from.
    private(set) var flags: [UInt32] = []
    /// The matches in each record, by their number in the batch that they come from.
    private(set) var matches: [UInt32] = []
    /// The app of each record and what belongs to it, by a number that others give.
    private(set) var origins: [UInt32] = []
    /// The number of each record among all.
    private(set) var indices: [UInt32] = []

    /// - Parameter start: The time of the first record.
    init(start: Instant) {
        self.start = start
        seconds.reserveCapacity(Batch.limit)
        devices.reserveCapacity(Batch.limit)
        flags.reserveCapacity(Batch.limit)
        matches.reserveCapacity(Batch.limit)
        origins.reserveCapacity(Batch.limit)
        indices.reserveCapacity(Batch.limit)
    }

    /// The number of records.
    var count: Int { seconds.count }

    /// The time of a record.
    @inline(__always)
    func time(_ row: Int) -> Instant { start + Int(seconds[row]) }

    /// True if a record of that time can be added: a century fits into one batch.
    func hasRoom(for time: Instant) -> Bool {
        count < Batch.limit && UInt32(exactly: time - start) != nil
    }

    /// Adds a record of a batch, with the matches of its first account.
    ///
    /// - Parameter origin: The number of its origin.
    mutating func append(_ row: Int, of batch: borrowing Batch, origin: UInt32) {
        seconds.append(UInt32(batch.times[row] - start))
        devices.append(batch.devices[row])
        flags.append(batch.flags[row])
        matches.append(batch.matches[row])
        origins.append(origin)
        indices.append(UInt32(batch.indices[row]))
    }
}
