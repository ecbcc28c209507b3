package import PolicyEngine

extension Figures {
    /// The value of a metric, 0 when nothing was counted.
    ///
    /// - Parameters:
    ///   - name: A live metric, or a windowed one, which is that of the window that is open at `end`.
    ///   - end: When the scenario ends.
    ///   - billingDay: The day on which a billing month starts.
    package func value(ofMetric name: String, at end: Instant, billingDay: Int) -> Int {
        guard let kind = WindowKind.allCases.first(where: { name.hasPrefix($0.prefix) }) else {
            return name == Self.billingName ? billing : metrics[name] ?? 0
        }
        let start = kind.start(ofWindowAt: end, billingDay: billingDay)
        guard let window = windows[kind]?.first(where: { $0.start == start }) else { return 0 }
        switch name.dropFirst(kind.prefix.count) {
        case "pass": return window.passed
        case "fail": return window.failed
        case let rest: return window.counts[String(rest)] ?? 0
        }
    }
}

extension WindowKind {
    /// When the window starts that an instant lies in.
    fileprivate func start(ofWindowAt time: Instant, billingDay: Int) -> Instant {
        let hours =
            switch self {
            case .hourly: time.hourNumber
            case .daily: time.dayNumber * 24
            case .monthly: BillingMonth.start(of: time.date, billingDay: billingDay).dayNumber * 24
            }
        return Instant(secondsSinceEpoch: hours * 3600)
    }
}
