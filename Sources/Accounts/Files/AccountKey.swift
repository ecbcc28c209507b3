package import PolicyEngine

/// The keys of an account file, each once, in their usual order.
///
/// ``AccountLoader`` reads and ``AccountWriter`` writes an account key by key, by switches over all of them: a key that is listed
/// here and not handled there does not compile. The keys of a mapping or of a list item are in the type that reads and writes it,
/// such as ``DeviceFields``.
package enum AccountKey: String, CaseIterable {
    /// The name; it takes part in sampling and in response codes.
    case account
    /// The security policy, such as `default,allow-root,risk` (R3).
    case policy
    /// Flags that the rejection policy has more or less than its preset (R4.4).
    case rejectFlags = "reject-flags"
    /// Names of rule sets beside `default` (R3.2).
    case rules
    /// Flags beside the catalogue (R2.2).
    case flags
    /// The switch for the attestation response code in tokens (R12.4).
    case responseCodes = "arc"
    /// The part of the client's address that tokens carry.
    case ipTracking = "ip-tracking"
    /// The switch for the audience in tokens.
    case audience
    /// The switch for the issuer in tokens.
    case issuer
    /// The URL that an app tries to reach at its first fetch although the pins forbid it.
    case pinningTestURL = "pinning-test-url"
    /// The features of the account beside tokens (R21.1).
    case features
    /// Strings that apps get once they pass, by their keys (R21.2).
    case secureStrings = "secure-strings"
    /// The text by which an app identifies itself as a development version (R21.5).
    case developmentKey = "dev-key"
    /// The share of devices that executes the filtered policy (R7.6).
    case samplingPercentage = "sampling-percentage"
    /// The time from a change until it is in force (R1.5).
    case propagation
    /// The time for which a token outlives its lifetime (R11.2).
    case grace
    /// The day of the month on which a billing month starts (R13.2).
    case billingDay = "billing-day"
    /// Filters, in filter order (R7.1).
    case filters
    /// Device entries (R6.1).
    case devices
    /// The developer team; short for `devicecheck.team-id` (R8).
    case team
    /// The key for Apple's DeviceCheck (R8).
    case deviceCheck = "devicecheck"
    /// The key for Google's SafetyNet (R9).
    case safetyNet = "safetynet"
    /// Certificates that apps may be signed with.
    case certificates = "app-signing-certs"
    /// Apps that are registered (R15).
    case registrations
    /// API domains that are served (R14.2a).
    case domains = "apis"
    /// The user roles (R24.2).
    case users = "user-roles"
    /// Files of accounts in which the owner of this account is a delegate (R24.4).
    case delegateAccounts = "delegate-accounts"
    /// The recipients of mails about the account (R25.1).
    case monitoring
    /// The key file, seen from the account's folder.
    case keys

    /// The keys in the order of reading: keys that others depend on come first. A policy names flags and rules, an entry may have
    /// a policy.
    static let readingOrder: [AccountKey] = [
        .account, .flags, .rules, .policy, .rejectFlags, .responseCodes, .ipTracking, .audience, .issuer,
        .pinningTestURL, .features, .secureStrings, .developmentKey, .samplingPercentage, .propagation, .grace,
        .billingDay, .team, .deviceCheck, .safetyNet,
        .certificates, .registrations, .domains, .users, .delegateAccounts, .monitoring, .keys, .filters, .devices,
    ]

    /// The parts of an account that the key says something of.
    package var parts: [AccountPart] {
        switch self {
        case .account: [.name]
        case .policy, .rejectFlags: [.policy]
        case .rules: [.rules]
        case .flags: [.flags]
        case .responseCodes: [.responseCodes]
        case .ipTracking, .audience, .issuer: [.tokens]
        case .pinningTestURL: [.pinningTestURL]
        case .features: [.features]
        case .secureStrings: [.secureStrings]
        case .developmentKey: [.developmentKey]
        case .samplingPercentage: [.filteredPolicy]
        case .propagation: [.propagation]
        case .grace: [.grace]
        case .billingDay: [.billingDay]
        case .filters: [.filters]
        case .devices: [.devices, .filteredPolicy]
        case .team, .deviceCheck: [.deviceCheck]
        case .safetyNet: [.safetyNet]
        case .certificates: [.certificates]
        case .registrations: [.registrations]
        case .domains: [.domains]
        case .users, .delegateAccounts: [.users]
        case .monitoring: [.monitoring]
        case .keys: [.tokens, .keys]
        }
    }
}
