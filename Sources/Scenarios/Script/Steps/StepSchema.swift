internal import Accounts
internal import Documents

/// The rule by which a part of a scenario names its account.
enum AccountNaming {
    /// There is one account without a name.
    case none
    /// There is one account with a name.
    case possible
    /// There are several accounts.
    case needed
}

/// The schema of steps.
struct StepSchema {
    /// The forms of flags.
    let rules: RuleForms
    /// The rule by which a management command names its account.
    let naming: AccountNaming
    /// The schema of a fetch's expectation.
    let expectation: JSONSchema
    /// The schema of an expectation about a call for a token with claims of the app's.
    let customExpectation: JSONSchema

    /// A step: a time, one action, and what belongs to it.
    var step: JSONSchema {
        let times: [(name: String, schema: JSONSchema)] = [
            ("at", .duration), ("every", .duration), ("until", .duration),
        ]
        let fields = times + StepKinds.all.flatMap { $0.companions } + [(name: "expect", schema: .anything)]
        return JSONSchema.object(
            fields + StepKinds.all.map { ($0.key, $0.schema(rules)) }, required: ["at"]
        ).and(Self.repetition + Self.constraints + accounts + [expectations])
    }

    private static var repetition: [JSONSchema] {
        [
            .having("every", needs: ["until"]), .having("until", needs: ["every", OutageStep.key]),
            .having("every", excludes: OutageStep.key),
            .properties([("every", JSONSchema.words(["0s"]).negated)]),
        ]
    }

    // The keys that need or exclude one another. An account goes with a command, or alone.
    private static var constraints: [JSONSchema] {
        StepKinds.all.flatMap { kind in
            let names = kind.companions.map(\.name).filter { $0 != CancelStep.key }
            return names.map { JSONSchema.having($0, needs: [kind.key]) } + kind.constraints
        } + [.having("expect", needs: StepKinds.expecting.map { $0.key })]
            + StepKinds.expecting.map { .condition(.having([$0.key]), then: expecting($0.checks)) }
    }

    /// A step whose expectations take some keys.
    static func expecting(_ names: [String]) -> JSONSchema {
        let one = JSONSchema([
            ("propertyNames", JSONSchema.words(names + FetchExpectation.besideChecks.map(\.name)).value)
        ])
        return .properties([("expect", .oneOrMore(one.with("type", .text("object"))))])
    }

    // An account alone is cancelled; beside a command it says whose the command is.
    private var accounts: [JSONSchema] {
        let cancelled = CancelStep.schema(rules)
        let one = JSONSchema.map(of: cancelled, atLeast: 1).with("maxProperties", .number(1))
        let cancellation: JSONSchema =
            switch naming {
            case .none: cancelled
            case .possible: .any(of: [cancelled, one])
            case .needed: one
            }
        let command = JSONSchema.condition(
            .having(["account"]),
            then: naming == .none
                ? .having(["account"]).negated
                : JSONSchema.having(["approov"]).and([.properties([("account", .text)])]))
        let named = naming == .needed ? [JSONSchema.having("approov", needs: ["account"])] : []
        return [
            .condition(
                JSONSchema.havingOne(of: StepKinds.keys), then: command,
                otherwise: JSONSchema.having(["account"]).and([
                    .properties([("account", cancellation)]),
                    JSONSchema.any(of: StepKinds.keys.map { .having([$0]) }).negated,
                ]))
        ] + named
    }

    private var expectations: JSONSchema {
        .condition(
            .having([CustomTokenStep.key]),
            then: .properties([("expect", .oneOrMore(customExpectation))]),
            otherwise: .properties([("expect", .oneOrMore(expectation))]))
    }
}

extension JSONSchema {
    /// A list, or a single one.
    static func oneOrMore(_ schema: JSONSchema) -> JSONSchema { .any(of: [schema, .list(of: schema, atLeast: 1)]) }
}
