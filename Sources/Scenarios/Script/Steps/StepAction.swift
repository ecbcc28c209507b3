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

/// An action of groups that is written as a mapping: groups, and the fields of its own.
protocol MappedAction: GroupAction {
    /// The action before its fields are read.
    init()
    var groups: [Int] { get set }
    /// The fields beside `group`, in the order in which they are read.
    static var fields: [Field<Self>] { get }
    /// True if groups may be given alone, without a mapping.
    static var allowsGroupsAlone: Bool { get }
}

extension MappedAction {
    static var allowsGroupsAlone: Bool { false }

    static var schema: JSONSchema {
        let mapping = fields.schema(behind: [("group", .groups)])
        return allowsGroupsAlone ? .any(of: [.groups, mapping]) : mapping
    }

    static func load(_ node: Node, _: StepFields, _ loader: inout ScenarioLoader) -> Self? { read(node, &loader) }

    /// Reads groups and fields; `nil` after noting an error.
    static func read(_ node: Node, _ loader: inout ScenarioLoader) -> Self? {
        let given: (groups: [Int]?, action: Self?)
        if allowsGroupsAlone, !node.isMapping {
            given = (loader.groups(node, key.quoted), Self())
        } else {
            guard var mapping = loader.reader.mapping(node, key.quoted) else { return nil }
            let groups = mapping.require("group", &loader.reader).flatMap { loader.groups($0, "`group`") }
            given = (groups, fields.read(from: &mapping, Self(), &loader.reader))
            mapping.finish(&loader.reader)
        }
        guard let groups = given.groups, var action = given.action else { return nil }
        action.groups = groups
        return action
    }
}

extension ValueForm<Int> {
    /// A duration from which to the next one launches and other draws are spread: from a second to as long as they can be.
    static var interval: ValueForm {
        ValueForm(.duration) { node, what, reader in
            guard let seconds = reader.duration(node, what) else { return nil }
            if 1...LaunchTimes.Round.longestSpan ~= seconds { return seconds }
            reader.error(
                "\(what) must be at least `1s`\(seconds == 0 ? "" : ", and at most `136y`")", at: node.position)
            return nil
        }
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
    // The places of kinds in that list, by their keys.
    private static let places = Dictionary(uniqueKeysWithValues: zip(keys, keys.indices))
    /// The keys that go with some kind alone.
    static let companions = all.flatMap { $0.companions }.map(\.name)
    private static let companionSet = Set(companions)

    /// The kinds that keys of a mapping name, in the order of the list.
    static func given(by entries: [Node.Entry]) -> [(kind: any StepAction.Type, node: Node)] {
        let given = entries.compactMap { entry in places[entry.key].map { (place: $0, node: entry.value) } }
        return given.sorted { $0.place < $1.place }.map { (all[$0.place], $0.node) }
    }

    /// The values of those keys of a mapping that go with some kind alone, by key.
    static func companions(of entries: [Node.Entry]) -> [String: Node] {
        entries.reduce(into: [:]) { if companionSet.contains($1.key) { $0[$1.key] = $1.value } }
    }

    static let expecting = all.compactMap { $0 as? any ExpectingAction.Type }
}

/// The fields of a step beside its action.
struct StepFields {
    let position: SourcePosition
    /// Seconds from the scenario's start.
    let at: Int
    /// By name, those that go with some action.
    var companions: [String: Node]

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
        group, JSONSchema.list(of: group, atLeast: 1).with("uniqueItems", .truth(true)),
    ])

    /// The name of a group.
    static let group = JSONSchema.text.naming(.group)
}

/// The schema of steps: a time, an action, and what belongs to it.
enum StepSchema {
    static var step: JSONSchema {
        let times: [(name: String, schema: JSONSchema)] = [
            ("at", .duration), ("every", .duration), ("until", .duration),
        ]
        let actions = StepKinds.all.map { (name: $0.key, schema: $0.schema) }
        let expect: [(name: String, schema: JSONSchema)] = [
            ("expect", .oneOrMore(.reference(to: "expectation")))
        ]
        return .object(times + StepKinds.all.flatMap { $0.companions } + expect + actions, required: ["at"])
    }
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

    /// The seconds over which the launches of the step are spread, counted from the second in which it begins (R14.4).
    var launchSpan: Int? { (action as? LaunchStep)?.over }

    /// Seconds from the scenario's start to the last second in which anything of it can happen.
    var lastTime: Int { lastStart + (launchSpan ?? 1) - 1 }
}

extension Scenario {
    /// The actions of one kind, in the order of time.
    func actions<Action: StepAction>(_ kind: Action.Type) -> [Action] { steps.compactMap { $0.action as? Action } }
}
