package import PolicyEngine

/// What is compared: two accounts, on captures or on a scenario.
package struct ComparisonRequest: Sendable {
    /// How captures are read; its account is the one before.
    package var replay: ReplayRequest
    /// The account after.
    package var after: Account

    /// - Parameters:
    ///   - replay: How captures are read, and the account before.
    ///   - after: The account after; registrations that it lacks count as removed (R15.2).
    package init(replay: ReplayRequest, after: Account) {
        self.replay = replay
        self.after = after.replacing(replay.account)
    }
}
