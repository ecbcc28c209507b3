package import Documents
internal import PolicyEngine

/// The result of a replay of some devices, before it is a report; parts for different devices add up.
package struct ReplayPart: Sendable {
    private var result: AccountResult
    private var malformed: Int
    /// The fetch counts of the devices, where captures of fetches were read.
    package private(set) var fetches: FetchFigures?

    init(_ result: AccountResult, malformed: Int, fetches: FetchFigures?) {
        (self.result, self.malformed, self.fetches) = (result, malformed, fetches)
    }

    /// Adds the part for other devices.
    mutating func add(_ other: ReplayPart) {
        result.merge(other.result)
        malformed += other.malformed
        if let more = other.fetches { if fetches == nil { fetches = more } else { fetches?.add(more) } }
    }

    /// The figures of a report.
    package var figures: Figures {
        var finished = result
        finished.finish()
        finished.figures.addMalformed(malformed)
        return finished.figures
    }
}

extension ReplayPart: PartialCodable {
    var partial: JSONValue {
        .ordered([
            ("figures", result.figures.partial), ("doubtful", result.doubtful.partial),
            ("malformed", malformed.partial), ("fetches", fetches.partial),
        ])
    }

    init(_ reader: PartialReader) throws(PartialFailure) {
        result = AccountResult(figures: try reader["figures"], doubtful: try reader["doubtful"])
        malformed = try reader["malformed"]
        fetches = try reader["fetches"]
    }
}

extension ReplayRequest {
    /// Replays the captures through the account for the devices of a part.
    ///
    /// - Parameter progress: Shows from time to time how far the replay is.
    /// - Returns: The part, unless the input was refused; and what a replay reports.
    package func runPart(progress: Progress = Progress()) -> (part: ReplayPart?, summary: ReplaySummary) {
        var replay = CaptureReplay(self, progress: progress)
        let summary = replay.run()
        guard let figures = summary.figures else { return (nil, summary) }
        // Captures of fetches alone have figures of nothing else.
        var result = replay.unfinished ?? AccountResult(figures: Figures(), doubtful: nil)
        result.figures.frequencies = nil
        return (ReplayPart(result, malformed: figures.malformed, fetches: summary.fetches), summary)
    }
}
