import Testing

@testable import scenario

/// The shape of JSON reports (formats: Report).
@Suite struct JSONShapeTests {
    private static let scenario = """
        scenario: "Shape \\"quoted\\" \\u00e9"
        account: {filters: [{name: myip, key: ip, match: 1.2.3.4}]}
        devices:
          bob: {os: android, flags: [rooted], attributes: {ip: 1.2.3.4, appid: com.example, app-version: "1.0"}}
          stock: {count: 2, os: ios, attributes: {appid: com.example}}
        steps: [{at: 0s, fetch: all, expect: {pass: 2, fail: 0}}, {at: 1d, launch: all}, {at: 1d, fetch: all}]

        """

    private static let order = [
        "version", "summary", "scenarios", "metrics", "lifetimes", "devices", "windows", "filters", "reproduced",
    ]

    private static let commands = [["run", "@s.yaml"], ["replay", "@day.txt"], ["replay", "@fetches.txt"]]
    private static var files: [String: String] { Sample.files.merging(["s.yaml": scenario]) { $1 } }

    private static func report(_ arguments: [String]) throws -> JSONText {
        try JSONText(try ToolRun(arguments + ["--format", "json"], files: files).output)
    }

    @Test(arguments: commands) func theTopLevelKeepsItsOrder(arguments: [String]) throws {
        let keys = try Self.report(arguments).keys[0]
        #expect(Array(keys.prefix(Self.order.count)) == Self.order)
        #expect(Set(keys).count == keys.count)
    }

    @Test(arguments: commands) func allOtherKeysAreSorted(arguments: [String]) throws {
        for keys in try Self.report(arguments).keys.dropFirst() {
            #expect(keys == keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
        }
    }

    @Test(arguments: commands) func isOneLine(arguments: [String]) throws {
        let output = try ToolRun(arguments + ["--format", "json"], files: Self.files).output
        #expect(output.hasPrefix("{\"version\":1,\"summary\":{"))
        #expect(output.hasSuffix("}\n"))
        #expect(output.count { $0 == "\n" } == 1)
    }

    @Test func saysHowScenariosEnded() throws {
        let report = try Self.report(["run", "@s.yaml"])
        let counts = ["attestations", "malformed", "scenarios", "passed", "failed"].map {
            report.integer("summary", $0)
        }
        #expect(counts == [6, 0, 1, 0, 1])
        let scenarios = try #require(report["scenarios"] as? [[String: Any]])
        #expect(scenarios.map { $0["name"] as? String } == ["Shape \"quoted\" é"])
        #expect(scenarios.map { $0["file"] as? String } == ["s.yaml"])
        #expect(scenarios.map { $0["passed"] as? Bool } == [false])
        let expectations = try #require(scenarios.first?["expectations"] as? [[String: Any]])
        #expect(expectations.map { $0["line"] as? Int } == [6, 6])
        #expect(expectations.map { $0["column"] as? Int } == [39, 48])
        #expect(expectations.map { $0["passed"] as? Bool } == [true, false])
        #expect(expectations.map { $0["expected"] as? String } == ["2", "0"])
        #expect(expectations.map { $0["actual"] as? String } == ["2", "1"])
        #expect(expectations.map { $0["message"] as? String } == ["pass of all", "fail of all"])
        #expect(expectations.allSatisfy { $0["file"] as? String == "s.yaml" })
    }

    @Test func holdsFigures() throws {
        let report = try Self.report(["run", "@s.yaml"])
        let metrics = try #require(report["metrics"] as? [String: Int])
        #expect(
            metrics == [
                "pass": 4, "fail": 2, "pass-flag-new-did": 2, "fail-flag-new-did": 1, "fail-flag-rooted": 2,
                "fail-flag-risky-device": 2, "rejection-flag-rooted": 2, "policy-default": 6, "filter-myip": 2,
                "pass-app-ios-com.example": 4, "fail-app-and-com.example": 2, "fail-appver-and-com.example-1.0": 2,
                "sdk-calls-fetch-config": 3, "sdk-calls-fetch-sync": 6, "sdk-result-success": 6,
            ])
        #expect(report["lifetimes"] as? [String: Int] == ["300": 4, "120": 2])
        #expect(report["devices"] as? [String: Int] == ["unique": 3, "new": 3, "banned": 0])
        let filters = try #require(report["filters"] as? [[String: Any]])
        #expect(filters.map { $0["name"] as? String } == ["myip"])
        #expect(filters.map { $0["matched"] as? Int } == [2])
        #expect(filters.map { $0["devices"] as? Int } == [1])
        #expect(filters.map { $0["match-limit-hits"] as? Int } == [0])
    }

    @Test func holdsWindows() throws {
        let report = try Self.report(["run", "@s.yaml"])
        for (kind, starts) in [
            ("hourly", ["2020-01-01T00:00:00Z", "2020-01-02T00:00:00Z"]),
            ("daily", ["2020-01-01T00:00:00Z", "2020-01-02T00:00:00Z"]), ("monthly", ["2020-01-01T00:00:00Z"]),
        ] {
            let windows = try #require(report["windows", kind] as? [[String: Any]])
            #expect(windows.map { $0["start"] as? String } == starts)
            for window in windows {
                #expect(window["pass"] as? Int == 2)
                #expect(window["fail"] as? Int == 1)
                #expect(window["fail-flag-rooted"] as? Int == 1)
                #expect(window["pass-app-ios-com.example"] as? Int == 2)
                #expect(window["fail-app-and-com.example"] as? Int == 1)
                #expect(window.count == 6)
            }
        }
    }

    @Test func reproducedIsNullWhereNoVerdictWasCaptured() throws {
        #expect(
            try ToolRun("run @s.yaml --format=json", files: Self.files).output.contains(",\"reproduced\":null,")
        )
        let captured = try Self.report(["replay", "@day.txt"])
        #expect(captured["reproduced"] as? [String: Int] == ["compared": 2, "agreed": 2])
    }

    @Test func verboseChangesNothing() throws {
        let quiet = try ToolRun("run @s.yaml --format=json", files: Self.files)
        let verbose = try ToolRun("run @s.yaml --format=json --verbose", files: Self.files)
        #expect(quiet.output == verbose.output)
    }

    @Test func warningsStayOutOfIt() throws {
        let run = try ToolRun("run @warns.yaml --format json", files: Sample.files)
        #expect(run.error.contains(": warning: "))
        #expect(try JSONText(run.output).integer("summary", "scenarios") == 1)
    }
}
