package import Documents

extension ReplayRequest {
    /// Replays the captures through the account, with the work that what is asked for takes.
    ///
    /// - Parameter progress: Told now and then how far the replay is.
    package func run(progress: Progress = Progress()) -> ReplayOutcome {
        guard tokensPath != nil else {
            var replay = CaptureReplay(self, progress: progress)
            return replay.run()
        }
        var replay = CaptureReplay(self, work: TokenWork(account, keepsSeries: keepsSeries), progress: progress)
        return replay.run()
    }
}
