internal import PolicyEngine

/// The parts of an attestation that the lifetime and the annotations of its token follow from.
struct TokenCause: Mixed {
    /// The row of its flags.
    let flagRow: UInt32
    /// If it is risky, and if the filtered policy decides; no other effect.
    let verdict: Effect

    var mixedBits: UInt64 { UInt64(flagRow) << 8 ^ UInt64(verdict.rawValue) }
}

/// A verdict and why it is one.
struct VerdictCause {
    let passed: Bool
    let policy: PolicyNumber
    let rejectingFlags: FlagSet
    let rejectingFilters: FilterSet
    let isBlacklisted: Bool
}
