package import PolicyEngine

/// Policies in the words of the manual (Getting Current Security Policy, Attestation Response Code).
package enum PolicyText {
    /// What `policy -get` prints.
    package static func lines(of account: Account) -> [String] {
        let policy = account.policy
        return [
            "security policy is \"\(policy)\" meaning:",
            "  rules: \(policy.rules) (\(rulesMeaning(policy.rules)))",
            "  rejection: \(policy.rejection.name) (\(rejectionMeaning(policy.rejection)))",
            "  annotation: \(policy.annotation.text) (\(annotationMeaning(policy.annotation, account.catalogue)))",
            "flag level rejection policy:",
        ] + flagLines(policy.rejection, account.catalogue)
    }

    /// What `policy -getARC` prints.
    static func responseCodeLines(of account: Account) -> [String] {
        guard account.isResponseCodeOn else { return ["ARC policy is off"] }
        let flags = ResponseCodec(account: account).encodableFlags
        return ["ARC policy is on", "flags that can be ARC encoded:"]
            + account.catalogue.names(of: flags).map { "  \($0)" }
    }

    // Every flag that a policy may name, those that reject with a tag.
    private static func flagLines(_ policy: RejectionPolicy, _ catalogue: FlagCatalogue) -> [String] {
        let flags = catalogue.flags.prefix(catalogue.namedCount)
        let width = (flags.map(\.name.count).max() ?? 0) + 1
        let tag = "reject "
        return flags.compactMap { known -> String? in
            guard let flag = catalogue.namedFlag(known.name) else { return nil }
            let status = policy.status(of: flag)
            let isConditional = status == .rejectsUnlessXposed
            let meaning = known.meaning + (isConditional ? " (rejected unless xposed is set too)" : "")
            let text = ListText.pad(known.name, to: meaning.isEmpty ? 0 : width) + meaning
            return "  " + (status == .accepts ? ListText.pad("", to: tag.count) : tag) + text
        }
    }

    private static func rulesMeaning(_ rules: String) -> String {
        rules == SecurityPolicy.defaultRules ? "Default security rules" : "Security rules that the account declares"
    }

    private static func rejectionMeaning(_ policy: RejectionPolicy) -> String {
        policy.isCustom ? "Flags chosen by hand, starting from \(policy.base.rawValue)" : policy.base.summary
    }

    private static func annotationMeaning(_ policy: AnnotationPolicy, _ catalogue: FlagCatalogue) -> String {
        if policy.namesEverything { return "All flags in Approov token" }
        let names = catalogue.names(of: policy.flags)
        return names.isEmpty ? "No flags in Approov token" : "\(names.joined(separator: ", ")) in Approov token"
    }
}
