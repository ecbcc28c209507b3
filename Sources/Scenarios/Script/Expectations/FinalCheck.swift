internal import Documents
internal import PolicyEngine

/// A check at the end of a scenario: a type for each key, which reads it and knows when it holds (formats: Scenario,
/// expectations).
protocol FinalCheck: Sendable {
    /// The key that holds the checks of this type.
    static var key: String { get }
    /// The form of the key's value.
    static var schema: JSONSchema { get }
    /// Reads the checks about an account, by its index.
    static func load(_ node: Node, account: Int, _ loader: inout ScenarioLoader) -> [any FinalCheck]

    var position: SourcePosition { get }
    /// The check and its subject, in words.
    func message(_ scenario: Scenario) -> String
    /// The result; `nil` after noting an error.
    ///
    /// - Parameter diagnostics: Gets an error for a device that is not there.
    func result(_ end: ScenarioEnd, account: Int, _ diagnostics: inout Diagnostics) -> CheckResult?
}

/// An expectation about one account at the end of a scenario.
struct FinalExpectation: Sendable {
    static let kinds: [any FinalCheck.Type] = [
        MetricCheck.self, DeviceStateCheck.self, RequestCheck.self, NotificationCheck.self,
    ]
    /// The account by its index.
    let account: Int
    var checks: [any FinalCheck] = []
    /// True if it may hold because nothing happened.
    var allowsVacuous = false

    /// The form of an expectation at the end.
    static var schema: JSONSchema {
        .object(
            kinds.map { (name: $0.key, schema: $0.schema) } + [
                ("vacuous", .words(["allowed"])), ("account", .text.naming(.account)),
            ])
    }

    /// The results.
    func results(_ end: ScenarioEnd, _ diagnostics: inout Diagnostics) -> [ExpectationResult] {
        checks.compactMap { check in
            check.result(end, account: account, &diagnostics)?.reported(
                file: end.scenario.file, position: check.position, message: check.message(end.scenario),
                allowsVacuous: allowsVacuous)
        }
    }
}

/// The end of a scenario, as far as checks look at it.
struct ScenarioEnd {
    let scenario: Scenario
    /// By account.
    let services: [SimulatedService]
    /// By group.
    let installs: [[Install]]
    /// The accounts whose devices fetched.
    let fetching: Set<Int>
    /// The figures of the requests by group.
    let requests: [RequestFigures]
    /// By account; empty if no notification is ever sent.
    let monitors: [DomainMonitor]
    /// The time up to which metrics count.
    let time: Instant

    /// The reason for which a check of an account would hold whatever the account decides.
    func vacuity(ofAccount account: Int) -> String? {
        services[account].hasEvaluated ? nil : "nothing was evaluated"
    }
}

extension ScenarioLoader {
    /// Reads what must hold at the end: a mapping, or a list of mappings that name accounts.
    mutating func readFinalExpectations() {
        guard let node = mapping.take("expect") else { return }
        scenario.finalExpectations = expectationNodes(node).compactMap { finalExpectation($0) }
    }

    private mutating func finalExpectation(_ node: Node) -> FinalExpectation? {
        guard var fields = reader.mapping(node, "`expect`") else { return nil }
        var expectation = FinalExpectation(
            account: account(fields.take("account"), for: "`expect`", at: node.position))
        let given = FinalExpectation.kinds.compactMap { kind in fields.take(kind.key).map { (kind, $0) } }
        expectation.allowsVacuous = allowsVacuous(&fields)
        fields.finish(&reader)
        for (kind, node) in given { expectation.checks += kind.load(node, account: expectation.account, &self) }
        if expectation.checks.isEmpty, !reader.diagnostics.hasErrors {
            reader.error("`expect` has nothing to check", at: node.position)
        }
        return expectation
    }

    /// Warns if nothing is expected, unless something cannot be read: that may be an expectation.
    mutating func warnOfNoExpectations() {
        guard isChecked, !reader.diagnostics.hasErrors, scenario.finalExpectations.isEmpty,
            scenario.steps.allSatisfy(\.expectations.isEmpty)
        else { return }
        reader.warning(
            "the scenario expects nothing, so it cannot fail", at: mapping.position,
            hint: "add `expect` to a step or at the end")
    }

    /// The entries of a mapping; an empty one is an error, since it would check nothing.
    mutating func checkEntries(_ node: Node, _ what: String) -> [Node.Entry] {
        guard let entries = reader.mapping(node, what)?.entries else { return [] }
        if entries.isEmpty { reader.error("\(what) has nothing to check", at: node.position) }
        return entries
    }

    /// Notes an error for a group of another account than the one that is checked.
    mutating func check(_ group: Int, isOfAccount account: Int, at position: SourcePosition) {
        guard scenario.groups[group].account != account else { return }
        reader.error("group \(scenario.groups[group].name.quoted) belongs to another account", at: position)
    }
}
