/// A rule that the service's manual leaves open, or of which it says two things, and that this project has decided.
///
/// `docs/RULES.md` marks these rules as decided; each is declared once here. Reports name those on which their answer rests.
package enum DecidedRule: Int, Hashable, Sendable, CaseIterable {
    case bansUnderWhitelist, joinedAnnotations, deviceEntries, samplingHash, replacedCharacters
    case safetyNetOfRunningApps, orderOfPolicies, usualGrace, otherApps, reasonOfChange, failoverDetection
    case spreadLaunches, endOfSpreadLaunches, keysOfLoggableTokens
    case configurationAfterFailure, emptyPins, newConnections, filteredProbe
    case changingBinding, plainRequests, foreignTokens, clocks, unlimitedChanges, reachingChange
    case lifetimeOfStrings, keysOfCustomTokens, healthCheckName
    case monitoringRoles, accessOfUsers, delegateRoles

    // The number of the rule, a sentence about it, and why no report names it; `nil` where reports do.
    private var declaration: (number: String, sentence: String, silence: String?) {
        switch self {
        case .bansUnderWhitelist:
            (
                "R4.6",
                "under `whitelist` neither bans nor rejecting filters count, though other sections of the manual say that a "
                    + "banned device never passes", nil
            )
        case .joinedAnnotations:
            ("R5.2", "several flags, joined by `+`, are an annotation policy", nil)
        case .deviceEntries:
            (
                "R6.1",
                "a device entry without a policy follows the account's policy, rather than a copy of it; a device entry that "
                    + "is added again keeps the options that are not given", nil
            )
        case .samplingHash: ("R7.6", "which devices are sampled on a day follows from a SHA-256 hash", nil)
        case .replacedCharacters:
            ("R7.8", "other characters of a user property become `?`, rather than being removed", nil)
        case .safetyNetOfRunningApps:
            ("R9.1", "a running app does SafetyNet at its next attestation, rather than at its next launch", nil)
        case .orderOfPolicies:
            ("R10.9", "the device's own policy is used before the filtered policy", nil)
        case .usualGrace: ("R11.2", "a backend accepts a token for 10 s after its lifetime", nil)
        case .otherApps: ("R13.1", "apps after the first 10,000 are counted together", nil)
        case .reasonOfChange:
            ("R14.2b", "the reason of an attestation is `change` where flags or bound data had changed", nil)
        case .failoverDetection:
            ("R14.3", "the failover decides without `cloned`, SafetyNet flags, filters and sampling", nil)
        case .spreadLaunches:
            ("R14.4", "launches that are spread over a span are drawn by the seed and the number of the install", nil)
        case .endOfSpreadLaunches:
            (
                "R14.5", "a scenario ends no earlier than a span over which launches are spread",
                "only the final expectations and the mails of `run` depend on the end of a scenario"
            )
        case .keysOfLoggableTokens:
            (
                "R14.6", "loggable tokens are made with the keys of the account as it issued the token",
                "only expectations of `run` and `token -check` read the loggable form"
            )
        case .configurationAfterFailure:
            (
                "R17.3",
                "a failing attestation delivers the newest configuration, and an attestation to the failover delivers none",
                nil
            )
        case .emptyPins: ("R18.2", "an empty list of pins counts as none, so that the managed trust roots apply", nil)
        case .newConnections: ("R18.5", "every request connects anew", nil)
        case .filteredProbe:
            ("R18.8", "the probe URL of the filtered policy's entry has an effect even where its policy has none", nil)
        case .changingBinding: ("R19.1a", "the data that tokens are bound to can change by itself", nil)
        case .plainRequests:
            ("R19.7", "plain HTTP is read by any proxy on the way, and refused by a backend that requires tokens", nil)
        case .foreignTokens: ("R19.8", "a request can carry the token of another install", nil)
        case .clocks: ("R19.9", "clients cache tokens by the phone's clock, and backends check them by their own", nil)
        case .unlimitedChanges:
            ("R19a.2", "a change for the worse that no limit counts is a warning, rather than an exceeded limit", nil)
        case .reachingChange:
            ("R19a.3", "a change reaches a client that gets another result, even if no device attests", nil)
        case .lifetimeOfStrings:
            ("R21.2", "an install keeps a secure string for the lifetime of a token", nil)
        case .keysOfCustomTokens:
            ("R21.3", "custom JWTs are made with the key and the lifetime of the account's tokens", nil)
        case .healthCheckName:
            (
                "R23.3", "a name that begins with `att-` stays as it is in the URL of a health check",
                "only `serve` and `monitoring -getHealthCheckURL` know that URL"
            )
        case .monitoringRoles:
            (
                "R24.1", "`monitoring -removeAPI` needs an admin, and the other monitoring commands a dev",
                "roles decide who may change an account, and not the effects of the change"
            )
        case .accessOfUsers:
            (
                "R24.2",
                "access without a role that it comes from lasts 365 days, and reminders are sent on three days",
                "roles decide who may change an account, and mails are listed by `run` alone"
            )
        case .delegateRoles:
            (
                "R24.4",
                "an account that lists user roles needs a delegate role for registrations to be cloned into it",
                "registrations are cloned into other accounts than the one that is compared or explained"
            )
        }
    }

    /// The number of the rule in `docs/RULES.md`, such as `R4.6`.
    package var number: String { declaration.number }

    /// The decision, as a sentence without a capital letter and a period.
    package var sentence: String { declaration.sentence }

    /// Why no report of `diff`, `explain` or `prove` ever names the rule; `nil` where a report can.
    package var silence: String? { declaration.silence }
}
