internal import Accounts
internal import Documents
internal import PolicyEngine

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
        let fields: [(name: String, schema: JSONSchema)] = [
            ("at", .duration), ("every", .duration), ("until", .duration), ("domain", .text), ("to", .text),
            ("data", .text), ("header", .words(["present", "absent"])), ("as", .text), ("account", .anything),
            ("expect", .anything),
        ]
        return JSONSchema.object(fields + StepKind.allCases.map { ($0.rawValue, action($0)) }, required: ["at"])
            .and(Self.companions + Self.expectedKeys + accounts + [expectations])
    }

    // The keys that need or exclude one another.
    private static var companions: [JSONSchema] {
        [
            .having("every", needs: ["until"]), .having("until", needs: ["every", "outage"]),
            .having("every", excludes: "outage"),
            .having("expect", needs: StepKind.allCases.filter(\.takesExpectations).keys),
            .having("domain", needs: ["fetch"]), .having("to", needs: ["request"]), .having("request", needs: ["to"]),
            .having("data", needs: ["request"]), .having("header", needs: ["request"]),
            .having("as", needs: ["request"]),
            .condition(
                JSONSchema.having(["to"]).and([plainTarget]),
                then: JSONSchema.any(of: ["data", "header", "as"].map { .having([$0]) }).negated),
            .properties([("every", JSONSchema.words(["0s"]).negated)]),
            // An outage ends after it starts, and a fetch without a domain brings no one token.
            .condition(
                .having(["outage"]),
                then: .properties([("until", JSONSchema.text(matching: "(0+[ydhms])+").negated)])),
            .condition(
                JSONSchema.having(["fetch"]).and([JSONSchema.having(["domain"]).negated]),
                then: .properties([("expect", .any(of: [tokenless, .list(of: tokenless)]))])),
        ]
    }

    // The keys of expectations of each kind of step.
    private static var expectedKeys: [JSONSchema] {
        let kinds: [(kind: StepKind, names: [String])] = [
            (.fetch, ExpectingStep.ofFetches), (.request, ExpectingStep.ofFetches + ExpectingStep.ofRequests),
            (.secureString, ExpectingStep.ofSecureStrings), (.customToken, ExpectingStep.ofCustomTokens),
            (.prove, ExpectingStep.ofProofs),
        ]
        let unfetched = JSONSchema.any(of: [.having(["as"]), JSONSchema.having(["to"]).and([plainTarget])])
        return kinds.map { .condition(.having([$0.kind.rawValue]), then: expecting($0.names)) }
            + [.condition(unfetched, then: expecting(ExpectingStep.ofRequests))]
    }

    private static func expecting(_ names: [String]) -> JSONSchema {
        let one = JSONSchema([
            ("propertyNames", JSONSchema.words(names + ScenarioLoader.besideChecks).value)
        ])
        return .properties([("expect", ExpectationSchema.oneOrMore(one.with("type", .text("object"))))])
    }

    // R19.7: a URL of plain HTTP.
    private static let plainTarget = JSONSchema.properties([("to", .text(like: "^[Hh][Tt][Tt][Pp]://"))])

    private static let tokenless = JSONSchema([("type", .text("object"))]).and([
        JSONSchema.any(of: [.having(["token"]), .having(["loggable"])]).negated
    ])

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
        let isAction = JSONSchema.havingOne(of: StepKind.allCases.keys)
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
                        of: StepKind.allCases.keys.map { .having([$0]) }
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

    // The schema of an action's value.
    private func action(_ kind: StepKind) -> JSONSchema {
        switch kind {
        case .fetch, .request, .factoryReset: Self.groups
        case .launch: .any(of: [Self.groups, Self.groupsAndTime("over")])
        case .approov:
            rules.declaresNothing
                ? JSONSchema.reference(to: "command").and([.reference(to: "catalogue-command")])
                : .reference(to: "command")
        case .set: set
        case .reinstall:
            .any(of: [Self.groups, .object([("group", Self.groups), ("keep-id", .boolean)], required: ["group"])])
        case .binding: Self.groupsAndTime("every")
        case .bind: .object([("group", .text), ("data", .text)], required: ["group", "data"])
        case .network: ConnectionSchema.network(of: Self.groups)
        case .outage: .words(of: Outages.Kind.self)
        case .serve: ConnectionSchema.changes
        case .secureString:
            .object(
                [("group", Self.groups), ("key", .anyText), ("define", .anyText)], required: ["group", "key"])
        case .customToken:
            .object([("group", Self.groups), ("payload", payload)], required: ["group", "payload"])
        case .prove:
            .object(
                [("group", Self.groups), ("kind", .words(of: Measurement.Kind.self))], required: ["group", "kind"])
        }
    }

    private static let groups = JSONSchema.any(of: [
        .text, JSONSchema.list(of: .text, atLeast: 1).with("uniqueItems", .truth(true)),
    ])

    private static func groupsAndTime(_ name: String) -> JSONSchema {
        let time = JSONSchema.duration.and([JSONSchema.text(matching: "(0+[ydhms])+").negated])
        return .object([("group", groups), (name, time)], required: ["group", name])
    }

    // Text, or a mapping that is JSON.
    private var payload: JSONSchema { .any(of: [.anyText, JSONSchema([("type", .text("object"))])]) }

    private var set: JSONSchema {
        let fields: [(name: String, schema: JSONSchema)] = [
            ("flags", .list(of: rules.flag)), ("attributes", .reference(to: "attributes")),
            ("devicecheck", .words(of: DeviceCheckCapability.self)), ("safetynet", .words(of: SafetyNetOutcome.self)),
            ("registered", .boolean), ("dev-key", .text), ("client", .reference(to: "client")),
        ]
        return JSONSchema.object(fields + [("group", .text)], required: ["group"]).with("minProperties", .number(2))
    }
}
