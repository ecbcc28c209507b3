internal import Figures
internal import Reports

// Results that clients of a scenario get beside tokens (R19a).
extension DiffCommand {
    /// The warnings of what changes for the worse though no limit counts it (R19a.2).
    static func unlimitedChanges(_ comparison: Comparison, _ arguments: ParsedArguments) -> [String] {
        (comparison.changes.clients?.worsening ?? []).compactMap { part in
            let sentence = "\(comparison.sentence(of: part)), and no limit counts them"
            let limit: Limit<ChangeLimits.Subject>? =
                switch part.kind {
                case .token, .secureString, .customToken: ChangeLimits.rejected
                case .request: ChangeLimits.blocked
                case .proof: nil
                }
            guard let option = limit?.option else { return sentence }
            return arguments.isSet(option) ? nil : "\(sentence); `\(option.name)` does"
        }
    }
}
