/// A security policy, `rules,rejection,annotation` (R3.1).
public struct SecurityPolicy: Hashable, Sendable {
    /// The rule set: `default`, or one that the account declares (R3.2).
    public var rules: String
    /// What makes an attestation fail.
    public var rejection: RejectionPolicy
    /// What a token tells.
    public var annotation: AnnotationPolicy

    /// The rule set that every account has.
    public static let defaultRules = "default"

    /// The policy of a new account: `default,default,default`.
    public static let initial = SecurityPolicy(
        rules: defaultRules, rejection: RejectionPolicy(preset: .default), annotation: .none)

    /// Makes a policy of its three parts.
    public init(rules: String, rejection: RejectionPolicy, annotation: AnnotationPolicy) {
        self.rules = rules
        self.rejection = rejection
        self.annotation = annotation
    }

    /// Reads a policy.
    ///
    /// - Parameters:
    ///   - text: Three names joined by commas, no spaces: `default,allow-root,risk`.
    ///   - catalogue: The flags that the annotation may name.
    ///   - rules: The rule sets that exist; `nil` takes any name (R3.2, filtered policy).
    /// - Throws: ``PolicyError``: the form, or the first part that is not known.
    public init(_ text: String, catalogue: FlagCatalogue, rules known: [String]?) throws(PolicyError) {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3 else { throw .wrongForm(text) }
        if let known, !known.contains(parts[0]) { throw .unknownRules(parts[0], known: known) }
        guard Self.isRulesName(parts[0]) else { throw .invalidRulesName(parts[0]) }
        guard parts[1] != RejectionPolicy.customName else { throw .customCannotBeSet }
        guard let preset = RejectionPreset(rawValue: parts[1]) else { throw .unknownRejection(parts[1]) }
        self.rules = parts[0]
        rejection = RejectionPolicy(preset: preset)
        annotation = try AnnotationPolicy(parts[2], catalogue: catalogue)
    }

    /// Whether a text can name a rule set: lower-case letters, digits and `-`, 1 to 64 characters.
    public static func isRulesName(_ text: String) -> Bool {
        FlagDeclaration(name: text).hasValidName
    }
}

extension SecurityPolicy: CustomStringConvertible {
    /// The form in which it is set and shown: `default,custom,risk`.
    public var description: String { "\(rules),\(rejection.name),\(annotation.text)" }
}
