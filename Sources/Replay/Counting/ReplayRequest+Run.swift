package import Documents

extension ReplayRequest {
    /// Replays the captures through the account, with the work that what is asked for takes.
    ///
    /// - Parameter progress: Shows from time to time how far the replay is.
    package func run(progress: Progress = Progress()) -> ReplaySummary {
        if tokensPath != nil { return run(TokenWork(account, keepsSeries: keepsSeries), progress) }
        guard counting == nil else { return run(AccountWork(account, keepsSeries: keepsSeries), progress) }
        var replay = CaptureReplay(self, progress: progress)
        return replay.run()
    }

    private func run(_ work: some ReplayWork, _ progress: Progress) -> ReplaySummary {
        guard let counting else {
            var replay = CaptureReplay(self, work: work, progress: progress)
            return replay.run()
        }
        var replay = CaptureReplay(self, work: CountingWork(work, counting), progress: progress)
        return replay.run()
    }
}
