internal import Accounts
internal import Documents
internal import PolicyEngine

/// The schema of steps.
struct StepSchema {
    /// How flags are written.
    let rules: RuleForms
    /// Whether a management command says for whom it is.
    let naming: AccountNaming
    /// What a fetch may expect.
    let expectation: JSONSchema

    /// What a call for a token with claims of the app's may expect.
    let customExpectation: JSONSchema

    // What something can be expected of.
    private static let expecting = ["fetch", "request", "secure-string", "custom-jwt", "prove"]

    /// A step: a time, one action, and what belongs to it.
    var step: JSONSchema {
        let fields: [(name: String, schema: JSONSchema)] = [
            ("at", .duration), ("every", .duration), ("until", .duration), ("domain", .text), ("to", .text),
            ("data", .text), ("account", .anything), ("expect", .anything),
        ]
        return JSONSchema.object(fields + ScenarioLoader.actions.map { ($0, action($0)) }, required: ["at"])
            .and(Self.companions + accounts + [expectations])
    }

    // What comes with what.
    private static var companions: [JSONSchema] {
        [
            .having("every", needs: ["until"]), .having("until", needs: ["every", "outage"]),
            .having("every", excludes: "outage"), .having("expect", needs: expecting),
            .having("domain", needs: ["fetch"]), .having("to", needs: ["request"]), .having("request", needs: ["to"]),
            .having("data", needs: ["request"]), .properties([("every", JSONSchema.words(["0s"]).negated)]),
            // An outage ends after it starts, and a fetch without a domain brings no one token.
            .condition(
                .having(["outage"]),
                then: .properties([("until", JSONSchema.text(matching: "(0+[ydhms])+").negated)])),
            .condition(
                JSONSchema.having(["fetch"]).and([JSONSchema.having(["domain"]).negated]),
                then: .properties([("expect", .any(of: [tokenless, .list(of: tokenless)]))])),
        ]
    }

    private static let tokenless = JSONSchema([("type", .text("object"))]).and([JSONSchema.having(["token"]).negated])

    // An account alone is cancelled; beside a command it says whose the command is.
    private var accounts: [JSONSchema] {
        let cancelled = JSONSchema.words(["cancelled"])
        let one = JSONSchema.map(of: cancelled, atLeast: 1).with("maxProperties", .number(1))
        let cancellation: JSONSchema =
            switch naming {
            case .none: cancelled
            case .possible: .any(of: [cancelled, one])
            case .needed: one
            }
        let isAction = JSONSchema.havingOne(of: ScenarioLoader.actions)
        let command = JSONSchema.condition(
            .having(["account"]),
            then: naming == .none
                ? .having(["account"]).negated
                : JSONSchema.having(["approov"]).and([.properties([("account", .text)])]))
        let named = naming == .needed ? [JSONSchema.having("approov", needs: ["account"])] : []
        return [
            .condition(
                isAction, then: command,
                otherwise: JSONSchema.having(["account"]).and([
                    .properties([("account", cancellation)]),
                    JSONSchema.any(
                        of: ScenarioLoader.actions.map { .having([$0]) }
                    ).negated,
                ]))
        ] + named
    }

    private var expectations: JSONSchema {
        .condition(
            .having(["custom-jwt"]),
            then: .properties([("expect", ExpectationSchema.oneOrMore(customExpectation))]),
            otherwise: .properties([("expect", ExpectationSchema.oneOrMore(expectation))]))
    }

    // What an action takes; one that is not known here takes anything, until a test finds it.
    private func action(_ name: String) -> JSONSchema {
        switch name {
        case "fetch", "launch", "factory-reset": Self.groups
        case "approov":
            rules.declaresNothing
                ? JSONSchema.reference(to: "command").and([.reference(to: "catalogue-command")])
                : .reference(to: "command")
        case "set": set
        case "reinstall":
            .any(of: [Self.groups, .object([("group", Self.groups), ("keep-id", .boolean)], required: ["group"])])
        case "bind": .object([("group", .text), ("data", .text)], required: ["group", "data"])
        case "network": ConnectionSchema.network(of: Self.groups)
        case "outage": .words(of: Outages.Kind.self)
        case "request": Self.groups
        case "serve": ConnectionSchema.changes
        case "secure-string":
            .object(
                [("group", Self.groups), ("key", .anyText), ("define", .anyText)], required: ["group", "key"])
        case "custom-jwt":
            .object([("group", Self.groups), ("payload", payload)], required: ["group", "payload"])
        case "prove":
            .object(
                [("group", Self.groups), ("kind", .words(of: Measurement.Kind.self))], required: ["group", "kind"])
        default: .anything
        }
    }

    private static let groups = JSONSchema.any(of: [
        .text, JSONSchema.list(of: .text, atLeast: 1).with("uniqueItems", .truth(true)),
    ])

    // Text, or a mapping that is JSON.
    private var payload: JSONSchema { .any(of: [.anyText, JSONSchema([("type", .text("object"))])]) }

    private var set: JSONSchema {
        let fields: [(name: String, schema: JSONSchema)] = [
            ("flags", .list(of: rules.flag)), ("attributes", .reference(to: "attributes")),
            ("devicecheck", .words(of: DeviceCheckCapability.self)), ("safetynet", .words(of: SafetyNetOutcome.self)),
            ("registered", .boolean), ("client", .reference(to: "client")),
        ]
        return JSONSchema.object(fields + [("group", .text)], required: ["group"]).with("minProperties", .number(2))
    }
}
