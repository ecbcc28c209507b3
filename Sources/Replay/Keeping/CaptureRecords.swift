package import Documents
package import PolicyEngine

/// Reads the records of captures with names in place of numbers, and what an account decides on each.
package struct CaptureRecords {
    private let request: ReplayRequest
    private let keys: [String]
    private let progress: Progress

    /// - Parameters:
    ///   - request: The captures, how they are read, and the account.
    ///   - keys: The attributes that are read.
    ///   - progress: Shows from time to time how far the replay is.
    package init(_ request: ReplayRequest, keys: [String], progress: Progress = Progress()) {
        (self.request, self.keys, self.progress) = (request, keys, progress)
    }

    /// The attributes that an account looks at.
    package static func keys(for account: Account) -> [String] { FlipTrial.keys(account, account) }

    /// Reads everything.
    ///
    /// - Returns: The records in the order of time; none where the input was refused.
    package func read() -> (records: [KeptRecord], diagnostics: Diagnostics) {
        var replay = CaptureReplay(
            request, work: KeepingWork(request.account, devices: nil, keys: keys), progress: progress)
        let summary = replay.run()
        return (summary.diagnostics.hasErrors ? [] : replay.result?.records ?? [], summary.diagnostics)
    }
}
