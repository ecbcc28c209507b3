import Testing

@testable import scenario

/// `run` says beside an expectation that failed why: what rejects the fetches, and the command that explains them.
@Suite struct RunCauseTests {
    // Of the three devices one is rooted and matches the filter, and one is rooted alone.
    private static let scenario = """
        scenario: Causes
        account: {filters: [{name: office, key: ip, match: 1.2.3.4, reject: true}]}
        devices:
          bob: {os: android, flags: [rooted], attributes: {ip: 1.2.3.4}}
          amy's phone: {os: android, flags: [rooted]}
          eve: {os: ios}
        steps:
          - {at: 0s, fetch: all, expect: [{fail: 0}, {group: "amy's phone", verdict: pass}, {group: eve, pass: 7}]}
          - {at: 1h, fetch: bob, expect: {fail: 1}}

        """

    private static func run(_ form: String, _ more: String...) throws -> String {
        try ToolRun(["run", "@s.yaml", "--format", form] + more, files: ["s.yaml": scenario]).output
            .replacing(/[^ \"'>]*\/s.yaml/, with: "s.yaml")
    }

    @Test func theTextNamesTheCauses() throws {
        let lines = try Self.run("text", "--seed=7").split(separator: "\n").map {
            $0.trimmingPrefix(while: { $0 == " " })
        }
        #expect(
            lines.filter { $0.hasPrefix("rejected:") } == [
                "rejected: rooted (2), filter:office (1)", "rejected: rooted (1)",
            ])
        #expect(
            lines.filter { $0.hasPrefix("explain:") } == [
                "explain:  scenario explain s.yaml --seed 7",
                #"explain:  scenario explain s.yaml --device 'amy'\''s phone' --seed 7"#,
                "explain:  scenario explain s.yaml --device eve --seed 7",
            ])
    }

    @Test func programsReadThem() throws {
        let report = try JSONText(try Self.run("json"))
        let scenarios = try #require(report["scenarios"] as? [[String: Any]])
        let expectations = try #require(scenarios[0]["expectations"] as? [[String: Any]])
        #expect(expectations.map { $0["passed"] as? Bool } == [false, false, false, true])
        #expect(
            expectations.map { $0["rejections"] as? String } == [
                "rooted (2), filter:office (1)", "rooted (1)", nil, nil,
            ])
        // Members are there for what failed only.
        #expect(expectations.map { $0.keys.contains("rejections") } == [true, true, true, false])
        #expect(expectations.map { $0.keys.contains("explain") } == [true, true, true, false])
    }

    @Test(arguments: ["junit", "tap", "github", "html"]) func otherFormsNameThem(_ form: String) throws {
        #expect(try Self.run(form).replacing("<wbr>", with: "").contains("rooted (2), filter:office (1)"))
    }

    @Test func namesThatComeOfSeveralScenariosHaveNoCommand() throws {
        let files = ["s.yaml": Self.scenario, "t.yaml": Sample.fails]
        let one = try ToolRun("run @s.yaml --redact", files: files).output
        let two = try ToolRun("run @s.yaml @t.yaml --redact", files: files).output
        #expect(one.contains("explain:  scenario explain") && !two.contains("explain:"))
        #expect(two.contains("rejected: rooted (1)"))
    }
}
