internal import Documents

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
