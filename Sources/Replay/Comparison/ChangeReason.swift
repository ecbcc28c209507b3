internal import PolicyEngine

/// Why both sides decided as they did, in numbers: the same reasons have the same names.
struct ChangeReason: Hashable {
    private let before: Side
    private let after: Side

    private struct Side: Hashable {
        let result: FetchResult
        let isValid: Bool
        let revision: Int
        let policy: PolicyNumber?
        let flags: FlagSet
        let filters: FilterSet
        let isBlacklisted: Bool

        init(_ outcome: borrowing Outcome) {
            result = outcome.result
            isValid = outcome.isValid
            revision = outcome.decision?.revision ?? 0
            policy = outcome.decision?.policy
            flags = outcome.decision?.rejectingFlags ?? .empty
            filters = outcome.decision?.rejectingFilters ?? .empty
            isBlacklisted = outcome.decision?.isBlacklisted ?? false
        }
    }

    init(before: borrowing Outcome, after: borrowing Outcome) {
        self.before = Side(before)
        self.after = Side(after)
    }
}
