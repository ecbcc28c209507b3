import Foundation
import Testing

@testable import TestSupport
@testable import scenario

/// `scenario run --affected-by`: the scenarios that a change of an account can affect.
@Suite struct RunAffectedTests {
    private static func scenario(_ name: String, account: String, ip: String) -> String {
        """
        scenario: \(name)
        account: \(account)
        devices: {phone: {os: android, attributes: {ip: \(ip)}}}
        steps: [{at: 0s, fetch: phone, expect: {verdict: pass}}]

        """
    }

    private static let account = "account: shop\npolicy: default,default,default\n"

    /// A repository with the tag `first`, and three scenarios, of which two use the account.
    private static func repository() throws -> TemporaryFolder {
        let folder = try TemporaryFolder([
            "accounts/shop.yaml": account, "accounts/other.yaml": account,
            "all/near.yaml": scenario("Near", account: "../accounts/shop.yaml", ip: "10.0.0.1"),
            "all/far.yaml": scenario("Far", account: "../accounts/shop.yaml", ip: "192.0.2.1"),
            "all/other.yaml": scenario("Other", account: "../accounts/other.yaml", ip: "10.0.0.1"),
        ])
        try folder.git("init", "--quiet")
        try folder.commit("first")
        return folder
    }

    private static func run(_ folder: TemporaryFolder, _ arguments: String...) -> ToolRun {
        ToolRun(
            ["run", "@all", "--allow-outside", "--no-progress", "--affected-by=@accounts/shop.yaml", "--base=first"]
                + arguments, in: folder)
    }

    // The names of the scenarios that ran, and of those that were left out, with their reasons.
    private static func selection(_ run: ToolRun) throws -> (ran: [String], leftOut: [String: String]) {
        let report = try JSONText(run.output)
        let ran = (report["scenarios"] as? [[String: Any]] ?? []).compactMap { $0["name"] as? String }
        let leftOut = (report["left-out"] as? [[String: String]] ?? []).map { ($0["name"] ?? "", $0["reason"] ?? "") }
        return (ran, Dictionary(leftOut) { first, _ in first })
    }

    private static let filter = "filters: [{name: home, key: ip, match: 10.0.0.1, reject: true}]\n"

    @Test func onlyWhatTheChangeReachesIsRun() throws {
        let folder = try Self.repository()
        try folder.write(Self.account + Self.filter, to: "accounts/shop.yaml")
        let run = Self.run(folder, "--format=json")
        #expect(run.status == .expectationFailed && run.error == "")
        let (ran, leftOut) = try Self.selection(run)
        #expect(ran == ["Near"])
        #expect(leftOut == ["Far": "filter `home` can match no device", "Other": "it does not use the account"])
    }

    /// Files that change after the tag, by path (without text they go), and the scenarios that then run.
    static let rows: [Case<[String: String?], [String]>] = [
        Case("a comment in the account", ["accounts/shop.yaml": account + "# as agreed\n"], gives: []),
        Case(
            "the policy", ["accounts/shop.yaml": "account: shop\npolicy: default,strict,default\n"],
            gives: ["Far", "Near"]),
        Case(
            "a scenario itself",
            ["all/far.yaml": scenario("Far", account: "../accounts/shop.yaml", ip: "192.0.2.2")], gives: ["Far"]),
        Case(
            "a new scenario",
            ["all/new.yaml": scenario("New", account: "../accounts/shop.yaml", ip: "198.51.100.9")],
            gives: ["New"]),
        Case("another account", ["accounts/other.yaml": account + "grace: 5s\n"], gives: ["Other"]),
        Case(
            "keys that no commit has",
            ["accounts/shop.yaml": account + "keys: shop.keys\n", "accounts/shop.keys": "\n"],
            gives: ["Far", "Near"]),
    ]

    @Test(arguments: rows) func whatCannotBeToldIsRun(_ row: Case<[String: String?], [String]>) throws {
        let folder = try Self.repository()
        for (name, text) in row.input { if let text { try folder.write(text, to: name) } }
        unsafe chmod(folder.path("accounts/shop.keys"), 0o600)
        let (ran, _) = try Self.selection(Self.run(folder, "--format=json", "--allow-empty"))
        #expect(ran == row.expected)
    }

    @Test func anAccountThatCouldNotBeReadRunsAll() throws {
        let folder = try Self.repository()
        try folder.write("polcy: [\n", to: "accounts/shop.yaml")
        try folder.commit("broken")
        try folder.write(Self.account, to: "accounts/shop.yaml")
        let run = ToolRun(
            "run @all --allow-outside --affected-by=@accounts/shop.yaml --base=broken --format=json", in: folder)
        #expect(run.status == .success)
        #expect(try Self.selection(run).ran == ["Far", "Near"])
    }

    @Test func nothingAffectedRunsNothing() throws {
        let folder = try Self.repository()
        let run = Self.run(folder).ending(.nothingRan)
        #expect(run.error == "scenario: error: no scenario is affected; `--allow-empty` is for those who mean it\n")
        #expect(Self.run(folder, "--allow-empty").status == .success)
        #expect(
            Self.run(folder, "--allow-empty").output == """
                Left out
                  skip  Far    the account decides as before
                  skip  Near   the account decides as before
                  skip  Other  it does not use the account

                  3 of 3 scenarios are not affected

                """)
    }

    static let forms = [
        ("junit", #"<testcase name="scenario" classname="Other" file="all/other.yaml">"#),
        ("junit", #"<skipped message="it does not use the account"/>"#),
        ("tap", "ok 3 - Other # SKIP it does not use the account"),
        ("github", "::notice file=all/other.yaml,title=Other::left out: it does not use the account"),
        ("text", "  skip  Other  it does not use the account"),
    ]

    @Test(arguments: forms) func everyFormSaysWhatIsLeftOut(_ form: String, _ line: String) throws {
        let folder = try Self.repository()
        try folder.write("account: shop\npolicy: default,strict,default\n", to: "accounts/shop.yaml")
        let run = Self.run(folder, "--format=\(form)").ending(.success)
        #expect(run.output.contains(line), "\(run.output)")
    }

    static let refused: [ToolRow] = [
        .usage(
            "without base", "--affected-by=@account.yaml",
            "`--affected-by` needs `--base`\n  hint: such as `--base origin/main`"),
        .usage("base alone", "--base=HEAD", "`--base` needs `--affected-by`"),
    ]

    @Test(arguments: refused) func oneNeedsTheOther(_ row: ToolRow) throws {
        let run = try ToolRun(["run", "@good.yaml"] + row.arguments.list, files: Sample.files)
        #expect(run.status == row.status)
        #expect(run.error.hasPrefix(row.error.split(separator: "\n").first.map(String.init) ?? ""))
        #expect(run.output == "")
    }

    @Test func anUnknownCommitIsAnError() throws {
        let folder = try Self.repository()
        let run = ToolRun("run @all --affected-by=@accounts/shop.yaml --base=third --allow-outside", in: folder)
        #expect(run.status == .invalidInput)
        #expect(run.error.contains("git knows no commit `third`"))
    }
}

/// `scenario run --failed`: what failed last.
@Suite struct RunFailedTests {
    private static func run(_ folder: TemporaryFolder, _ arguments: String..., environment: [String: String]? = nil)
        -> ToolRun
    {
        ToolRun(
            ["run", "--no-progress"] + arguments, in: folder,
            environment: environment ?? ["XDG_STATE_HOME": folder.path("state")])
    }

    private static func names(_ run: ToolRun) throws -> [String] {
        (try JSONText(run.output)["scenarios"] as? [[String: Any]] ?? []).compactMap { $0["name"] as? String }
    }

    @Test func whatFailedIsRunAgainUntilItPasses() throws {
        let folder = try TemporaryFolder(["good.yaml": Sample.good, "fails.yaml": Sample.fails])
        #expect(Self.run(folder, "@good.yaml", "@fails.yaml").status == .expectationFailed)
        let again = Self.run(folder, "--failed", "--format=json").ending(.expectationFailed)
        #expect(try Self.names(again) == ["Fails"])
        // Another scenario that passes changes nothing about it.
        #expect(Self.run(folder, "@good.yaml").status == .success)
        #expect(try Self.names(Self.run(folder, "--failed", "@good.yaml", "@fails.yaml", "--format=json")) == ["Fails"])
        try folder.write(Sample.good, to: "fails.yaml")
        #expect(Self.run(folder, "--failed").status == .success)
        #expect(Self.run(folder, "--failed").status == .nothingRan)
    }

    @Test func nothingRememberedRunsNothing() throws {
        let folder = try TemporaryFolder(["good.yaml": Sample.good])
        let run = Self.run(folder, "--failed")
        #expect(run.status == .nothingRan && run.output == "")
        #expect(run.error == "scenario: error: no scenario failed last; `--allow-empty` is for those who mean it\n")
        #expect(Self.run(folder, "--failed", "--allow-empty").status == .success)
        #expect(Self.run(folder, "@good.yaml").status == .success)
        #expect(folder["state/scenario"] == nil && !folder.names.contains("state"))
    }

    @Test func aFileThatIsGoneIsNotRun() throws {
        let folder = try TemporaryFolder(["fails.yaml": Sample.fails])
        _ = Self.run(folder, "@fails.yaml")
        try folder.remove("fails.yaml")
        #expect(Self.run(folder, "--failed").status == .nothingRan)
    }

    /// If nothing can be remembered, a run is what it was.
    @Test(arguments: [[:], ["HOME": "relative"], ["XDG_STATE_HOME": "/dev/null", "HOME": "/"]])
    func whatCannotBeRememberedIsNot(_ environment: [String: String]) throws {
        let folder = try TemporaryFolder(["fails.yaml": Sample.fails])
        let run = Self.run(folder, "@fails.yaml", environment: environment)
        #expect(run.status == .expectationFailed && run.error == "")
    }
}

/// `scenario run --watch`, as a process of its own.
@Suite struct RunWatchTests {
    private static let scenario = """
        scenario: Watched
        account: account.yaml
        devices: {phone: {os: android, flags: [rooted]}}
        steps: [{at: 0s, fetch: phone, expect: {verdict: pass}}]

        """

    // Reads until a report is whole.
    private static func report(of process: ToolProcess) -> String {
        var text = ""
        while !text.contains(#/ scenarios? passed/#) {
            let part = process.read()
            if part.isEmpty { break }
            text += part
        }
        return text
    }

    private static func start(_ folder: TemporaryFolder, isCI: Bool = false) throws -> ToolProcess {
        try ToolProcess(
            ["run", "one.yaml", "--watch", "--no-progress"], in: folder,
            by: ["/usr/bin/env"] + (isCI ? ["CI=true"] : ["-u", "CI"]))
    }

    @Test(.timeLimit(.minutes(5))) func aChangedFileIsRunAgain() throws {
        let folder = try TemporaryFolder([
            "one.yaml": Self.scenario, "account.yaml": "policy: default,allow-root,default\n",
        ])
        let process = try Self.start(folder)
        #expect(Self.report(of: process).contains("1 of 1 scenario passed"))
        // The account is named by the scenario alone.
        try folder.write("policy: default,default,default\n", to: "account.yaml")
        #expect(Self.report(of: process).contains("0 of 1 scenario passed"))
        // A scenario with a mistake does not end the watch.
        try folder.write("scenario: [\n", to: "one.yaml")
        Self.wait(for: { folder.errors.contains("one.yaml:") })
        try folder.write(Self.scenario.replacing("verdict: pass", with: "verdict: fail"), to: "one.yaml")
        #expect(Self.report(of: process).contains("1 of 1 scenario passed"))
        try folder.write(Self.scenario, to: "one.yaml")
        #expect(Self.report(of: process).contains("0 of 1 scenario passed"))
        Self.wait(for: { folder.errors.components(separatedBy: "Ctrl-C ends").count > 5 })
        process.send(SIGINT)
        let end = process.end()
        #expect(end.status == 1)
        #expect(end.error.contains("scenario: watching 2 files; Ctrl-C ends\n"))
    }

    @Test(.timeLimit(.minutes(5))) func theEndIsThatOfTheLastRun() throws {
        let folder = try TemporaryFolder([
            "one.yaml": Self.scenario, "account.yaml": "policy: default,allow-root,default\n",
        ])
        let process = try Self.start(folder)
        _ = Self.report(of: process)
        Self.wait(for: { folder.errors.contains("Ctrl-C ends") })
        process.send(SIGTERM)
        #expect(process.end().status == 0)
    }

    private static func wait(for condition: () -> Bool) {
        for _ in 0..<1000 where !condition() { usleep(10_000) }
    }

    @Test func isRefusedWhereNobodyEndsIt() throws {
        let folder = try TemporaryFolder(["one.yaml": Sample.good])
        let end = try Self.start(folder, isCI: true).end()
        #expect(end.status == 3)
        #expect(end.error.contains("`--watch` is refused if the variable CI is set"))
    }

    @Test func isRefusedWithUpdate() throws {
        let run = try ToolRun("run @good.yaml --watch --update", files: Sample.files).ending(.usage)
        #expect(run.error.contains("`--watch` cannot be combined with `--update`"))
    }
}

extension TemporaryFolder {
    /// The standard error of a running process so far.
    fileprivate var errors: String { names.filter { $0.hasPrefix(".stderr-") }.compactMap { self[$0] }.joined() }
}
