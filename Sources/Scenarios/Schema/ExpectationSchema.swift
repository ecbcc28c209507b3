internal import Accounts
internal import Documents
internal import PolicyEngine
internal import Replay

/// The schema of expectations.
struct ExpectationSchema {
    /// The forms of flags.
    let rules: RuleForms
    /// True if tokens may have claims of the app's (R21.3).
    var takesAnyClaim = false

    /// The keys that check something.
    private static let names = ExpectingStep.ofFetches + RequestOutcome.allCases.map(\.rawValue) + ["value", "proof"]

    // The results of fetches and calls.
    private static let results: [String] = {
        let all = CallResult.fetches + CallResult.secureStrings + CallResult.customTokens
        return all.enumerated().filter { !all[..<$0.offset].contains($0.element) }.map(\.element)
    }()

    /// A list, or a single one.
    static func oneOrMore(_ schema: JSONSchema) -> JSONSchema { .any(of: [schema, .list(of: schema, atLeast: 1)]) }

    /// An expectation about fetches.
    var ofFetches: JSONSchema {
        let checks = Self.names.map { (name: $0, schema: check($0)) }
        let beside: [(name: String, schema: JSONSchema)] = [
            ("group", .text), ("device", .text), ("vacuous", .words(["allowed"])),
        ]
        return JSONSchema.object(checks + beside).and([
            .any(of: Self.names.map { .having([$0]) }), .having("device", excludes: "group"),
        ])
    }

    private func check(_ name: String) -> JSONSchema {
        if FetchExpectation.CountKind(rawValue: name) != nil { return .reference(to: "count") }
        if RequestOutcome(rawValue: name) != nil || FetchExpectation.NoticeKind(rawValue: name) != nil {
            return .reference(to: "count")
        }
        if let aspect = FetchExpectation.Aspect(rawValue: name) { return names(aspect) }
        return switch name {
        case "verdict": .words(["pass", "fail"])
        case "result": Self.ends(Self.results)
        case "proof": Self.ends(ProofResult.allCases.map(\.rawValue))
        case "value": .text
        case "policy": policy
        case "lifetime": .duration
        case "arc": responseCode
        case "token": token
        case "loggable": loggable
        default: .anything
        }
    }

    // A word is of each, a map says how many ended in each way.
    private static func ends(_ words: [String]) -> JSONSchema {
        .any(of: [.words(words), .map(of: .reference(to: "count"), keys: .words(words), atLeast: 1)])
    }

    // A policy as it is applied: its rejection part may be `custom`.
    private var policy: JSONSchema {
        let rejections = RejectionPreset.allCases.map(\.rawValue) + [RejectionPolicy.customName]
        return .text(matching: "[a-z0-9-]{1,64},(\(rejections.joined(separator: "|"))),\(rules.annotationPattern)")
    }

    // A list of names, or how many devices have each.
    private func names(_ aspect: FetchExpectation.Aspect) -> JSONSchema {
        let name = name(aspect)
        let forms = [JSONSchema.list(of: name), .map(of: .reference(to: "count"), keys: name, atLeast: 1)]
        return .any(of: aspect == .annotations ? forms + [.words(["none"])] : forms)
    }

    private func name(_ aspect: FetchExpectation.Aspect) -> JSONSchema {
        switch aspect {
        case .flags, .annotations: rules.flag
        case .filters: RuleForms.filterName
        case .rejections: .any(of: [rules.flag, .text(matching: "filter:[a-z0-9-]{1,20}|policy:blacklist")])
        }
    }

    /// A number, or bounds.
    static var count: JSONSchema {
        let (number, limited) = (JSONSchema.integer(in: 0...Int.max), JSONSchema.integer(in: 0...1_000_000_000_000))
        let about = JSONSchema.object([("value", limited), ("within", limited)], required: ["value", "within"])
        return .any(of: [
            number,
            JSONSchema.object([("at-least", number), ("at-most", number)]).with("minProperties", .number(1))
                .and(impossibleBounds.map(\.negated)),
            .object([("about", about)], required: ["about"]),
        ])
    }

    // A lower bound above the upper one: a schema compares each of the two with a number only.
    private static var impossibleBounds: [JSONSchema] {
        [1, 2, 3, 4, 5, 6, 8, 10, 20, 50, 100, 1000].map { number in
            JSONSchema.having(["at-least", "at-most"]).and([
                .properties([
                    ("at-least", JSONSchema([("type", .text("integer")), ("minimum", .number(number))])),
                    ("at-most", JSONSchema([("type", .text("integer")), ("maximum", .number(number - 1))])),
                ])
            ])
        }
    }

    private var responseCode: JSONSchema {
        let (flags, status) = (JSONSchema.list(of: rules.flag), JSONSchema.words(["passed", "failed"]))
        return .any(of: [
            .text(matching: "none|passed|failed|[A-Za-z2-7]{10,32}"),
            .object([("passed", flags)], required: ["passed"]), .object([("failed", flags)], required: ["failed"]),
            .object([("status", status), ("flags", flags)], required: ["status"]),
        ])
    }

    private var token: JSONSchema {
        let claims = TokenExpectationLoader.claimNames.map { (name: $0, schema: claim($0)) }
        let named = takesAnyClaim ? JSONSchema([("type", .text("object"))]) : JSONSchema.object(claims)
        return JSONSchema.object([
            ("alg", .words(of: TokenAlgorithm.self)), ("kid", .text), ("signature", .words(["valid", "invalid"])),
            ("claims", named.with("minProperties", .number(1))),
        ]).with("minProperties", .number(1))
    }

    private var loggable: JSONSchema {
        let claims = (TokenExpectationLoader.claimNames + ["sip"]).map { (name: $0, schema: claim($0)) }
        return JSONSchema.object([
            ("error", .text), ("check", .words(["passed", "failed"])),
            ("claims", JSONSchema.object(claims).with("minProperties", .number(1))),
        ]).with("minProperties", .number(1))
    }

    private func claim(_ name: String) -> JSONSchema {
        let presence = JSONSchema.words(["none", "any"])
        return switch name {
        case "exp": .any(of: [presence, .instant])
        case "anno": .any(of: [presence, .list(of: rules.flag)])
        case "pay": .any(of: [.text, .object([("data", .text)], required: ["data"])])
        default: .text
        }
    }

    // MARK: The end

    /// An expectation at the end.
    func end(naming: AccountNaming) -> JSONSchema {
        var fields: [(name: String, schema: JSONSchema)] = [
            ("metrics", .map(of: .reference(to: "count"), keys: metric, atLeast: 1)),
            ("device-state", .map(of: .any(of: [.words(["none"]), .list(of: rules.flag)]), atLeast: 1)),
            ("requests", Self.requests), ("notifications", .reference(to: "count")), ("vacuous", .words(["allowed"])),
        ]
        if naming != .none { fields.append(("account", .text)) }
        return JSONSchema.object(fields, required: naming == .needed ? ["account"] : []).and([
            .any(of: ["metrics", "device-state", "requests", "notifications"].map { .having([$0]) })
        ])
    }

    // Figures of all groups, and groups by name with their own.
    private static var requests: JSONSchema {
        let bounds = JSONSchema.object([("at-least", .duration), ("at-most", .duration)])
        let time = JSONSchema.any(of: [.duration, bounds.with("minProperties", .number(1))])
        let figures = RequestCheck.Figure.all.map { figure in
            (name: figure.name, schema: figure == .longestBlocked ? time : JSONSchema.reference(to: "count"))
        }
        let group = JSONSchema.object(figures).with("minProperties", .number(1))
        return JSONSchema([
            ("type", .text("object")),
            ("properties", .map(figures.map { (name: $0.name, value: $0.schema.value) })),
            ("additionalProperties", group.value), ("minProperties", .number(1)),
        ])
    }

    private var metric: JSONSchema {
        let windows = Metric.windowPrefixes.joined(separator: "|")
        let fixed = Metric.fixedNames.joined(separator: "|")
        let policies = (RejectionPreset.allCases.map(\.rawValue) + [RejectionPolicy.customName]).joined(separator: "|")
        let systems = "(\(OperatingSystem.allCases.map(\.metricName).joined(separator: "|")))"
        let kinds = [
            fixed, "(pass|fail)-flag-\(rules.flagPattern)", "(pass|fail)-app-\(systems)-.+",
            "(pass|fail)-appver-\(systems)-.+-.+", "rejection-flag-\(rules.flagPattern)",
            "rejection-filter-[a-z0-9-]+", "policy-(\(policies))", "filter-[a-z0-9-]+", "sdk-.+",
        ]
        return .text(matching: "(\(windows))?(\(kinds.joined(separator: "|")))")
    }
}
