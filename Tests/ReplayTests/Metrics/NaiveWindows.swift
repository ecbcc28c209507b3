import Figures
import PolicyEngine

/// Unique devices by window, counted with sets: what the collector must agree with.
struct NaiveWindows {
    // By kind and start: the devices behind each figure.
    private var windows: [WindowKind: [Int: [String: Set<DeviceIndex>]]] = [:]
    private let billingDay: Int

    init(billingDay: Int) {
        self.billingDay = billingDay
    }

    /// Counts a decision.
    mutating func count(_ decision: Decision, app: String?, catalogue: FlagCatalogue) {
        let verdict = decision.passed ? "pass" : "fail"
        var names = [verdict]
        if let app { names.append("\(verdict)-app-and-\(app)") }
        names += catalogue.names(of: decision.rejectingFlags).map { "fail-flag-\($0)" }
        for kind in WindowKind.allCases {
            let start = start(of: kind, at: decision.time)
            for name in names {
                windows[kind, default: [:]][start, default: [:]][name, default: []].insert(decision.device)
            }
        }
    }

    /// The windows of a kind, as lines in the order of time.
    func lines(_ kind: WindowKind) -> [String] {
        (windows[kind] ?? [:]).sorted { $0.key < $1.key }.map { Self.line($0.key, $0.value.mapValues(\.count)) }
    }

    /// The same of windows that were collected.
    static func lines(_ windows: [Figures.Window]) -> [String] {
        windows.map { window in
            var counts = Dictionary(uniqueKeysWithValues: window.counts.map { ($0.key.name, $0.value) })
            if window.passed > 0 { counts["pass"] = window.passed }
            if window.failed > 0 { counts["fail"] = window.failed }
            return line(window.start.secondsSinceEpoch, counts)
        }
    }

    private static func line(_ start: Int, _ counts: [String: Int]) -> String {
        "\(start): " + counts.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
    }

    private func start(of kind: WindowKind, at time: Instant) -> Int {
        let second = time.secondsSinceEpoch
        switch kind {
        case .hourly: return second - second % 3600
        case .daily: return second - second % 86_400
        case .monthly:
            // Back to the latest day that is the billing day.
            var day = second - second % 86_400
            while Instant(secondsSinceEpoch: day).date.day != billingDay { day -= 86_400 }
            return day
        }
    }
}
