internal import Accounts
internal import Documents
internal import PolicyEngine

/// The action of a step: a type for each kind, which reads it, lets it happen, and knows on what it depends (formats: Scenario,
/// steps). A group is its index in the scenario.
protocol StepAction: Sendable {
    /// The key that names it.
    static var key: String { get }
    /// The keys that go with it alone, and their values.
    static var companions: [(name: String, schema: JSONSchema)] { get }
    /// The form of the key's value.
    static var schema: JSONSchema { get }
    /// Reads it; `nil` after noting an error.
    static func load(_ node: Node, _ fields: StepFields, _ loader: inout ScenarioLoader) -> Self?

    /// The parts of an account on which the result of the step can depend, whatever else is in the scenario: rather too many
    /// than too few. A change of an app or its device takes effect in a later step, and a command to an account is evaluated
    /// separately (``ScenarioReach/changesPolicyOnly``).
    var reach: Set<AccountPart> { get }
    /// Lets it happen once, and returns the lines of the log.
    func perform(in run: inout ScenarioRun) -> [String]
    /// Tells those who are followed of it.
    func event(in scenario: Scenario) -> StepEvent
}

extension StepAction {
    static var companions: [(name: String, schema: JSONSchema)] { [] }
}

/// An action of groups, or on them.
protocol GroupAction: StepAction {
    var groups: [Int] { get }
}

extension GroupAction {
    /// An event of each install of the groups.
    func event(_ rule: String, _ name: String, _ line: String, subject: String? = nil) -> StepEvent {
        .groups(groups) { _ in EventTrace.Event(kind: Self.key, subject: subject, rule: rule, name: name, line: line) }
    }
}

/// An action of whose fetches, requests or calls something can be expected.
protocol ExpectingAction: GroupAction {
    /// The keys of checks of such an action, in the order in which messages name them.
    static var checks: [String] { get }
    /// The results with which it can end.
    static var results: [String] { get }
    /// The keys of checks of this one.
    var checks: [String] { get }
    /// The domain that its fetches name; `nil` if they name none.
    var domain: String? { get }
}

extension ExpectingAction {
    var checks: [String] { Self.checks }
    var domain: String? { nil }
}

/// All kinds of steps. The cancellation of an account is one more: its key also says whose a command is.
enum StepKinds {
    static let all: [any StepAction.Type] = [
        FetchStep.self, RequestStep.self, ServeStep.self, CommandStep.self, SetStep.self, LaunchStep.self,
        ReinstallStep.self, FactoryResetStep.self, BindStep.self, BindingStep.self, NetworkStep.self, OutageStep.self,
        SecureStringStep.self, CustomTokenStep.self, ProveStep.self,
    ]
    static let keys = all.map { $0.key }
    static let expecting = all.compactMap { $0 as? any ExpectingAction.Type }
}

/// The fields of a step beside its action.
struct StepFields {
    let position: SourcePosition
    /// Seconds from the scenario's start.
    let at: Int
    /// By name, those that go with some action.
    let companions: [String: Node]

    subscript(name: String) -> Node? { companions[name] }
}

/// The event of a step to those who are followed.
enum StepEvent {
    /// Each install notes its own while the step happens.
    case eachOne
    case everybody(EventTrace.Event)
    case account(Int, EventTrace.Event)
    /// The event of an install of some groups, by the device ID that it has then.
    case groups([Int], (DeviceID) -> EventTrace.Event)
}

extension JSONSchema {
    /// A group, or several.
    static let groups = JSONSchema.any(of: [
        .text, JSONSchema.list(of: .text, atLeast: 1).with("uniqueItems", .truth(true)),
    ])

    /// Groups, and something that is needed beside them.
    static func groups(with name: String, _ schema: JSONSchema) -> JSONSchema {
        .object([("group", groups), (name, schema)], required: ["group", name])
    }
}
