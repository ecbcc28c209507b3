/// The settings of an account beside policies, filters and entries: keys, certificates and registrations, in words.
struct ReferenceServices: Hashable, Sendable {
    /// Nothing where there is no DeviceCheck key.
    var deviceCheck: ReferenceDeviceCheck?
    /// Nothing where there is no SafetyNet key.
    var safetyNetKey: String?
    var dailyQuota = 10_000
    var hasCertificate = false
    /// Nothing where the account lists none.
    var registrations: [ReferenceRegistration]?

    /// The team of every account.
    static let team = "TEAM"
}
