internal import PolicyEngine

/// What a command asks about an account; the account alone answers it.
package enum AccountQuestion: Hashable, Sendable {
    /// `policy -get`
    case policy
    /// `policy -getARC`
    case responseCode
    /// `policy -getIPTracking`
    case ipTracking
    /// `policy -getAudience`
    case audience
    /// `policy -getIssuer`
    case issuer
    /// `policy -getPinningTestURL`
    case pinningTestURL
    /// `device -list`
    case devices
    /// `filter -list`
    case filters
    /// `filter -getSamplingPercentage`
    case samplingPercentage
    /// `devicecheck -get`
    case authKey
    /// `safetynet -get`
    case safetyNetKey
    /// `appsigncert -list`
    case certificates
    /// `registration -list`
    case registrations
    /// `api -list`
    case domains
}

extension AccountQuestion {
    /// The answer in the words of the manual, a line each.
    ///
    /// - Parameters:
    ///   - account: Who is asked.
    ///   - time: Now; `nil` where that is not known, so that nothing is taken to have expired.
    func answer(of account: Account, at time: Instant?) -> [String] {
        switch self {
        case .policy: PolicyText.lines(of: account)
        case .responseCode: PolicyText.responseCodeLines(of: account)
        case .ipTracking: ["IP tracking policy is \(account.ipTracking.rawValue)"]
        case .audience: ["audience policy is \(Self.word(account.includesAudience))"]
        case .issuer: ["issuer policy is \(Self.word(account.includesIssuer))"]
        case .pinningTestURL: [account.pinningTestURL ?? "pinning test URL has not been set"]
        case .devices: DeviceText.list(of: account)
        case .filters: FilterText.list(account.filters)
        case .samplingPercentage: ["sampling percentage is \(account.samplingPercentage)"]
        case .authKey: ServiceText.lines(of: account.deviceCheck)
        case .safetyNetKey: ServiceText.lines(of: account.safetyNet)
        case .certificates: CertificateText.list(account.certificates)
        case .registrations: RegistrationText.list(account.registrations ?? [], at: time)
        case .domains: DomainText.list(account.apiDomains)
        }
    }

    private static func word(_ isOn: Bool) -> String { isOn ? "on" : "off" }
}
