internal import Documents
internal import Figures
internal import PolicyEngine

/// The action of a step: a type for each kind, which says in which form it is written, lets it happen, and knows on what it
/// depends (formats: Scenario, steps). A group is its index in the scenario.
protocol StepAction: Sendable {
    /// The key that names it.
    static var key: String { get }
    /// The sentence on it for people.
    static var help: String { get }
    /// The keys that go with it alone, and their values.
    static var companions: [(name: String, schema: JSONSchema)] { get }
    /// The form of the key's value, which may name what is in scope.
    static func form(_ scope: ScenarioScope) -> ValueForm<Self>

    /// The parts of an account on which the result of the step can depend, whatever else is in the scenario: rather too many
    /// than too few. A change of an app or its device takes effect in a later step, and a command to an account is evaluated
    /// separately (``ScenarioReach/changesPolicyOnly``).
    var reach: Set<AccountPart> { get }
    /// Lets it happen once, and returns the lines of the log.
    func perform(in run: inout ScenarioRun) -> [String]
    /// The event for those who are followed.
    func event(in scenario: Scenario) -> StepEvent
}

extension StepAction {
    static var companions: [(name: String, schema: JSONSchema)] { [] }
    static var schema: JSONSchema { form(.any).schema }

    /// Reads it; `nil` after noting an error.
    static func read(_ node: Node, _ scope: ScenarioScope, _ reader: inout DocumentReader) -> (any StepAction)? {
        form(scope).read(node, key.quoted, &reader)
    }
}

/// An action of groups, or on them.
protocol GroupAction: StepAction {
    var groups: [Int] { get }
}

extension GroupAction {
    /// An event of each install of the groups, by the device ID that it has then.
    func event(
        _ rule: String, _ name: String, subject: String? = nil, _ line: @escaping (DeviceID) -> String
    ) -> StepEvent {
        .groups(groups) { id in
            EventTrace.Event(kind: Self.key, words: subject, rule: rule, name: name, line: line(id))
        }
    }
}

/// An action that a mapping says: its groups, and fields of its own.
protocol MappedAction: GroupAction {
    init()
    var groups: [Int] { get set }
    /// The fields beside `group`.
    static var fields: [Field<Self>] { get }
    /// True if its groups say it, too, without a mapping.
    static var needsNoMapping: Bool { get }
}

extension MappedAction {
    static var needsNoMapping: Bool { false }

    static func form(_ scope: ScenarioScope) -> ValueForm<Self> { mapping(scope) }

    /// The form that follows from its fields.
    static func mapping(_ scope: ScenarioScope) -> ValueForm<Self> {
        let groups = ValueForm<[Int]>.groups(scope)
        let mapping = ValueForm.mapping(Self(), [.required("group", \.groups, groups, StepHelp.group)] + fields)
        guard needsNoMapping else { return mapping }
        return groups.map { groups in
            var action = Self()
            action.groups = groups
            return action
        }.or(mapping: mapping)
    }
}

/// An action that each install has at once, or at a time of its own within some seconds (R14.4).
protocol SpreadAction: GroupAction {
    /// The seconds; `nil` for at once.
    var over: Int? { get }
}

/// An action of whose fetches, requests or calls something can be expected.
protocol ExpectingAction: GroupAction {
    /// The kind of what clients get, by which checks can be expected of it.
    static var kind: ClientChanges.Kind { get }
    /// The results with which it can end.
    static var results: [String] { get }
    /// The keys of checks that can be expected of this one.
    var checks: [String] { get }
    /// The domain that its fetches name; `nil` if they name none.
    var domain: String? { get }
}

extension ExpectingAction {
    static var checks: [String] { Check.keys(of: kind) }
    var checks: [String] { Self.checks }
    var domain: String? { nil }
    func event(in _: Scenario) -> StepEvent { .eachOne }
}

/// All kinds of steps. The cancellation of an account is one more: its key also says whose a command is.
enum StepKinds {
    static let all: [any StepAction.Type] = [
        FetchStep.self, RequestStep.self, ServeStep.self, CommandStep.self, SetStep.self, SignalStep.self,
        LaunchStep.self,
        ReinstallStep.self, FactoryResetStep.self, ReplaceStep.self, BindStep.self, BindingStep.self, NetworkStep.self,
        OutageStep.self, RetireStep.self, ClockStep.self,
        SecureStringStep.self, CustomTokenStep.self, ProveStep.self,
    ]
    static let keys = all.map { $0.key }
    static let expecting = all.compactMap { $0 as? any ExpectingAction.Type }
    /// The keys that go with some kind alone.
    static let companions = all.flatMap { $0.companions }.map(\.name)
    private static let byKey = Dictionary(uniqueKeysWithValues: zip(keys, all.indices))

    /// The kinds that keys of a mapping name, in the order of the list.
    static func given(by entries: [Node.Entry]) -> [(kind: any StepAction.Type, node: Node)] {
        let given = entries.compactMap { entry in byKey[entry.key].map { (index: $0, node: entry.value) } }
        return given.sorted { $0.index < $1.index }.map { (all[$0.index], $0.node) }
    }

    /// The schema of steps: a time, an action, and the keys that belong to it.
    static var schema: JSONSchema {
        let times = [
            ("at", "The time of the step from the start, such as 1h30m."), ("every", StepHelp.every),
            ("until", "The time from the start up to which the step is repeated, or an outage lasts."),
        ].map { (name: $0, schema: JSONSchema.duration.described(as: $1)) }
        let results = JSONSchema.oneOrMore(.reference(to: "expectation"))
            .described(as: "What must hold of the fetches, requests or calls of this step.")
        return .object(
            times + all.flatMap { $0.companions } + [(name: "expect", schema: results)]
                + all.map { ($0.key, $0.schema.described(as: $0.help)) }, required: ["at"])
    }
}

/// The sentences on keys that several steps have.
enum StepHelp {
    static let group = "The group, or several."
    static let over = "The span in which each install has a time of its own."
    static let every = "The time from one repetition to the next."
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

/// Something that happens in a scenario, once or again and again.
package struct Step: Sendable {
    /// Seconds from the scenario's start to the first time.
    let at: Int
    /// The position of the step in the file.
    var position: SourcePosition
    let action: any StepAction
    var repetition: Repetition?
    /// The expectations about the fetches that the step makes.
    package var expectations: [FetchExpectation] = []

    struct Repetition: Hashable, Sendable {
        /// Seconds from one time to the next, at least 1.
        let every: Int
        /// Seconds from the scenario's start up to which it is repeated, that second included.
        let until: Int
    }

    /// Seconds from the scenario's start to the last time that it begins.
    var lastStart: Int {
        guard let repetition else { return at }
        return at + (repetition.until - at) / repetition.every * repetition.every
    }

    /// The number of times that the step begins.
    var times: Int { repetition.map { (lastStart - at) / $0.every + 1 } ?? 1 }

    /// The seconds over which the step is spread among installs, counted from the second in which it begins (R14.4).
    var span: Int? { (action as? any SpreadAction)?.over }

    /// Seconds from the scenario's start to the last second in which anything of it can happen.
    var lastTime: Int { lastStart + (span ?? 1) - 1 }
}

extension Scenario {
    /// The actions of one kind, in the order of time.
    func actions<Action: StepAction>(_ kind: Action.Type) -> [Action] { steps.compactMap { $0.action as? Action } }
}
