package import Documents
internal import PolicyEngine

/// The forms of the rules' texts, for schemas.
package struct RuleForms: Sendable {
    /// The name of a flag.
    package let flag: JSONSchema
    /// A security policy (R3.1).
    package let policy: JSONSchema
    /// A regular expression for the name of a flag.
    package let flagPattern: String
    /// A regular expression for an annotation policy.
    package let annotationPattern: String

    /// True if flags are those of the catalogue.
    package var declaresNothing: Bool { flagPattern == Self.catalogue.flagPattern }

    /// The forms where an account declares flags and rules, which are not known here.
    package static let declared = RuleForms(flags: nil, rules: nil)
    /// The forms where no account declares anything, as references to ``definitions``.
    package static let catalogue = RuleForms(
        flag: .reference(to: "flag"), policy: .reference(to: "policy"),
        flagPattern: alternatives(FlagCatalogue().declaredNames),
        annotationPattern: annotations(of: alternatives(FlagCatalogue().declaredNames)))

    /// The definitions that ``catalogue`` refers to.
    package static var definitions: [(name: String, schema: JSONSchema)] {
        let forms = RuleForms(flags: FlagCatalogue().declaredNames, rules: [SecurityPolicy.defaultRules])
        return [("flag", forms.flag), ("policy", forms.policy)]
    }

    private init(flag: JSONSchema, policy: JSONSchema, flagPattern: String, annotationPattern: String) {
        (self.flag, self.policy, self.flagPattern) = (flag, policy, flagPattern)
        self.annotationPattern = annotationPattern
    }

    private static func annotations(of flag: String) -> String {
        "(\(alternatives(AnnotationPolicy.presetNames))|\(flag)(\\+\(flag))*)"
    }

    // `nil` takes any name.
    private init(flags: [String]?, rules: [String]?) {
        let rulesForm = rules.map(Self.alternatives)
        let part = flags.map(Self.alternatives) ?? Self.name
        flagPattern = part
        flag = flags.map(JSONSchema.words) ?? .textOrNumber(matching: Self.name)
        let rejections = Self.alternatives(RejectionPreset.allCases.map(\.rawValue))
        annotationPattern = Self.annotations(of: part)
        policy = .text(matching: "\(rulesForm ?? Self.name),\(rejections),\(annotationPattern)")
    }

    // Flags and rule sets.
    private static let name = "[a-z0-9-]{1,64}"

    private static func alternatives(_ words: [String]) -> String { "(" + words.joined(separator: "|") + ")" }

    /// A device ID (R1.1).
    package static let deviceID = JSONSchema.text(matching: "[A-Za-z0-9+/]{\(DeviceID.length - 2)}==")

    /// The pin of a key (R18.1).
    package static let pin = JSONSchema.text(matching: "key:.+|[A-Za-z0-9+/]{43}=")

    /// The name of an API domain.
    package static let domain = JSONSchema.textOrNumber(matching: "[A-Za-z0-9.-]+")

    /// The name of a filter (R7.1).
    package static let filterName = JSONSchema.textOrNumber(matching: "[a-z0-9-]{1,\(Filter.nameLimit)}")

    /// A management command: a topic, and one of its actions somewhere behind it.
    package static var command: JSONSchema {
        let topics = CommandGrammar.topics.map { grammar in
            let words = grammar.words.map { $0.name.dropFirst() }.joined(separator: "|")
            return "\(grammar.topic)\\s(.*\\s)?[\"']?-(\(words))([\\s\"'=].*)?"
        }
        let rejections = alternatives(RejectionPreset.allCases.map(\.rawValue))
        // A policy that is written without quotes has to be one.
        let isNoPolicy = "\\s*policy\\s+-set\\s+(?!\(name),\(rejections),[a-z0-9+-]+\\s*$)[^\"'\\\\]*"
        let isOpen = "[^\"'\\\\]*[\"'][^\"'\\\\]*"
        let hasNoTest = "\\s*filter\\s+-add\\s(?!.*-(key|conjunction))[^\"'\\\\]*"
        return JSONSchema.text(matching: "\\s*(\(topics.joined(separator: "|")))").and(
            [isNoPolicy, isOpen, hasNoTest].map { JSONSchema.text(matching: $0).negated })
    }

    /// A management command to an account that declares nothing: flags are those of the catalogue.
    package static var catalogueCommand: JSONSchema {
        let flags = alternatives(FlagCatalogue().declaredNames + [FlagCatalogue.misspelt])
        let isNoFlag = "\\s*policy\\s+-(add|remove)RejectFlag\\s+(?!\(flags)\\s*$)[^\"'\\\\]*"
        return JSONSchema.text(matching: isNoFlag).negated
    }
}
