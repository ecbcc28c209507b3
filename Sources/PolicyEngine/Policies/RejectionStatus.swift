/// What a rejection policy does about one flag.
public enum RejectionStatus: String, Hashable, Sendable, CaseIterable {
    case accepts
    case rejects
    /// It rejects, except where `xposed` is set too (R4.3).
    case rejectsUnlessXposed = "rejects unless xposed"
}

extension RejectionPolicy {
    /// What the policy does about a flag (R4.1–R4.5).
    ///
    /// - Complexity: O(1).
    public func status(of flag: Flag) -> RejectionStatus {
        if rejectsEverything || rejecting.contains(flag) { return .rejects }
        return rejectingUnlessXposed.contains(flag) ? .rejectsUnlessXposed : .accepts
    }
}
