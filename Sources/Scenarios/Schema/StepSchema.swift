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

    /// A step: a time, one action, and what belongs to it.
    var step: JSONSchema {
        var fields: [(name: String, schema: JSONSchema)] = [
            ("at", .duration), ("every", .duration), ("until", .duration), ("domain", .text),
            ("expect", ExpectationSchema.oneOrMore(expectation)),
        ]
        fields += ScenarioLoader.actions.map { ($0, action($0)) }
        var conditions = [
            JSONSchema.havingOne(of: ScenarioLoader.actions), .having("every", needs: ["until"]),
            .having("until", needs: ["every", "outage"]), .having("every", excludes: "outage"),
            .having("expect", needs: ["fetch"]), .having("domain", needs: ["fetch"]),
        ]
        if naming != .none {
            fields.append(("account", .text))
            conditions.append(.having("account", needs: ["approov"]))
        }
        if naming == .needed { conditions.append(.having("approov", needs: ["account"])) }
        conditions += [
            .properties([("every", JSONSchema.words(["0s"]).negated)]),
            // A measurement is not simulated.
            .properties([("domain", JSONSchema.text(matching: ".*\\?(.*&)?measurement.*").negated)]),
        ]
        return JSONSchema.object(fields, required: ["at"]).and(conditions)
    }

    // What an action takes; one that is not known here takes anything, until a test finds it.
    private func action(_ name: String) -> JSONSchema {
        switch name {
        case "fetch", "launch", "factory-reset": Self.groups
        case "approov": .reference(to: "command")
        case "set": set
        case "reinstall":
            .any(of: [Self.groups, .object([("group", Self.groups), ("keep-id", .boolean)], required: ["group"])])
        case "bind": .object([("group", .text), ("data", .text)], required: ["group", "data"])
        case "network":
            .object([("group", Self.groups), ("state", .words(of: NetworkState.self))], required: ["group", "state"])
        case "outage": .words(["primary"])
        default: .anything
        }
    }

    private static let groups = JSONSchema.any(of: [
        .text, JSONSchema.list(of: .text, atLeast: 1).with("uniqueItems", .truth(true)),
    ])

    private var set: JSONSchema {
        let fields: [(name: String, schema: JSONSchema)] = [
            ("flags", .list(of: rules.flag)), ("attributes", .reference(to: "attributes")),
            ("devicecheck", .words(of: DeviceCheckCapability.self)), ("safetynet", .words(of: SafetyNetOutcome.self)),
            ("registered", .boolean),
        ]
        return JSONSchema.object(fields + [("group", .text)], required: ["group"]).with("minProperties", .number(2))
    }
}
