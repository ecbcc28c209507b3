internal import Accounts
internal import Documents
internal import Figures
package import PolicyEngine

/// The answer to a question about policies: what they do about each flag.
package struct PolicyReport: Answer {
    private let subject: Subject
    private let account: Account

    /// The policies that the question is about.
    package enum Subject: Sendable {
        /// All presets over the flags.
        case presets
        case policy(SecurityPolicy)
        /// The difference of two policies.
        case difference(SecurityPolicy, SecurityPolicy)
    }

    package static let forms: [ReportForm] = [.text, .json]
    package static let kinds = [
        ReportKind("presets", "Presets", presetColumns), ReportKind("policy", "Policy", policyColumns),
        ReportKind("policy-difference", "Difference of policies", differenceColumns),
    ]

    /// - Parameters:
    ///   - subject: The policies.
    ///   - account: The account whose flags count, those that it declares among them.
    package init(on subject: Subject, in account: Account) { (self.subject, self.account) = (subject, account) }

    package func bytes(as form: ReportForm, in setting: ReportSetting) -> [UInt8] {
        form == .json ? json.line : text(in: setting)
    }

    private func text(in setting: ReportSetting) -> [UInt8] {
        switch subject {
        case .presets: return TextWriter(setting).bytes(of: Self.presets(over: account.catalogue))
        case .policy(let policy):
            var shown = account
            shown.policy = policy
            return Array(PolicyText.lines(of: shown).map { $0 + "\n" }.joined().utf8)
        case .difference(let before, let after):
            return TextWriter(setting).bytes(of: difference(before, after))
        }
    }

    private var json: JSONValue {
        let catalogue = account.catalogue
        return switch subject {
        case .presets: Self.presetColumns.value(of: catalogue)
        case .policy(let policy): Self.policyColumns.value(of: (policy, catalogue))
        case .difference(let before, let after):
            Self.differenceColumns.value(
                of: (before, after, PolicyDifference(before.rejection, of: catalogue, after.rejection, of: catalogue)))
        }
    }
}

// MARK: Text

extension PolicyReport {
    // A letter stands for each preset at the head of its column.
    private static let letters = Array("DSCXRJOLWB").map(String.init)

    // The presets over the flags, exactly as the engine has them.
    private static func presets(over catalogue: FlagCatalogue) -> [ReportSection] {
        let policies = RejectionPreset.allCases.map(RejectionPolicy.init(preset:))
        let flags: [[ReportTable.Cell]] = catalogue.declaredFlags.map { name, flag in
            [.text(name)] + policies.map { .text(mark($0.status(of: flag))) }
        }
        let names: [[ReportTable.Cell]] = zip(letters, policies).map { letter, policy in
            [.text(letter), .text(policy.name), .text(policy.base.summary)]
        }
        return [
            ReportSection(
                .title("Which preset rejects on which flag"),
                table: ReportTable([.text()] + letters.prefix(policies.count).map { .text($0) }, flags)),
            ReportSection(.title("Presets"), table: ReportTable([.text(), .text(), .text()], names)),
            ReportSection(.continuation, sentences: ["x rejects, u rejects unless xposed is set too, . does not"]),
        ]
    }

    // The flags that change sides between two policies, and what else differs.
    private func difference(_ before: SecurityPolicy, _ after: SecurityPolicy) -> [ReportSection] {
        let catalogue = account.catalogue
        let difference = PolicyDifference(before.rejection, of: catalogue, after.rejection, of: catalogue)
        var sentences = difference.others
        if before.rules != after.rules { sentences.append("rules \(before.rules) → \(after.rules)") }
        if before.annotation != after.annotation {
            sentences.append("annotations \(before.annotation.text) → \(after.annotation.text)")
        }
        if difference.flags.isEmpty { sentences.append("no flag is treated differently") }
        let rows: [[ReportTable.Cell]] = difference.flags.map {
            [.text($0.name), .text($0.before.rawValue), .text("→ \($0.after.rawValue)")]
        }
        return [
            ReportSection(
                .title("\(before) → \(after)"), sentences: sentences.map { ReportText($0) },
                table: ReportTable([.text(), .text(), .text()], rows))
        ]
    }

    private static func mark(_ status: RejectionStatus) -> String {
        switch status {
        case .accepts: "."
        case .rejects: "x"
        case .rejectsUnlessXposed: "u"
        }
    }
}

// MARK: JSON

// The effect on a flag is `accepts`, `rejects` or `rejects unless xposed`.
extension PolicyReport {
    /// The presets over the flags: `{"version":1,"presets":[{"name":…,"summary":…,"flags":{…}}]}`.
    static let presetColumns = Columns<FlagCatalogue>(inOrder: [
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

    /// One policy: `{"version":1,"policy":…,"rules":…,"rejection":…,"annotation":…,"flags":{…}}`.
    static let policyColumns = Columns<(policy: SecurityPolicy, catalogue: FlagCatalogue)>(inOrder: [
        .version, .field("policy", "The policy.") { $0.policy.description },
        .field("rules", "The rules that it needs.") { "\($0.policy.rules)" },
        .field("rejection", "The rejection policy.") { $0.policy.rejection.name },
        .field("annotation", "The annotation policy.") { $0.policy.annotation.text },
        .value("flags", "The effect on each flag.", effects) { flags($0.policy.rejection, $0.catalogue) },
    ])

    /// The difference of two policies:
    /// `{"version":1,"before":…,"after":…,"flags":[{"flag":…,"before":…,"after":…}],"others":[…]}`.
    static let differenceColumns = Columns<
        (before: SecurityPolicy, after: SecurityPolicy, difference: PolicyDifference)
    >(
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
