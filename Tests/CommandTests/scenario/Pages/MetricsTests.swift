import Foundation
import Testing

@testable import TestSupport
@testable import scenario

/// OpenMetrics: their text, and what promtool, a Prometheus and the Python client make of them.
@Suite struct MetricsTests {
    private static let root = Repository.root.path(percentEncoded: false)

    @Test func aPrometheusAnswersAsTheReportDoes() async throws {
        let scenario = "\(Self.root)Scenarios/populations/a-month-and-its-bill.yaml"
        let folder = try TemporaryFolder()
        ToolRun(["run", scenario, "--format=openmetrics", "--output=@month"], in: folder).ending(.success)
        let report = try JSONText(ToolRun(["run", scenario, "--format=json"], in: folder).output)
        // The minute after the last step, 40 days and 12 hours after 2020-07-01.
        let end = 1_593_561_600 + 40 * 86_400 + 12 * 3600 + 60
        let queries: [(query: String, value: Int?)] = [
            (#"sum(scenario_attestations_total{verdict="pass"})"#, report.integer("metrics", "pass")),
            (#"sum(scenario_attestations_total{verdict="fail"})"#, report.integer("metrics", "fail")),
            (
                #"scenario_attestations_total{app="ios-com.example.news",verdict="pass"}"#,
                report.integer("metrics", "pass-app-ios-com.example.news")
            ),
            (#"scenario_rejections_total{reason="rooted"}"#, report.integer("metrics", "rejection-flag-rooted")),
            (#"scenario_flags_total{flag="rooted",verdict="fail"}"#, report.integer("metrics", "fail-flag-rooted")),
            (#"scenario_policies_total{policy="default"}"#, report.integer("metrics", "policy-default")),
            ("scenario_token_lifetime_seconds_count", report.integer("summary", "attestations")),
            (
                #"max_over_time(scenario_unique_devices{verdict="pass",window="month"}[41d])"#,
                report.integer("billing")
            ),
            (#"scenario_sdk_calls_total{call="fetch-sync"}"#, report.integer("metrics", "sdk-calls-fetch-sync")),
            (#"scenario_sdk_results_total{result="success"}"#, report.integer("metrics", "sdk-result-success")),
            // A graph has no gap: a sample a minute over 40 days and 12 hours.
            (#"count_over_time(scenario_policies_total[41d])"#, 40 * 1440 + 720 + 2),
        ]
        let panels = try Self.panels()
        let answer = try await Tooling.answer(
            of: "metrics.py",
            to: ["file": folder.path("month"), "time": end, "parses": false, "queries": queries.map(\.query) + panels])
        // Every query of the dashboard is understood, or the program fails; what it answers has several series.
        #expect(panels.count >= 13)
        let values = try #require(answer["answers"] as? [Any]).prefix(queries.count).map { $0 as? Double }
        for (query, value) in zip(queries, values) {
            expect(query.value.map(Double.init), equals: value, "\(query.query)")
        }
        expect(values.count, equals: queries.count)
    }

    // The queries of the dashboard beside the documents.
    private static func panels() throws -> [String] {
        let data = try Data(contentsOf: URL(filePath: "\(root)docs/grafana/attestations.json"))
        let dashboard = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        let panels = dashboard["panels"] as? [[String: Any]] ?? []
        return panels.flatMap { $0["targets"] as? [[String: Any]] ?? [] }.compactMap { $0["expr"] as? String }
    }

    @Test func thePythonClientTakesEveryName() async throws {
        let folder = try TemporaryFolder()
        try folder.write(HostileCapture.text(), to: "hostile.jsonl")
        ToolRun("replay @hostile.jsonl --format=openmetrics --output=@metrics", in: folder).ending(.success)
        let answer = try await Tooling.answer(
            of: "metrics.py", to: ["file": folder.path("metrics"), "time": 0, "parses": true, "queries": [String]()])
        let labels = try #require(answer["labels"] as? [String: [String]])
        let apps = Set(try #require(labels["app"]))
        // One for each name. Characters that act are replaced by visible ones.
        expect(apps.count, equals: Attack.withLines.count)
        for name in ["<script>alert(1)</script>", "a\"b'c`d", "a\\\"b\\n", "=cmd()", "␛[2J␛]0;title␇"] {
            #expect(apps.contains("unknown-\(name)"), "\(name)")
        }
    }
}
