import Foundation
import Testing

@testable import TestSupport
@testable import scenario

/// `scenario schema report`: the JSON Schema of all JSON reports.
@Suite struct ReportSchemaTests {
    private static let stricter = ["--change", "policy -set default,strict,risk"]

    /// The kind of report, and a command line that writes one.
    static let rows: [Case<Words, String>] = [
        Case(
            "replay @day.jsonl --account=new --confidence=95% --labels=@labels.csv --cost=missed=40,blocked=6",
            gives: "report"),
        Case(
            "diff @crowd.jsonl --account=@root.yaml --policy=strict --who=flags --confidence=95% --since=@day.jsonl",
            gives: "comparison"),
        Case(
            "diff @day.jsonl --account=new --candidate=@root.yaml --labels=@labels.csv --cost=missed=40,blocked=6",
            gives: "comparison"),
        Case(
            "whatif @day.jsonl --account=new --confidence=95% --labels=@labels.csv --cost=missed=40,blocked=6",
            gives: "edits"),
        Case(
            "search @day.jsonl --account=@root.yaml --reject=flag:rooted --confidence=95% --labels=@labels.csv",
            gives: "search"),
        Case(
            "search @day.jsonl --account=@root.yaml --reject=flag:rooted --holdout=2020-07-23T10:30:00Z",
            gives: "search"),
        Case("compare @crowd.jsonl @thousand.jsonl --account=new", gives: "captures-compared"),
        Case(
            "rollout @day.jsonl --account=@trial.yaml --policy=default,default,default --steps=50%:30m,100%",
            gives: "rollout"),
        Case("rollout @s.yaml --policy=default,blacklist,default --steps=100%", gives: "rollout"),
        Case("lint @allowed.yaml", gives: "diagnostics"),
        Case("run @s.yaml --coverage --series", gives: "report"), Case("run @fails.yaml --mutants", gives: "report"),
        Case("run Scenarios/requests", gives: "report"), Case("replay @day.txt --series", gives: "report"),
        Case("replay @malformed.jsonl --skip-malformed --count=ip,device-id --top=2", gives: "report"),
        Case("replay @day.jsonl --fetches=@fetches.txt", gives: "report"), Case("replay @fetches.txt", gives: "report"),
        Case("diff @three.jsonl --account=@plain.yaml --candidate=@root.yaml", gives: "comparison"),
        Case(
            "diff @day.jsonl --account=new --policy=default,blacklist,all --fetches=@fetches.txt", gives: "comparison"),
        Case("diff @s.yaml --policy=default,blacklist,all --at=30s", gives: "comparison"),
        Case(
            "diff Scenarios/tokens/a-token-is-bound-to-a-session.yaml --policy=default,blacklist,all",
            gives: "comparison"),
        Case("whatif @three.jsonl --account=@plain.yaml", gives: "edits"),
        Case("prove --account=@plain.yaml --candidate=@root.yaml", gives: "proofs"),
        Case("prove --account=@plain.yaml --candidate=@root.yaml --newly=rejected", gives: "proofs"),
        Case("search @three.jsonl --account=@root.yaml --reject=flag:rooted", gives: "search"),
        Case("lint @bad.yaml @warns.yaml @account-bad.yaml @malformed.jsonl", gives: "diagnostics"),
        Case("explain @three.jsonl --account=@plain.yaml --device=\(DiffSample.device(0))", gives: "explanations"),
        Case("explain @s.yaml", gives: "scenario-explanation"),
        Case("explain Scenarios/requests/one-customer-is-blocked.yaml", gives: "scenario-explanation"),
        Case("policy", gives: "presets"), Case("policy default,strict,risk", gives: "policy"),
        Case("policy diff default,strict,risk default,default,risk", gives: "policy-difference"),
    ]

    private static let scenario = """
        scenario: Shop
        devices: {bob: {id: \(Sample.bob), flags: [rooted]}, crowd: {count: 2, os: ios}}
        steps: [{at: 0s, fetch: all, expect: {pass: 3}}, {at: 1h, fetch: crowd}]

        """

    // A label of a device with each verdict, and one that fits no record.
    private static let more = [
        "s.yaml": scenario, "crowd.jsonl": DiffSample.capture(devices: 40, rooted: 20),
        "labels.csv": "device-id,label\n\(Sample.bob),bad\n\(Sample.amy),good\n\(DiffSample.device(1)),good\n",
        "trial.yaml": "rules: [trial]\npolicy: default,allow-root,default\n",
        "allowed.yaml": "dev-key: x # scenario: allow development-key because of testers\n",
    ]

    private static let schema = try? ToolRun("schema report").output

    // The schema of one kind of report alone.
    private static func schema(of kind: String) throws -> String {
        let text = try #require(schema)
        var root = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        root["anyOf"] = nil
        root["$ref"] = "#/$defs/\(kind)"
        return String(decoding: try JSONSerialization.data(withJSONObject: root), as: UTF8.self)
    }

    private static func report(_ row: Case<Words, String>) throws -> String {
        let folder = try TemporaryFolder(DiffSample.files.merging(more) { $1 })
        let words = row.input.list.map {
            $0.hasPrefix("Scenarios/") ? Repository.root.appending(path: $0).path(percentEncoded: false) : $0
        }
        return ToolRun(words + ["--format=json"], in: folder).output
    }

    @Test func everyReportIsOfItsKindAlone() throws {
        let reports = try Self.rows.map { try Self.report($0) }
        #expect(reports.allSatisfy { $0.hasPrefix("{\"version\":1,") })
        let whole = try SchemaCheck.problems(in: reports, by: try #require(Self.schema))
        for (row, problem) in zip(Self.rows, whole) { #expect(problem == nil, "\(row.label)") }
        for kind in Set(Self.rows.map(\.expected)) {
            let problems = try SchemaCheck.problems(in: reports, by: Self.schema(of: kind))
            for (row, problem) in zip(Self.rows, problems) {
                #expect((problem == nil) == (row.expected == kind), "\(row.label) as \(kind): \(problem ?? "")")
            }
        }
    }

    @Test func theGoldenReportsAreOfTheirKind() throws {
        let folder = Repository.root.appending(path: "Tests/CommandTests/Golden")
        let paths = try FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false))
            .map { folder.appending(path: "\($0)/expected.json") }
        let reports = paths.compactMap { try? String(contentsOf: $0, encoding: .utf8) }
        #expect(reports.count >= 5)
        let problems = try SchemaCheck.problems(in: reports, by: try #require(Self.schema))
        #expect(problems.allSatisfy { $0 == nil }, "\(problems)")
    }

    @Test func otherMembersAndValuesAreRefused() throws {
        let report = try Self.report(Case("replay @day.txt", gives: "report"))
        let changed = [
            report.replacing("\"billing\":", with: "\"biling\":"), report.replacing("{\"version\":1,", with: "{"),
            report.replacing("\"attestations\":2", with: "\"attestations\":\"two\""),
            report.replacing("{\"version\":1,", with: "{\"version\":1,\"more\":1,"),
            report.replacing("T10:00:00Z", with: " 10:00"),
        ]
        #expect(changed.allSatisfy { $0 != report })
        let problems = try SchemaCheck.problems(in: [report] + changed, by: try Self.schema(of: "report"))
        #expect(problems.map { $0 == nil } == [true, false, false, false, false, false])
    }

    // Two of the three attestations of the capture are of a rooted device.
    @Test func aReplaySaysHowManyAttestationsFail() throws {
        let replayed = try JSONText(try ToolRun("replay @day.jsonl --format=json", files: Sample.files).output)
        let keys = ["attestations-passed", "attestations-failed", "passed", "failed", "scenarios-failed"]
        #expect(keys.map { replayed.integer("summary", $0) } == [1, 2, 1, 2, 0])
        let run = try JSONText(try ToolRun("run @good.yaml @fails.yaml --format=json", files: Sample.files).output)
        let scenarios = ["scenarios-passed", "scenarios-failed", "passed", "failed", "attestations-passed"]
        #expect(scenarios.map { run.integer("summary", $0) } == [1, 1, 1, 1, 2])
    }
}
