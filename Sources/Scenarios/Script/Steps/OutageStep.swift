internal import Documents
internal import PolicyEngine

/// Services do not answer, up to some seconds from the scenario's start; `nil` is without end (R14.3, R20).
struct OutageStep: StepAction {
    static let key = "outage"
    let kind: Outages.Kind
    let until: Int?
    var reach: Set<AccountPart> { [] }

    static var schema: JSONSchema { .words(of: Outages.Kind.self) }

    static func load(_ node: Node, _ fields: StepFields, _ loader: inout ScenarioLoader) -> OutageStep? {
        guard let kind: Outages.Kind = loader.reader.word(node, "`outage`") else { return nil }
        guard let until = fields["until"] else { return OutageStep(kind: kind, until: nil) }
        guard let end = loader.reader.duration(until, "`until`") else { return nil }
        guard end > fields.at else {
            loader.reader.error("`until` must lie after `at`", at: until.position)
            return nil
        }
        return OutageStep(kind: kind, until: end)
    }

    func perform(in run: inout ScenarioRun) -> [String] {
        let end = until.map { run.scenario.start + $0 }
        run.outages.start(Outage(start: run.time, end: end), of: kind)
        let whose =
            switch kind {
            case .primary: "the primary service"
            case .failover: "the failover"
            case .all: "all services"
            }
        return ["outage of \(whose) \(end.map { "until \($0)" } ?? "without end")"]
    }

    func event(in scenario: Scenario) -> StepEvent {
        let whose =
            switch kind {
            case .primary: "the primary service does"
            case .failover: "the failover does"
            case .all: "no service does"
            }
        let end = until.map { "up to \(scenario.start + $0)" } ?? "from now on"
        return .everybody(
            EventTrace.Event(
                kind: Self.key, subject: "outage \(kind.rawValue)", rule: "R14.3", name: "service",
                line: "\(whose) not answer, \(end)"))
    }
}
