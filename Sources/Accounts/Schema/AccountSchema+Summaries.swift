extension AccountSchema {
    /// The text that an editor shows for a key.
    static func summary(of key: AccountKey) -> String {
        switch key {
        case .account: "The name; it takes part in sampling and in response codes."
        case .policy: "The security policy: rules, rejection and annotation, such as default,allow-root,risk."
        case .rejectFlags: "Flags that the rejection policy has more or less than its preset."
        case .rules: "Names of rule sets beside default."
        case .flags: "Flags beside the catalogue."
        case .responseCodes: "The switch for attestation response codes in tokens."
        case .ipTracking: "The part of the client's address that tokens contain."
        case .audience: "The switch for the audience in tokens."
        case .issuer: "The switch for the issuer in tokens."
        case .pinningTestURL: "The URL that an app tries to reach at its first fetch although the pins forbid it."
        case .features: "The features of the account beside tokens."
        case .secureStrings: "Strings that apps get once they pass, by their keys."
        case .developmentKey: "The key by which an app counts as a development version."
        case .samplingPercentage: "The share of devices, in percent, that executes the filtered policy."
        case .propagation: "The time from a change until it is in force, such as 30s."
        case .grace: "The time for which backends accept a token beyond its lifetime, such as 10s."
        case .billingDay: "The day of the month on which a billing month starts."
        case .filters: "Filters, in filter order."
        case .devices: "Devices that have a policy or a mode of their own."
        case .team: "The developer team; short for team-id of devicecheck."
        case .deviceCheck: "The key for Apple's DeviceCheck."
        case .safetyNet: "The key for Google's SafetyNet."
        case .certificates: "Certificates that apps may be signed with: fingerprints, or mappings that say more."
        case .registrations: "Apps that are registered."
        case .domains: "API domains that are served."
        case .users: "The users with access, each with role and expiry."
        case .delegateAccounts:
            "Files of accounts into which registrations can be cloned, seen from the account's folder."
        case .monitoring: "The recipients of mail about problems, and of summaries."
        case .keys: "The key file, seen from the account's folder."
        }
    }
}
