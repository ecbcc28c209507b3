/// An event of an Android phone, its app or the account that evaluates it.
enum AndroidEvent: Hashable, Sendable, CaseIterable {
    case attest
    /// The failover answers (R14.3).
    case attestAtFailover
    case launch
    /// The app is removed and installed; that keeps the device ID.
    case reinstall
    /// That changes the device ID.
    case factoryReset
    /// The state of every device is cleared.
    case clear
    case keyOff
    /// The account gets a key that nobody has used.
    case newKey
    /// The outcome of SafetyNet changes.
    case becomesUnavailable, becomesPass, becomesFailing
    case nextDay
    case addCertificate, removeCertificate
}
