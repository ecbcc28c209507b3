/// Why a policy was chosen (R10, step 9).
public enum PolicyReason: Hashable, Sendable {
    /// The device has one of its own.
    case ownEntry
    /// Filters that matched execute the filtered policy.
    case filters(FilterSet)
    /// The device is sampled on that day.
    case sampled
    /// It is the account's.
    case account
}
