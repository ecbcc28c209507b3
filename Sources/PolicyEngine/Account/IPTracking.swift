/// What tokens tell of the client's address; it has no bearing on filters (R7.2).
public enum IPTracking: String, Hashable, Sendable, CaseIterable {
    case none, token, full
}
