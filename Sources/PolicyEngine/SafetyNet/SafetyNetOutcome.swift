/// What a SafetyNet attestation of a device comes to (R9.2).
public enum SafetyNetOutcome: String, Hashable, Sendable, CaseIterable {
    /// Nothing to object to.
    case pass
    /// The token is not Google's, or not of this attestation.
    case failToken = "fail-token"
    /// `basicIntegrity` is false.
    case failIntegrity = "fail-integrity"
    /// `ctsProfileMatch` is false.
    case failProfile = "fail-profile"
    /// The app's certificate is none that the account expects.
    case failCertificate = "fail-cert"
    /// There is no token: not supported, no Play services, or no way to Google.
    case unavailable

    /// The flags to persist for this outcome.
    ///
    /// - Parameter checksCertificates: Whether the account has app signing certificates to compare with; without them
    ///   the app's certificate is not looked at.
    func flags(checkingCertificates checksCertificates: Bool) -> FlagSet {
        switch self {
        case .pass: [.safetyNetCompleted]
        case .failToken: [.safetyNetCompleted, .safetyNetFailToken]
        case .failIntegrity: [.safetyNetCompleted, .safetyNetFailIntegrity]
        case .failProfile: [.safetyNetCompleted, .safetyNetFailProfile]
        case .failCertificate:
            checksCertificates ? [.safetyNetCompleted, .safetyNetFailCertificate] : [.safetyNetCompleted]
        case .unavailable: [.safetyNetUnavailable]
        }
    }
}
