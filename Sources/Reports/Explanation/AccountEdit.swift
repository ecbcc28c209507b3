/// One management command that may turn verdicts, and how it stands among others.
struct AccountEdit: Hashable {
    /// The command, as `--change` takes it.
    let command: String
    /// What it is about.
    let kind: Kind
    /// How much of the account it changes: 1 for a single setting, for a policy the flags about which it does something
    /// else.
    let size: Int

    /// What edits are about, the narrowest first. Of some, not all that turn a verdict are told.
    enum Kind: Hashable {
        /// One flag of the account's rejection policy.
        case flag
        /// One filter; its removal comes before its options.
        case filter(String)
        /// A ban or an unban of the device, or the end of its entry.
        case entry
        /// The share of devices that are sampled.
        case sampling
        /// A registration.
        case registration
        /// Another preset for the account.
        case policy
        /// A policy for the device alone.
        case ownPolicy
        /// The filtered policy.
        case filteredPolicy
        /// What is told only where nothing else helps: it rejects or accepts everything, or changes the rules.
        case lastResort

        /// How many of the kind are told.
        var limit: Int {
            switch self {
            case .flag, .entry, .registration: .max
            case .policy: 3
            case .filter, .sampling, .ownPolicy, .filteredPolicy, .lastResort: 1
            }
        }
    }

    /// A last resort counts as larger than anything else.
    var weight: Int { kind == .lastResort ? size + 1000 : size }

    /// Where the command stands among several: what sets a whole policy or removes an entry comes before what changes
    /// a part of it.
    var rank: Int { command.hasPrefix("policy -set ") || command.hasPrefix("device -remove ") ? 0 : 1 }
}
