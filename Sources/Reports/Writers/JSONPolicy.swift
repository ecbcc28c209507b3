internal import Figures
package import PolicyEngine

/// Writes the effects of policies on flags as JSON on one line. The effect on a flag is `accepts`, `rejects` or `rejects
/// unless xposed`.
package enum JSONPolicy {
    /// The presets over the flags: `{"version":1,"presets":[{"name":…,"summary":…,"flags":{…}}]}`.
    ///
    /// - Parameter catalogue: The flags, those that an account declares with them.
    package static func bytes(ofPresetsOver catalogue: FlagCatalogue) -> [UInt8] {
        let presets = RejectionPreset.allCases.map { preset -> JSONValue in
            let policy = RejectionPolicy(preset: preset)
            return .sorted([
                "name": .string(policy.name), "summary": .string(policy.base.summary),
                "flags": flags(policy, catalogue),
            ])
        }
        return bytes(of: [("presets", .array(presets))])
    }

    /// One policy: `{"version":1,"policy":…,"rules":…,"rejection":…,"annotation":…,"flags":{…}}`.
    package static func bytes(of policy: SecurityPolicy, catalogue: FlagCatalogue) -> [UInt8] {
        bytes(of: [
            ("policy", .string(policy.description)), ("rules", .string("\(policy.rules)")),
            ("rejection", .string(policy.rejection.name)), ("annotation", .string(policy.annotation.text)),
            ("flags", flags(policy.rejection, catalogue)),
        ])
    }

    /// The difference of two policies:
    /// `{"version":1,"before":…,"after":…,"flags":[{"flag":…,"before":…,"after":…}],"others":[…]}`.
    package static func bytes(
        ofDifferenceBetween before: SecurityPolicy, and after: SecurityPolicy, catalogue: FlagCatalogue
    ) -> [UInt8] {
        let difference = PolicyDifference(before.rejection, of: catalogue, after.rejection, of: catalogue)
        return bytes(of: [
            ("before", .string(before.description)), ("after", .string(after.description)),
            ("flags", difference.flags.reported), ("others", difference.others.reported),
        ])
    }

    private static func bytes(of members: [(key: String, value: JSONValue)]) -> [UInt8] {
        JSONValue.ordered([("version", .integer(1))] + members).line
    }

    private static func flags(_ policy: RejectionPolicy, _ catalogue: FlagCatalogue) -> JSONValue {
        .ordered(catalogue.declaredFlags.map { ($0.name, .string(policy.status(of: $0.flag).rawValue)) })
    }
}
