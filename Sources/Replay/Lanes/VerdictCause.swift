internal import PolicyEngine

/// A verdict and why it is one.
struct VerdictCause {
    let passed: Bool
    let policy: PolicyNumber
    let rejectingFlags: FlagSet
    let rejectingFilters: FilterSet
    let isBlacklisted: Bool
}
