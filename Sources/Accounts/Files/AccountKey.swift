package import Documents

/// The keys of an account file, each once, in their usual order.
///
/// ``AccountField`` says of each what it means, and how it is read and written: a key that is listed here and not declared there
/// does not compile. The keys of a mapping or of a list item are in the type that reads and writes it, such as ``DeviceFields``.
package enum AccountKey: String, CaseIterable {
    case account, policy
    case rejectFlags = "reject-flags"
    case rules, flags
    case responseCodes = "arc"
    case ipTracking = "ip-tracking"
    case audience, issuer
    case pinningTestURL = "pinning-test-url"
    case features
    case secureStrings = "secure-strings"
    case developmentKey = "dev-key"
    case samplingPercentage = "sampling-percentage"
    case propagation, grace
    case billingDay = "billing-day"
    case filters, devices, team
    case deviceCheck = "devicecheck"
    case safetyNet = "safetynet"
    case certificates = "app-signing-certs"
    case registrations
    case domains = "apis"
    case users = "user-roles"
    case delegateAccounts = "delegate-accounts"
    case monitoring, keys

    /// The keys in the order of reading: keys that others depend on come first. A policy names flags and rules, an entry may have
    /// a policy.
    static let readingOrder: [AccountKey] = {
        let (first, last): ([AccountKey], [AccountKey]) = ([.account, .flags, .rules, .policy], [.filters, .devices])
        return first + allCases.filter { !(first + last).contains($0) } + last
    }()
}

extension DocumentKind {
    /// An account file.
    package static let account = DocumentKind(
        name: "an account", keys: Set(AccountKey.allCases.map(\.rawValue)))
}
