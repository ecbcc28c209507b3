internal import Accounts
package import PolicyEngine
internal import Replay

/// Writes rejection policies for people: what each does about each flag.
package enum TextPolicies {
    // A letter stands for each preset at the head of its column.
    private static let letters = Array("DSCXRJOLWB")

    /// The presets over the flags, exactly as the engine has them.
    ///
    /// - Parameter catalogue: The flags, those that an account declares with them.
    package static func table(of catalogue: FlagCatalogue, style: TextStyle = .plain) -> String {
        var text = TextBuilder(style: style)
        let policies = RejectionPreset.allCases.map(RejectionPolicy.init(preset:))
        let head = [""] + policies.indices.map { String(letters[$0]) }
        let rows = catalogue.declaredNames.compactMap { name in
            catalogue.namedFlag(name).map { flag in [name] + policies.map { mark($0.status(of: flag)) } }
        }
        text.heading("Which preset rejects on which flag")
        text.table([head] + rows)
        text.heading("Presets")
        for (letter, policy) in zip(letters, policies) {
            text.line("  \(letter)  \(policy.name.padded(to: 30))  \(policy.base.summary)")
        }
        text.blank()
        text.line("  x rejects, u rejects unless xposed is set too, . does not")
        return text.finished
    }

    /// What `policy -get` prints for an account.
    package static func description(of account: Account) -> String {
        PolicyText.lines(of: account).map { $0 + "\n" }.joined()
    }

    /// The flags that change sides between two policies, and what else differs.
    package static func difference(
        _ before: SecurityPolicy, _ after: SecurityPolicy, catalogue: FlagCatalogue, style: TextStyle = .plain
    ) -> String {
        let difference = PolicyDifference(before.rejection, of: catalogue, after.rejection, of: catalogue)
        var text = TextBuilder(style: style)
        text.heading("\(before) → \(after)")
        var lines = difference.others
        if before.rules != after.rules { lines.append("rules \(before.rules) → \(after.rules)") }
        if before.annotation != after.annotation {
            lines.append("annotations \(before.annotation.text) → \(after.annotation.text)")
        }
        if difference.flags.isEmpty { lines.append("no flag changes sides") }
        for line in lines { text.line("  \(line)") }
        guard !difference.flags.isEmpty else { return text.finished }
        let rows = difference.flags.map { [$0.name, $0.before.rawValue, "→ \($0.after.rawValue)"] }
        text.table(rows, textColumns: [1, 2])
        return text.finished
    }

    private static func mark(_ status: RejectionStatus) -> String {
        switch status {
        case .accepts: "."
        case .rejects: "x"
        case .rejectsUnlessXposed: "u"
        }
    }
}
