internal import Documents
internal import Figures
package import PolicyEngine

/// Writes the effects of policies on flags as JSON on one line. The effect on a flag is `accepts`, `rejects` or `rejects
/// unless xposed`.
package enum JSONPolicy {
    /// The presets over the flags: `{"version":1,"presets":[{"name":…,"summary":…,"flags":{…}}]}`.
    ///
    /// - Parameter catalogue: The flags, those that an account declares with them.
    package static func bytes(ofPresetsOver catalogue: FlagCatalogue) -> [UInt8] {
        presets.value(of: catalogue).line
    }

    /// One policy: `{"version":1,"policy":…,"rules":…,"rejection":…,"annotation":…,"flags":{…}}`.
    package static func bytes(of policy: SecurityPolicy, catalogue: FlagCatalogue) -> [UInt8] {
        self.policy.value(of: (policy, catalogue)).line
    }

    /// The difference of two policies:
    /// `{"version":1,"before":…,"after":…,"flags":[{"flag":…,"before":…,"after":…}],"others":[…]}`.
    package static func bytes(
        ofDifferenceBetween before: SecurityPolicy, and after: SecurityPolicy, catalogue: FlagCatalogue
    ) -> [UInt8] {
        let difference = PolicyDifference(before.rejection, of: catalogue, after.rejection, of: catalogue)
        return self.difference.value(of: (before, after, difference)).line
    }

    static let presets = Columns<FlagCatalogue>(inOrder: [
        .version,
        .list("presets", "The presets of the rejection policy.", preset) { catalogue in
            RejectionPreset.allCases.map { (RejectionPolicy(preset: $0), catalogue) }
        },
    ])

    private static let preset = Columns<(policy: RejectionPolicy, catalogue: FlagCatalogue)>(byName: [
        .field("name", "The name of the preset.") { $0.policy.name },
        .field("summary", "What it is for, in a sentence.") { $0.policy.base.summary },
        .value("flags", "The effect on each flag.", effects) { flags($0.policy, $0.catalogue) },
    ])

    static let policy = Columns<(policy: SecurityPolicy, catalogue: FlagCatalogue)>(inOrder: [
        .version, .field("policy", "The policy.") { $0.policy.description },
        .field("rules", "The rules that it needs.") { "\($0.policy.rules)" },
        .field("rejection", "The rejection policy.") { $0.policy.rejection.name },
        .field("annotation", "The annotation policy.") { $0.policy.annotation.text },
        .value("flags", "The effect on each flag.", effects) { flags($0.policy.rejection, $0.catalogue) },
    ])

    static let difference = Columns<(before: SecurityPolicy, after: SecurityPolicy, difference: PolicyDifference)>(
        inOrder: [
            .version, .field("before", "The first policy.") { $0.before.description },
            .field("after", "The second policy.") { $0.after.description },
            .field("flags", "The flags that they treat differently.") { $0.difference.flags },
            .field("others", "The other differences, in sentences.") { $0.difference.others },
        ])

    private static let effects = JSONSchema.map(of: .string)

    private static func flags(_ policy: RejectionPolicy, _ catalogue: FlagCatalogue) -> JSONValue {
        .ordered(catalogue.declaredFlags.map { ($0.name, .string(policy.status(of: $0.flag).rawValue)) })
    }
}
