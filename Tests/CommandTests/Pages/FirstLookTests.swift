import Testing

@testable import scenario

/// Words of reports that are read once, and not twice: titles, cards and sentences that depend on the data.
@Suite struct FirstLookTests {
    private static func report(_ command: [String], _ files: [String: String] = Sample.files) throws -> String {
        let run = try ToolRun(command, files: files)
        #expect(run.status == .success, "\(run.error)")
        return run.output
    }

    @Test func aChangeThatChangesNothingIsCalledSo() throws {
        let same = ["diff", "@day.jsonl", "--account=new", "--policy=default,default,default"]
        let text = try Self.report(same)
        #expect(
            text.contains(
                "Policy\n  default,default,default, before and after\n  the change leaves the account as it is\n"))
        let page = try Self.report(same + ["--format=html"])
        #expect(page.contains("<h1>account: no change</h1>"))
        #expect(page.contains(#"<p class="muted">The change leaves the account as it is</p>"#))
        #expect(page.ranges(of: "leaves the account as it is").count == 1)
        let other = ["diff", "@day.jsonl", "--account=new", "--change=filter -add a -key ip -matchValue 1"]
        #expect(try !Self.report(other).contains("leaves the account as it is"))
        #expect(try Self.report(other + ["--format=html"]).contains("<h1>account: change of the account</h1>"))
    }

    // Tokens of these devices live for two minutes, so all of them are reached in the second minute after 10:00.
    @Test func oneMinuteIsNamedOnce() throws {
        let shop = """
            scenario: Rooted customers
            account: {account: shop, policy: "default,allow-root,default"}
            devices: {regulars: {count: 2, os: android, flags: [rooted]}, others: {count: 3, os: ios}}
            steps: [{at: 0s, fetch: all, every: 1m, until: 1h, expect: {pass: {at-least: 1}}}]

            """
        let text = try Self.report(
            ["diff", "@shop.yaml", "--policy=default,default,default", "--at=10m"], ["shop.yaml": shop])
        #expect(text.contains("  it reaches all devices that it affects in the minute of 2020-01-01T00:12:00Z\n"))
    }

    @Test func capturesAreNamedWithoutTheirFolders() throws {
        let files = ["old.jsonl": Sample.day, "new.jsonl": Sample.day]
        let page = try Self.report(["compare", "@old.jsonl", "@new.jsonl", "--account=new", "--format=html"], files)
        #expect(page.contains("<h1>account: old.jsonl → new.jsonl</h1><p>2 devices before, 2 after</p>"))
        #expect(page.contains("<span>devices are in both captures</span>"))
        #expect(page.contains(">Intervals (95 %) are those of independent random samples"))
    }

    @Test func theCardOfAReplaySaysWhatItsFiguresAreOf() throws {
        let page = try Self.report(["replay", "@day.jsonl", "--account=new", "--format=html"])
        let sentence =
            #"The figures are those of this capture; <code><span class="option">--confidence</span></code> "#
            + "adds what they say of all devices"
        #expect(page.contains(#"<p class="muted">\#(sentence)</p></section>"#))
    }
}
