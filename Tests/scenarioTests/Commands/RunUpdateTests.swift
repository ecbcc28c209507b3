import Testing

@testable import TestSupport
@testable import scenario

/// `run --update`: stale expectations are rewritten, and nothing else is.
@Suite struct RunUpdateTests {
    // Rooted devices pass since the account allows them; all else is stale with it.
    private static let stale = """
        # A shop and its customers.
        scenario: A shop
        account: {account: shop, policy: "default,allow-root,risk"}   # since March
        devices:
          rooted: {count: 3, os: android, flags: [rooted]}
          clean: {os: ios}
        steps:
          - at: 0s
            fetch: all
            expect:
              - {group: rooted, verdict: fail, lifetime: 5m}   # who is rooted stays out
              - {pass: {at-least: 5}, fail: 3}
              - {flags: {rooted: 2, new-did: 4}}
              # The flag of the three.
              - group: rooted
                annotations:
                  - jailbroken
        expect: {metrics: {pass: 1, fail: 0}}

        """
    private static let current = [
        ("verdict: fail, lifetime: 5m", "verdict: pass, lifetime: 120s"),
        ("{pass: {at-least: 5}, fail: 3}", "{pass: 4, fail: 0}"), ("{rooted: 2,", "{rooted: 3,"),
        ("- jailbroken", "- risky-device"), ("{pass: 1, fail: 0}", "{pass: 4, fail: 0}"),
    ].reduce(stale) { $0.replacing($1.0, with: $1.1) }

    // Whatever the tests run on: the option is refused where CI is set.
    private static func update(_ folder: TemporaryFolder, isCI: Bool = false) throws -> (status: Int32, error: String) {
        try ToolProcess(
            ["run", "shop.yaml", "--update", "--no-progress"], in: folder,
            by: ["/usr/bin/env"] + (isCI ? ["CI=true"] : ["-u", "CI"])
        ).end()
    }

    private static func text(_ folder: TemporaryFolder) throws -> String {
        String(decoding: try #require(folder.bytes(of: "shop.yaml")), as: UTF8.self)
    }

    @Test func whatIsStaleIsRewrittenAndSaid() throws {
        let folder = try TemporaryFolder(["shop.yaml": Self.stale])
        let end = try Self.update(folder)
        #expect(end.status == 0, "\(end.error)")
        #expect(try Self.text(folder) == Self.current)
        // Nothing is loosened silently.
        for words in [
            "shop.yaml:11:25: updated: verdict of rooted, fail → pass",
            "shop.yaml:12:10: updated: pass of all, at least 5 → 4",
            "shop.yaml:16:9: updated: annotations of rooted, [jailbroken] → [risky-device]",
        ] { #expect(end.error.contains(words), "\(words) in \(end.error)") }
    }

    @Test func theSecondTimeChangesNothing() throws {
        let folder = try TemporaryFolder(["shop.yaml": Self.stale])
        _ = try Self.update(folder)
        let end = try Self.update(folder)
        #expect(end.status == 0)
        #expect(try Self.text(folder) == Self.current)
        #expect(!end.error.contains("updated"))
    }

    @Test func isRefusedWhereNobodyLooks() throws {
        let folder = try TemporaryFolder(["shop.yaml": Self.stale])
        let end = try Self.update(folder, isCI: true)
        #expect(end.status == 3)
        #expect(end.error.contains("`--update` is refused if the variable CI is set"))
        #expect(try Self.text(folder) == Self.stale)
    }

    /// Devices of one group differ, and an expectation that holds because nothing happened: no value would do.
    @Test func whatNoValueMeetsIsLeft() throws {
        let text = """
            scenario: A shop
            devices: {rooted: {os: android, flags: [rooted]}, clean: {os: ios}}
            steps:
              - {at: 0s, fetch: all, expect: {verdict: pass, pass: 2}}
              - {at: 1s, network: {group: all, state: none}}
              - {at: 1h, fetch: all, expect: {pass: 0}}

            """
        let folder = try TemporaryFolder(["shop.yaml": text])
        let end = try Self.update(folder)
        #expect(end.status == 1, "\(end.error)")
        #expect(try Self.text(folder) == text.replacing("pass: 2", with: "pass: 1"))
        #expect(end.error.contains("shop.yaml:4:35: not updated: verdict of all"))
        #expect(end.error.contains("shop.yaml:6:35: not updated: pass of all"))
    }
}

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
