/// Why a text is not a security policy.
public enum PolicyError: Error, Hashable, Sendable {
    /// Not three names joined by commas.
    case wrongForm(String)
    /// The rules part cannot be a name of a rule set.
    case invalidRulesName(String)
    /// A rule set that the account does not have.
    case unknownRules(String, known: [String])
    /// A rejection policy that does not exist.
    case unknownRejection(String)
    /// `custom`, which arises from editing flags only (R4.4).
    case customCannotBeSet
    /// Neither an annotation policy nor a flag that exists.
    case unknownAnnotation(String, known: [String])

    /// The part of the text that is wrong, and the names that would be right: for suggestions.
    public var choice: (wrong: String, known: [String])? {
        switch self {
        case .unknownRules(let wrong, let known), .unknownAnnotation(let wrong, let known): (wrong, known)
        case .unknownRejection(let wrong): (wrong, RejectionPreset.allCases.map(\.rawValue))
        case .wrongForm, .invalidRulesName, .customCannotBeSet: nil
        }
    }
}

extension PolicyError: CustomStringConvertible {
    /// The error in words: lower case, no final period, what the user wrote in backticks.
    public var description: String {
        switch self {
        case .wrongForm(let text):
            "`\(text)` is not a security policy; write `rules,rejection,annotation` without spaces"
        case .invalidRulesName(let name): "`\(name)` cannot be a rule set; use lower-case letters, digits and `-`"
        case .unknownRules(let name, let known): "unknown rules `\(name)`; this account has \(Self.list(known))"
        case .unknownRejection(let name):
            "unknown rejection policy `\(name)`; there are \(Self.list(RejectionPreset.allCases.map(\.rawValue)))"
        case .customCannotBeSet:
            "the rejection policy `custom` cannot be set; set a preset and add or remove single flags"
        case .unknownAnnotation(let name, _):
            "unknown annotation policy or flag `\(name)`; there are \(Self.list(AnnotationPolicy.presetNames)), "
                + "and flags joined by `+`"
        }
    }

    private static func list(_ names: [String]) -> String {
        names.map { "`\($0)`" }.joined(separator: ", ")
    }
}
