/// A security policy, `rules,rejection,annotation` (R3.1).
public struct SecurityPolicy: Hashable, Sendable {
    /// The rule set: `default`, or one that the account declares (R3.2).
    @ByteExact public var rules: String
    /// The rejection policy: the flags that make an attestation fail.
    public var rejection: RejectionPolicy
    /// Which flags a token names.
    public var annotation: AnnotationPolicy

    /// The rule set that every account has.
    package static let defaultRules = "default"

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
    ///   - known: The rule sets that exist; `nil` takes any name (R3.2, filtered policy).
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

    /// The same rules and annotation with a rejection preset.
    package func rejecting(by preset: RejectionPreset) -> SecurityPolicy {
        SecurityPolicy(rules: rules, rejection: RejectionPolicy(preset: preset), annotation: annotation)
    }

    /// True if a text can name a rule set: lower-case letters, digits and `-`, 1 to 64 characters.
    package static func isRulesName(_ text: String) -> Bool {
        FlagDeclaration(name: text).hasValidName
    }
}

extension SecurityPolicy: CustomStringConvertible {
    /// The form in which it is set and shown: `default,custom,risk`.
    public var description: String { "\(rules),\(rejection.name),\(annotation.text)" }
}

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
    package var choice: (wrong: String, known: [String])? {
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
