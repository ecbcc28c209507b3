extension AccountSchema {
    /// The text that an editor shows for a key.
    static func summary(of key: AccountKey) -> String {
        switch key {
        case .account: "The name; it takes part in sampling and in response codes."
        case .policy: "The security policy: rules, rejection and annotation, such as default,allow-root,risk."
        case .rejectFlags: "Flags that the rejection policy has more or less than its preset."
        case .rules: "Names of rule sets beside default."
        case .flags: "Flags beside the catalogue."
        case .responseCodes: "Whether tokens carry an attestation response code."
        case .ipTracking: "What tokens carry of the client's address."
        case .audience: "Whether tokens carry their audience."
        case .issuer: "Whether tokens carry their issuer."
        case .pinningTestURL: "What an app tries to reach at its first fetch though the pins forbid it."
        case .features: "What the account has beside tokens."
        case .secureStrings: "Strings that apps get once they pass, by their keys."
        case .developmentKey: "What an app has to say to count as a development version."
        case .samplingPercentage: "The share of devices, in percent, that executes the filtered policy."
        case .propagation: "The time from a change until it is in force, such as 30s."
        case .grace: "The time for which a token outlives its lifetime, such as 10s."
        case .billingDay: "The day of the month on which a billing month starts."
        case .filters: "Filters, in filter order."
        case .devices: "Devices that have a policy or a mode of their own."
        case .team: "The developer team; short for team-id of devicecheck."
        case .deviceCheck: "The key for Apple's DeviceCheck."
        case .safetyNet: "The key for Google's SafetyNet."
        case .certificates: "Certificates that apps may be signed with: fingerprints, or mappings that say more."
        case .registrations: "Apps that are registered."
        case .domains: "API domains that are served."
        case .users: "Who has access, in which role and until when."
        case .delegateAccounts:
            "Files of accounts into which registrations can be cloned, seen from the account's folder."
        case .monitoring: "Who is told of problems and gets summaries."
        case .keys: "The key file, seen from the account's folder."
        }
    }
}
