internal import Documents
internal import Figures
internal import PolicyEngine

/// Each app makes a call of the SDK once (R14, R21, R22.2).
protocol CallStep: ExpectingAction {
    /// The rule that speaks of the call.
    static var rule: String { get }
    /// The part that the rule is about.
    static var name: String { get }
    /// The call in words; `nil` if its key says all.
    var subject: String? { get }

    /// Lets an install make the call, and returns its end, with the decision where the client attested.
    func call(by install: inout Install, _ access: ServiceAccess) -> FetchEnd
}

extension CallStep {
    static var name: String { key }

    func perform(in run: inout ScenarioRun) -> [String] {
        for group in groups { call(group, in: &run) }
        return ["\(Self.key) \(run.names(groups))"]
    }

    func call(_ group: Int, in run: inout ScenarioRun) {
        let access = run.access(of: group, naming: domain)
        let (settings, name) = (run.requests.settings[group], run.scenario.groups[group].name)
        run.forEachMember(of: group) { record, install, tally in
            let end = call(by: &install, access)
            install.report(to: access.unless(isIntercepted: end.result == .fetch(.mitmDetected)))
            record.note(end, by: install, tally: &tally)
            record.trace(install, of: name, in: access) { service in
                EventTrace.Event(
                    kind: Self.key, words: subject, rule: Self.rule, name: Self.name,
                    fetched: .init(end.word ?? "", isCached: end.isCached, end.decision, in: service))
            }
            let notice = access.service.notice(of: install.configuration, at: access.time)
            if settings.watchesConfiguration { _ = install.react(settings, to: notice, at: access.time) }
        }
    }
}

/// Each app asks for a secure string once (R21.2).
struct SecureStringStep: CallStep, MappedAction {
    static let key = "secure-string"
    static let help = "Lets each app ask for a secure string, or define one."
    static let rule = "R21.2"
    static let kind = ClientChanges.Kind.secureString
    static let results = CallResult.secureStrings
    var groups: [Int] = []
    private var call = SecureStrings.Call(key: "", definition: nil)
    var subject: String? { call.key.isEmpty ? nil : "\(Self.key) \(call.key)" }
    var reach: Set<AccountPart> { AccountPart.ofAttestation.union([.features, .secureStrings]) }

    static let fields: [Field<SecureStringStep>] = [
        .required("key", \.call.key, .anyText, "The key of the string."),
        .optional("define", \.call.definition, .anyText, "The string that the app defines; an empty one removes it."),
    ]

    func call(by install: inout Install, _ access: ServiceAccess) -> FetchEnd {
        install.bindChanged(access)
        let made = install.secureString(call, access)
        var end = FetchEnd(Self.kind, made.result, made.decision)
        end.string = made.text
        return end
    }
}

/// Each app asks for a token with claims of its own once (R21.3).
struct CustomTokenStep: CallStep, MappedAction {
    static let key = "custom-jwt"
    static let help = "Lets each app ask for a token with claims of its own."
    static let rule = "R21.3"
    static let kind = ClientChanges.Kind.customToken
    static let results = CallResult.customTokens
    var groups: [Int] = []
    // The claims, by their JSON.
    private var payload = ""
    var subject: String? { nil }
    var reach: Set<AccountPart> { AccountPart.ofAttestation.union([.features, .tokens]) }

    static let fields: [Field<CustomTokenStep>] = [
        .required("payload", \.payload, ValueForm.anyText.or(mapping: json), "The claims of the app, as JSON or YAML.")
    ]

    // A mapping is JSON.
    private static let json = ValueForm<String>(JSONSchema([("type", .text("object"))])) { node, _, _ in
        JSONContent(node).line
    }

    func call(by install: inout Install, _ access: ServiceAccess) -> FetchEnd {
        install.bindChanged(access)
        let made = install.customToken(payload, access)
        var end = FetchEnd(Self.kind, made.result, made.decision)
        end.customToken = made.token
        return end
    }
}

extension JSONContent {
    /// The document on one line.
    var line: String {
        var json = JSONBytes()
        writeSorted(to: &json)
        return String(decoding: json.bytes, as: UTF8.self)
    }

    /// The JSON that YAML says in its form: a plain scalar is what JSON reads in it, if anything, and else text.
    init(_ node: Node) {
        switch node.content {
        case .mapping(let entries):
            self = .object(entries.map { JSONMember(ExactText($0.key), JSONContent($0.value)) })
        case .sequence(let nodes): self = .array(nodes.map(JSONContent.init))
        case .scalar(let text, let isPlain):
            let plain = isPlain ? try? JSONParser.parse(Array(text.utf8)) : nil
            self = plain ?? .string(ExactText(text))
        }
    }
}

/// Each app proves a measurement once (R22.2).
struct ProveStep: CallStep, MappedAction {
    static let key = "prove"
    static let help = "Lets each app prove a measurement."
    static let rule = "R22.2"
    static let kind = ClientChanges.Kind.proof
    static let results = ProofResult.allCases.map(\.rawValue)
    var groups: [Int] = []
    private var kind = Measurement.Kind.integrity
    var subject: String? { "\(Self.key) \(kind.rawValue)" }
    var reach: Set<AccountPart> { [.features] }

    static let fields: [Field<ProveStep>] = [
        .required("kind", \.kind, .word, "The measurement: of the app's integrity, or of the device.")
    ]

    func call(by install: inout Install, _ access: ServiceAccess) -> FetchEnd {
        var end = FetchEnd(Self.kind, nil)
        end.proof = install.prove(kind, access)
        return end
    }
}
