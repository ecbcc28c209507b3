import Foundation
import Testing

@testable import TestSupport
@testable import scenario

/// OpenMetrics: their text, and what promtool, a Prometheus and the Python client make of them.
@Suite struct MetricsTests {
    private static let root =
        GoldenCase.tests.deletingLastPathComponent().deletingLastPathComponent().path(percentEncoded: false)

    // Bob is rooted and attests at 10:00 and 11:00, Amy at 10:00.
    @Test func aReplayIsWrittenAsItWouldHaveBeenScraped() throws {
        let run = try ToolRun(
            "replay @day.jsonl --account @account.yaml --policy default,default,default "
                + "--format=openmetrics --step=30m", files: Sample.files)
        let (start, half, full, end) = (1_595_498_400, 1_595_500_200, 1_595_502_000, 1_595_503_800)
        let lines = run.output.split(separator: "\n").map(String.init)
        #expect(run.status == .success)
        #expect(
            lines.filter { $0.hasPrefix("# TYPE") } == [
                "# TYPE scenario_attestations counter", "# TYPE scenario_flags counter",
                "# TYPE scenario_rejections counter", "# TYPE scenario_policies counter",
                "# TYPE scenario_token_lifetime_seconds histogram", "# TYPE scenario_unique_devices gauge",
                "# TYPE scenario_build info",
            ])
        func values(_ series: String) -> [String] {
            lines.filter { $0.hasPrefix(series + " ") }.map { String($0.dropFirst(series.count + 1)) }
        }
        let attestations = #"scenario_attestations_total{account="prod",app="","#
        #expect(values(attestations + #"verdict="fail"}"#) == ["0 \(start)", "1 \(half)", "1 \(full)", "2 \(end)"])
        #expect(values(attestations + #"verdict="pass"}"#) == ["0 \(start)", "1 \(half)", "1 \(full)", "1 \(end)"])
        #expect(values(#"scenario_rejections_total{reason="rooted"}"#).last == "2 \(end)")
        #expect(
            values(#"scenario_unique_devices{verdict="fail",window="hour"}"#)
                == ["1 \(start)", "1 \(half)", "1 \(full)", "1 \(end)"])
        #expect(values(#"scenario_token_lifetime_seconds_bucket{le="120.0"}"#) == ["2 \(end)"])
        #expect(values(#"scenario_token_lifetime_seconds_bucket{le="300.0"}"#) == ["3 \(end)"])
        #expect(values("scenario_token_lifetime_seconds_sum") == ["540 \(end)"])
        #expect(lines.last == "# EOF" && lines.count { $0 == "# EOF" } == 1)
    }

    @Test("R13.3 what clients report is written likewise") func clientsAreWrittenToo() throws {
        let scenario = """
            scenario: s
            account: {apis: [{domain: a.com}]}
            devices: {bob: {os: ios, attributes: {sdkid: "4505", archid: arm64, sdk-version: 2.5.0}}}
            steps: [{at: 0s, request: bob, to: a.com, every: 1m, until: 2m, expect: {accepted: 3}}]

            """
        let run = try ToolRun("run @s.yaml --format=openmetrics", files: ["s.yaml": scenario]).ending(.success)
        let lines = run.output.split(separator: "\n").map(String.init)
        // 2020-01-01T00:00:00Z, and the end of each minute.
        let start = 1_577_836_800
        for (series, counts) in [
            (#"scenario_sdk_calls_total{call="fetch-config"}"#, [0, 1, 1, 1]),
            (#"scenario_sdk_calls_total{call="fetch-sync"}"#, [0, 1, 2, 3]),
            (#"scenario_sdk_calls_total{call="get-pins"}"#, [0, 1, 2, 3]),
            (#"scenario_sdk_calls_total{call="message-signature"}"#, [0, 1, 2, 3]),
            (#"scenario_sdk_results_total{result="success"}"#, [0, 1, 2, 3]),
            (#"scenario_sdk_library_fetches_total{library="4505"}"#, [0, 1, 2, 3]),
            (#"scenario_sdk_version_fetches_total{sdk_version="2.5.0"}"#, [0, 1, 2, 3]),
            (#"scenario_sdk_processor_fetches_total{platform="ios",processor="arm64"}"#, [0, 1, 2, 3]),
        ] {
            let written = counts.enumerated().map { "\(series) \($1) \(start + 60 * $0)" }
            #expect(lines.filter { $0.hasPrefix(series) } == written)
        }
    }

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
        for (query, value) in zip(queries, values) { #expect(query.value.map(Double.init) == value, "\(query.query)") }
        #expect(values.count == queries.count)
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
        #expect(apps.count == Attack.withLines.count)
        for name in ["<script>alert(1)</script>", "a\"b'c`d", "a\\\"b\\n", "=cmd()", "␛[2J␛]0;title␇"] {
            #expect(apps.contains("unknown-\(name)"), "\(name)")
        }
    }

    static let refused: [ToolRow] = [
        .usage("step without samples", "replay @day.jsonl --step 1m", "`--step` needs `--format openmetrics`"),
        .usage(
            "no step", "run @good.yaml --step 0s --format=openmetrics",
            "`--step` takes a duration above 0, not `0s`; such as `30s` or `5m`"),
    ]

    @Test(arguments: refused) func aStepIsADurationOfSamples(_ row: ToolRow) throws {
        try row.expectNoOutput(files: Sample.files)
    }

    @Test func tooManySamplesAreRefused() throws {
        let scenario = "\(Self.root)Scenarios/populations/a-month-and-its-bill.yaml"
        let run = try ToolRun(["run", scenario, "--format=openmetrics", "--step=1s"])
        #expect(run.status == .invalidInput && run.output.isEmpty)
        #expect(run.error.contains("more than 5,000,000; a longer `--step` makes fewer"))
    }
}
