internal import Accounts
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

/// At the end: the flags that the service keeps of devices.
struct DeviceStateCheck: FinalCheck {
    static let key = "device-state"
    private let target: Target
    /// As it was named.
    let name: String
    let position: SourcePosition
    /// The persisted flags; `nil` when the state must not be set (R6.5).
    let flags: FlagSet?

    private enum Target {
        case group(Int)
        case device(DeviceID)
    }

    static var schema: JSONSchema {
        .map(of: .any(of: [.words(["none"]), .list(of: RuleForms.flag)]), atLeast: 1).namingKeys(.groupOrDevice)
    }

    static func load(_ node: Node, account: Int, _ loader: inout ScenarioLoader) -> [any FinalCheck] {
        let catalogue = loader.scenario.accounts[account].account.catalogue
        return loader.checkEntries(node, "`device-state`").compactMap { entry in
            let target: Target? =
                DeviceID(entry.key).map { .device($0) } ?? loader.group(entry.keyNode).map { .group($0) }
            guard let target else { return nil }
            var flags: FlagSet?
            if case .scalar("none", _) = entry.value.content {
                flags = nil
            } else {
                flags = GroupFields.flags(entry.value, catalogue, isObserved: false, &loader.reader)
            }
            if case .group(let group) = target { loader.check(group, isOfAccount: account, at: entry.keyPosition) }
            return DeviceStateCheck(target: target, name: entry.key, position: entry.keyPosition, flags: flags)
        }
    }

    func message(_: Scenario) -> String { "device state of \(name)" }

    func result(_ end: ScenarioEnd, account: Int, _ diagnostics: inout Diagnostics) -> CheckResult? {
        let service = end.services[account]
        let devices =
            switch target {
            case .group(let group): end.installs[group].map(\.attestation.device)
            case .device(let id): service.symbols.devices.index(of: id).map { [$0] } ?? []
            }
        guard !devices.isEmpty else {
            diagnostics.add(
                Diagnostic(
                    file: end.scenario.file, position: position, message: "there is no device \(name.quoted)"))
            return nil
        }
        let expected = service.stateText(flags)
        let mismatch = devices.lazy.map { (device: $0, text: service.stateText(of: $0)) }.first { $0.text != expected }
        let actual = mismatch.map { "\($0.text) (device \(service.deviceID(of: $0.device)))" }
        return CheckResult(
            expected: expected, actual: actual ?? expected, passed: mismatch == nil,
            vacuity: end.vacuity(ofAccount: account))
    }
}

/// At the end: the number of notifications about problems (R25.2).
struct NotificationCheck: FinalCheck {
    static let key = "notifications"
    let position: SourcePosition
    private let count: CountRange

    static var schema: JSONSchema { .reference(to: "count") }

    static func load(_ node: Node, account _: Int, _ loader: inout ScenarioLoader) -> [any FinalCheck] {
        let count = CountRange.load(node, "`notifications`", &loader.reader)
        return count.map { [NotificationCheck(position: node.position, count: $0)] } ?? []
    }

    func message(_: Scenario) -> String { "notifications" }

    func result(_ end: ScenarioEnd, account: Int, _: inout Diagnostics) -> CheckResult? {
        let monitor = end.monitors.isEmpty ? DomainMonitor() : end.monitors[account]
        return count.result(
            monitor.notifications, vacuity: monitor.comparisons == 0 ? "no chain was compared with pins" : nil)
    }
}
