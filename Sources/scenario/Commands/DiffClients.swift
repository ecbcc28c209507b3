internal import Figures
internal import Reports

// Results that clients of a scenario get beside tokens (R19a).
extension DiffCommand {
    /// Refuses the limit if captures are compared, which have no requests.
    static func checkBlocked(_ arguments: ParsedArguments, isScenario: Bool) throws(UsageError) {
        guard !isScenario, arguments.isSet(ChangeLimits.blockedOption) else { return }
        throw UsageError(
            "`\(ChangeLimits.blockedOption.name)` needs a scenario", hint: "a capture contains no requests")
    }

    /// Warns of what changes for the worse though no limit counts it (R19a.2).
    static func warnOfUnlimited(_ comparison: Comparison, _ arguments: ParsedArguments, _ console: Console) {
        for part in comparison.changes.clients?.worsening ?? [] {
            let sentence = comparison.sentence(of: part)
            switch part.kind {
            case .token, .secureString, .customToken:
                guard !arguments.isSet(ChangeLimits.rejectedOption) else { continue }
                console.show(
                    warning: "\(sentence), and no limit counts them; `\(ChangeLimits.rejectedOption.name)` does")
            case .request:
                guard !arguments.isSet(ChangeLimits.blockedOption) else { continue }
                console.show(
                    warning: "\(sentence), and no limit counts them; `\(ChangeLimits.blockedOption.name)` does")
            case .proof: console.show(warning: "\(sentence), and no limit counts them")
            }
        }
    }
}
