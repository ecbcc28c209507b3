internal import Documents
package import PolicyEngine

/// The records of captures, gathered as rows and columns.
struct RecordGathering {
    /// The result; `nil` where the captures were refused.
    let result: PackResult?
    /// The errors and warnings about the captures.
    let diagnostics: Diagnostics
    /// The columns of a file of them, in their order; none where the captures were refused.
    let columns: [GatheredFile.Column]

    /// Reads the captures.
    ///
    /// - Parameters:
    ///   - reading: The captures, and how they are read; the account has no meaning.
    ///   - choice: The records that are gathered.
    ///   - spool: Takes the records until all are read.
    ///   - limits: The limits of batches and dictionaries.
    ///   - progress: Shows from time to time how far it is.
    init(
        _ reading: ReplayRequest, _ choice: RecordChoice = RecordChoice(), spool: SpoolFile, limits: GatheringLimits,
        progress: Progress
    ) {
        let ordering = PackOrdering(limits)
        var replay = CaptureReplay<PackResult>(
            reading, .packing(ordering, spool: spool, limits: limits, choice), progress: progress)
        diagnostics = replay.run().diagnostics
        result = diagnostics.hasErrors ? nil : replay.result
        columns = result?.parts[0].columns(by: ordering.takeDictionaries(), areSplit: false) ?? []
    }

    /// The records.
    var part: PackedPart? { result?.parts[0] }
}

/// The records of captures that are gathered: all, or those of a span of time and of some devices.
package struct RecordChoice: Sendable {
    /// The first time; `nil` for none.
    package var from: Instant?
    /// The time behind the last; `nil` for none.
    package var to: Instant?
    /// The devices; `nil` for all.
    package var devices: Set<DeviceID>?

    package init(from: Instant? = nil, to: Instant? = nil, devices: Set<DeviceID>? = nil) {
        (self.from, self.to, self.devices) = (from, to, devices)
    }

    /// True if records of a time may be gathered.
    func includes(_ time: Instant) -> Bool { from.map { $0 <= time } ?? true && to.map { time < $0 } ?? true }
}
