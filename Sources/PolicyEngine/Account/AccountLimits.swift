/// How much an account may hold; reaching a limit is a clear error that names it (R16).
public enum AccountLimits {
    /// Device entries, the filtered policy's pseudo entry among them.
    public static let devices = 25
    /// Filters.
    public static let filters = 25
    /// API domains.
    public static let apiDomains = 25
    /// Pins of one API domain.
    public static let pinsPerDomain = 10
    /// Ports on which a domain can be watched.
    public static let ports = 1...65_535
    /// App signing certificates.
    public static let appSigningCertificates = 10
    /// Registrations.
    public static let registrations = 250
    /// Propagation and grace, in seconds: a day.
    public static let seconds = 0...86_400
    /// Days of the month on which a billing month may start.
    public static let billingDays = 1...28
    /// Months after which a DeviceCheck setting may expire.
    public static let deviceCheckExpiry = 1...1200
}
