import PolicyEngine

@testable import TestSupport

/// A decision of the primary service, and its device.
struct SweepEvaluation {
    let time: Instant
    let install: SweepInstall
    let outcome: NamedDecision
}

extension SweepService {
    /// The figures of this account in a report (R13), by name; none that is 0.
    var figures: [String: Int] {
        var figures: [String: Int] = [:]
        for evaluation in evaluated {
            for name in evaluation.liveMetrics + ["lifetimes/\(evaluation.outcome.lifetime)"] {
                figures[name, default: 0] += 1
            }
            for filter in evaluation.outcome.filters { figures["filters/\(filter)/matched", default: 0] += 1 }
        }
        for (name, devices) in uniqueDevices { figures[name] = devices.count }
        figures["devices/banned"] = bannedCount
        figures["billing"] = figures.filter { $0.key.hasPrefix("monthly/") && $0.key.hasSuffix("/pass") }.values.max()
        return figures.filter { $0.value > 0 }
    }

    // R13.2.
    private var uniqueDevices: [String: Set<String>] {
        var devices: [String: Set<String>] = [:]
        for evaluation in evaluated {
            let id = evaluation.install.id
            devices["devices/unique", default: []].insert(id)
            if evaluation.outcome.flags.contains("new-did") { devices["devices/new", default: []].insert(id) }
            for filter in evaluation.outcome.filters { devices["filters/\(filter)/devices", default: []].insert(id) }
            for window in windows(at: evaluation.time) {
                for name in evaluation.windowMetrics { devices["\(window)/\(name)", default: []].insert(id) }
            }
        }
        return devices
    }

    // The windows that an instant lies in, by kind and start.
    private func windows(at time: Instant) -> [String] {
        let day = Instant(secondsSinceEpoch: time.dayNumber * 86_400)
        let hour = Instant(secondsSinceEpoch: time.hourNumber * 3600)
        // Back to the billing day, day by day.
        var month = day
        while month.date.day != latest.billingDay { month = month + -86_400 }
        return ["hourly/\(hour)", "daily/\(day)", "monthly/\(month)"]
    }
}

extension SweepEvaluation {
    private var verdict: String { outcome.passed ? "pass" : "fail" }

    // The rejections that are flags.
    private var causes: [String] { outcome.rejections.filter { !$0.contains(":") } }

    private var app: String? {
        let system = ["android": "and", "ios": "ios"][install.system] ?? "unknown"
        return install.attributes["appid"].map { "\(system)-\($0)" }
    }

    /// R13.1.
    fileprivate var liveMetrics: [String] {
        var names = [verdict] + outcome.flags.map { "\(verdict)-flag-\($0)" } + causes.map { "rejection-flag-\($0)" }
        names.append("policy-\(outcome.policy.split(separator: ",")[1])")
        names += outcome.filters.map { "filter-\($0)" }
        for rejection in outcome.rejections where rejection.contains(":") {
            names.append("rejection-\(rejection.replacing(":", with: "-"))")
        }
        if let app {
            names.append("\(verdict)-app-\(app)")
            if let version = install.attributes["app-version"] { names.append("\(verdict)-appver-\(app)-\(version)") }
        }
        return names.map { "metrics/\($0)" }
    }

    /// R13.2, without the windows' prefixes.
    fileprivate var windowMetrics: [String] {
        [verdict] + (app.map { ["\(verdict)-app-\($0)"] } ?? [])
            + (outcome.passed ? [] : causes.map { "fail-flag-\($0)" })
    }
}
