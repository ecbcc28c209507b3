/// The limits of what an account may hold; reaching one is a clear error that names it (R16).
@usableFromInline
package enum AccountLimits {
    /// Device entries, the filtered policy's pseudo entry among them.
    package static let devices = 25
    /// Filters.
    @inlinable @inline(__always) package static var filters: Int { 25 }
    /// API domains.
    package static let apiDomains = 25
    /// Pins of one API domain.
    package static let pinsPerDomain = 10
    /// Ports on which a domain can be watched.
    package static let ports = 1...65_535
    /// App signing certificates.
    package static let appSigningCertificates = 10
    /// Registrations.
    package static let registrations = 250
    /// Registrations that are cloned into another account.
    package static let clonedRegistrations = 50
    /// User roles that are live.
    package static let liveUsers = 25
    /// Addresses that get mail on the account.
    package static let monitoringRecipients = 10
    /// Propagation and grace, in seconds: a day.
    package static let seconds = 0...86_400
    /// Days of the month on which a billing month may start.
    package static let billingDays = 1...28
    /// Months after which a DeviceCheck setting may expire.
    package static let deviceCheckExpiry = 1...1200
}
