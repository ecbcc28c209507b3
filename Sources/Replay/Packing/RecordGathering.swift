internal import Documents

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
    ///   - spool: Takes the records until all are read.
    ///   - limits: The limits of batches and dictionaries.
    ///   - progress: Shows from time to time how far it is.
    init(
        _ reading: ReplayRequest, spool: SpoolFile, limits: GatheringLimits, progress: Progress
    ) {
        let ordering = PackOrdering(limits)
        var replay = CaptureReplay<PackResult>(
            reading, .packing(ordering, spool: spool, limits: limits), progress: progress)
        diagnostics = replay.run().diagnostics
        result = diagnostics.hasErrors ? nil : replay.result
        columns = result?.parts[0].columns(by: ordering.takeDictionaries(), areSplit: false) ?? []
    }

    /// The records.
    var part: PackedPart? { result?.parts[0] }
}
