internal import Figures
internal import Reports

// Results that clients of a scenario get beside tokens (R19a).
extension DiffCommand {
    /// Warns of what changes for the worse though no limit counts it (R19a.2).
    static func warnOfUnlimited(_ comparison: Comparison, _ arguments: ParsedArguments, _ console: Console) {
        for part in comparison.changes.clients?.worsening ?? [] {
            let sentence = comparison.sentence(of: part)
            switch part.kind {
            case .token, .secureString, .customToken:
                guard !arguments.isSet(ChangeLimits.rejected.option) else { continue }
                console.show(
                    warning: "\(sentence), and no limit counts them; `\(ChangeLimits.rejected.option.name)` does")
            case .request:
                guard !arguments.isSet(ChangeLimits.blocked.option) else { continue }
                console.show(
                    warning: "\(sentence), and no limit counts them; `\(ChangeLimits.blocked.option.name)` does")
            case .proof: console.show(warning: "\(sentence), and no limit counts them")
            }
        }
    }
}
