/// What happens to the ban of a device at its next attestation (R6.3).
public enum BanMode: String, Hashable, Sendable, CaseIterable {
    case ban, unban
}
