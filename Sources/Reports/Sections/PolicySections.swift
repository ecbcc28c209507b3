internal import Figures
package import PolicyEngine

/// Rejection policies in sections: what each does about each flag.
package enum PolicySections {
    // A letter stands for each preset at the head of its column.
    private static let letters = Array("DSCXRJOLWB").map(String.init)

    /// The presets over the flags, exactly as the engine has them.
    ///
    /// - Parameter catalogue: The flags, those that an account declares with them.
    package static func presets(over catalogue: FlagCatalogue) -> [ReportSection] {
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

    /// The flags that change sides between two policies, and what else differs.
    package static func difference(
        _ before: SecurityPolicy, _ after: SecurityPolicy, catalogue: FlagCatalogue
    ) -> [ReportSection] {
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
