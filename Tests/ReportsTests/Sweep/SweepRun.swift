import Foundation
import Testing

@testable import Documents
@testable import Figures
@testable import Replay
@testable import Reports
@testable import Scenarios
@testable import TestSupport

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
        let bytes = JSONReport.bytes(of: Report(figures: result.figures, scenarios: [result]))
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
