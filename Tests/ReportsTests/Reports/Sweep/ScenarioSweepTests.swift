import Foundation
import PolicyEngine
import Testing

@testable import Documents
@testable import Figures
@testable import Replay
@testable import Reports
@testable import Scenarios
@testable import TestSupport

/// Random scenarios, run by the engine and by the reference.
@Suite("Random scenarios come out as the reference says") struct ScenarioSweepTests {
    @Test("R1–R16 scenarios come out as the rules say, and reach every kind of outcome") func agreesOnEveryKind() throws
    {
        var counts: [String: Int] = [:]
        for seed in UInt64(1)...Exhaustive.count(250, whole: 2000) {
            let sweep = try SweepRun(seed: seed)
            let run = sweep.reference
            #expect(sweep.difference == nil, "seed \(seed):\n\(run.scenario.yaml)")
            counts["failover", default: 0] += run.failoverCount
            for name in run.fetches.map({ $0.isCached ? "cached" : $0.result }) { counts[name, default: 0] += 1 }
            for outcome in run.outcomes {
                for name in Set(outcome.names) { counts[name, default: 0] += 1 }
            }
            for step in run.scenario.steps { counts[step.action.kind, default: 0] += 1 }
        }
        for name in Self.kinds { #expect(counts[name, default: 0] >= 1, "\(name)") }
    }

    private static let kinds =
        [
            "pass", "fail", "cached", "SUCCESS", "NO_NETWORK", "POOR_NETWORK", "MITM_DETECTED", "NO_APPROOV_SERVICE",
            "BAD_URL", "UNKNOWN_URL", "UNPROTECTED_URL", "policy:blacklist", "filter", "custom", "45", "120", "300",
            "fetch", "command", "set", "launch", "spread", "binding", "reinstall", "factory-reset", "bind", "network",
            "outage", "latest",
            "failover",
        ] + FlagFacts.names
}

extension TestSupport.NamedDecision {
    fileprivate var names: [String] {
        let causes = rejections.map { $0.hasPrefix("filter:") ? "filter" : $0 }
        let parts = policy.split(separator: ",").map(String.init)
        return flags + causes + parts + [passed ? "pass" : "fail", "\(lifetime)"]
    }
}

extension SweepAction {
    fileprivate var kind: String {
        switch self {
        case .fetch: "fetch"
        case .command(.addLatest, _): "latest"
        case .command: "command"
        case .set: "set"
        case .launch: "launch"
        case .spread: "spread"
        case .binding: "binding"
        case .reinstall: "reinstall"
        case .factoryReset: "factory-reset"
        case .bind: "bind"
        case .network: "network"
        case .outage: "outage"
        }
    }
}

/// Random scenarios, which the loader takes, by the schema of scenarios.
@Suite struct SweepSchemaTests {
    @Test("formats: random scenarios are taken by the schema") func randomScenariosAreTaken() async throws {
        let texts = try (UInt64(1)...40).map { try SweepGenerator.scenario(seed: $0).yaml }
        for text in texts { _ = try ScenarioText.load(text) }
        let problems = try await SchemaCheck.problems(in: texts, by: ScenarioSchema.document)
        for (text, problem) in zip(texts, problems) { #expect(problem == nil, "\(text)") }
    }
}

/// A random scenario, run by the engine and by the reference.
struct SweepRun {
    let reference: SweepReference
    /// The first thing in which they differ.
    let difference: String?

    init(seed: UInt64) throws {
        let words = try SweepGenerator.scenario(seed: seed)
        let scenario = try ScenarioText.load(words.yaml)
        var reference = SweepReference(words, SweepDrawn(scenario))
        reference.run()
        self.reference = reference
        let folder = try TemporaryFolder()
        var diagnostics = Diagnostics()
        let results = ScenarioRunner(decisionsPath: folder.path("decisions")).run([scenario], diagnostics: &diagnostics)
        guard let result = results.first, !diagnostics.hasErrors else {
            difference = "the engine says \(MarkedText.found(diagnostics))"
            return
        }
        let fetches = reference.fetches
        // A fetch that succeeds and makes no decision is a cached one.
        difference =
            try Self.difference(folder["decisions"] ?? "", reference.decisions)
            ?? Self.difference(Self.fetches(of: scenario), fetches.map(\.description).joined(separator: "\n"))
            ?? Self.difference(["cached": result.fetches.cached], ["cached": fetches.count(where: \.isCached)])
            ?? Self.difference(try Self.figures(of: result), reference.figures)
    }

    private static func difference(_ actual: String, _ expected: String) -> String? {
        if actual == expected { return nil }
        let lines = { (text: String) in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) }
        for (actual, expected) in zip(lines(actual), lines(expected)) where actual != expected {
            return "engine:    \(actual)\nreference: \(expected)"
        }
        return "engine: \(lines(actual).count) lines, reference: \(lines(expected).count)"
    }

    private static func difference(_ actual: [String: Int], _ expected: [String: Int]) -> String? {
        let names = Set(actual.keys).union(expected.keys).sorted()
        guard let name = names.first(where: { actual[$0] != expected[$0] }) else { return nil }
        return "\(name): \(actual[name] ?? 0) instead of \(expected[name] ?? 0)"
    }

    // A second run, which keeps each fetch with its result.
    private static func fetches(of scenario: Scenario) -> String {
        var run = ScenarioRun(scenario, keepsResults: true)
        var (diagnostics, lines) = (Diagnostics(), [String]())
        for occurrence in run.timeline {
            run.perform(occurrence, diagnostics: &diagnostics)
            for received in run.received {
                for fetch in received.fetches {
                    lines.append("\(received.group)/\(received.number) \(fetch.compared.result.name)")
                }
            }
        }
        return lines.joined(separator: "\n")
    }

    // The figures of the JSON report that the rules mention, by name; none that is 0.
    private static func figures(of result: ScenarioResult) throws -> [String: Int] {
        let bytes = Report(figures: result.figures, scenarios: [result]).bytes(as: .json)
        let report = try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
        var figures: [String: Int] = [:]
        for part in ["metrics", "lifetimes", "devices"] {
            for (name, count) in report[part] as? [String: Int] ?? [:] where !name.hasPrefix("sdk-") {
                figures["\(part)/\(name)"] = count
            }
        }
        figures["billing"] = report["billing"] as? Int
        for filter in report["filters"] as? [[String: Any]] ?? [] {
            for part in ["matched", "devices"] {
                figures["filters/\(filter["name"] ?? "")/\(part)"] = filter[part] as? Int
            }
        }
        for (kind, windows) in report["windows"] as? [String: [[String: Any]]] ?? [:] {
            for window in windows {
                for (name, count) in window where name != "start" {
                    figures["\(kind)/\(window["start"] ?? "")/\(name)"] = count as? Int
                }
            }
        }
        return figures.filter { $0.value > 0 }
    }
}

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
