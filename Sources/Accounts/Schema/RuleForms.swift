package import Documents
internal import PolicyEngine

/// How texts of the rules are written, for schemas.
package struct RuleForms: Sendable {
    /// The name of a flag.
    package let flag: JSONSchema
    /// A security policy (R3.1).
    package let policy: JSONSchema
    /// A regular expression for the name of a flag.
    package let flagPattern: String

    /// The forms where an account declares flags and rules, which are not known here.
    package static let declared = RuleForms(flags: nil, rules: nil)
    /// The forms where no account declares anything, as references to ``definitions``.
    package static let catalogue = RuleForms(
        flag: .reference(to: "flag"), policy: .reference(to: "policy"),
        flagPattern: alternatives(FlagCatalogue().declaredNames))

    /// What ``catalogue`` refers to.
    package static var definitions: [(name: String, schema: JSONSchema)] {
        let forms = RuleForms(flags: FlagCatalogue().declaredNames, rules: [SecurityPolicy.defaultRules])
        return [("flag", forms.flag), ("policy", forms.policy)]
    }

    private init(flag: JSONSchema, policy: JSONSchema, flagPattern: String) {
        (self.flag, self.policy, self.flagPattern) = (flag, policy, flagPattern)
    }

    // `nil` takes any name.
    private init(flags: [String]?, rules: [String]?) {
        let rulesForm = rules.map(Self.alternatives)
        let part = flags.map(Self.alternatives) ?? Self.name
        flagPattern = part
        flag = flags.map(JSONSchema.words) ?? .textOrNumber(matching: Self.name)
        let rejections = Self.alternatives(RejectionPreset.allCases.map(\.rawValue))
        let annotations = "(\(Self.alternatives(AnnotationPolicy.presetNames))|\(part)(\\+\(part))*)"
        policy = .text(matching: "\(rulesForm ?? Self.name),\(rejections),\(annotations)")
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
        return JSONSchema.text(matching: "\\s*(\(topics.joined(separator: "|")))").and([
            JSONSchema.text(matching: isNoPolicy).negated
        ])
    }
}
