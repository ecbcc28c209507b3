import Testing

@testable import TestSupport
@testable import scenario

/// `run --printed FILE`, and what `replay FILE` makes of it (formats: Captures).
@Suite struct PrintedTests {
    private static func scenario(_ queries: [String]) -> String {
        """
        scenario: Printed
        start: 2020-07-23T10:00:00Z
        account: account.yaml
        devices:
          stock: {count: 40, os: android, flag-rates: {rooted: 40%, frida: 20%}, attributes: {device: Android 9, ip: 10.0.0.0/8}}
          phones: {count: 20, os: ios, flags: [automated], attributes: {device: "iOS, 13.5", probe-result: "a: b\\n  c"}}
        steps:
          - {at: 0s, fetch: stock}
          - {at: 1m, fetch: phones}
        \(queries.map { "  - {at: 2m, approov: \($0)}" }.joined(separator: "\n"))
        expect: {metrics: {pass: {at-least: 1}, fail: {at-least: 1}}}

        """
    }

    private static let account = """
        policy: default,default,risk
        filters:
          - {name: even, key: ip, regex: "[02468]$", reject: true}
          - {name: captures, key: device, regex: "^Android", capture-device-info: true}

        """

    private static func folder(_ queries: String...) throws -> TemporaryFolder {
        try TemporaryFolder(["s.yaml": scenario(queries), "account.yaml": account])
    }

    @Test("formats: new devices get the same verdicts") func newDevices() throws {
        let folder = try Self.folder("device -getInfo new-did")
        let run = ToolRun("run @s.yaml --printed @printed.txt --decisions @before", in: folder).ending(.success)
        #expect(run.error == "")
        let replay = ToolRun("replay @printed.txt --account @account.yaml --format=json --decisions @after", in: folder)
        #expect(replay.status == .success)
        #expect(replay.error == "")
        let report = try JSONText(replay.output)
        #expect(report.integer("reproduced", "compared") == 60)
        #expect(report.integer("reproduced", "agreed") == 60)
        // Not the verdicts alone: every decision, letter by letter, its response code too.
        #expect(folder["before"] == folder["after"])
        #expect(folder["before"]?.split(separator: "\n").count == 60)
    }

    @Test("formats: filtered devices are a capture without verdicts") func filteredDevices() throws {
        let folder = try Self.folder("device -getInfo filtered")
        _ = ToolRun("run @s.yaml --printed @printed.txt", in: folder)
        let replay = ToolRun("replay @printed.txt --account @account.yaml --format=json", in: folder).ending(.success)
        let report = try JSONText(replay.output)
        #expect(report.integer("summary", "attestations") == 40)
        #expect(report.integer("metrics", "filter-captures") == 40)
        #expect(report.integer("reproduced", "compared") == nil)
    }

    @Test("formats: fetches are a capture of fetches", arguments: ["timed", "untimed"]) func fetches(form: String)
        throws
    {
        let folder = try Self.folder("device -getFetches \(form)")
        _ = ToolRun("run @s.yaml --printed @printed.txt", in: folder)
        let report = try JSONText(ToolRun("replay @printed.txt --format=json", in: folder).output)
        #expect(report.integer("fetches", "total") == 60)
        #expect(report.integer("fetches", "devices") == 60)
    }

    @Test("run --printed: everything in the order of the steps, and nothing else") func order() throws {
        let folder = try TemporaryFolder([
            "a.yaml": """
            scenario: A
            account: {registrations: [{app-sig: S=, appid: a}], devices: [{id: \(Sample.bob), ban-mode: ban}]}
            devices: {bob: {id: \(Sample.bob)}, amy: {id: \(Sample.amy)}}
            steps:
              - {at: 0s, approov: registration -list}
              - {at: 0s, approov: policy -setARC off}
              - {at: 0s, approov: device -getDeviceState \(Sample.bob)}
              - {at: 1s, fetch: all}
              - {at: 2s, approov: device -getDeviceState \(Sample.bob)}
              - {at: 2s, approov: device -getFetches timed}
            expect: {metrics: {fail: 2}}

            """,
            "b.yaml": """
            scenario: B
            steps: [{at: 0s, approov: registration -list}]
            expect: {metrics: {pass: 0}, vacuous: allowed}

            """,
        ])
        let run = ToolRun("run @a.yaml @b.yaml --printed=@printed.txt", in: folder).ending(.success)
        #expect(!run.output.contains("device state has not been set"))
        #expect(
            folder["printed.txt"] == """
                1 app registration:
                 S=a-*
                device state has not been set
                did-ban
                \(Sample.bob) 2020-01-01 00:00:01 UTC
                \(Sample.amy) 2020-01-01 00:00:01 UTC
                0 app registrations:

                """)
    }

    @Test("run --verbose: the output is under its step") func verbose() throws {
        let text = """
            scenario: V
            devices: {bob: {id: \(Sample.bob)}}
            steps: [{at: 0s, fetch: bob}, {at: 1s, approov: device -getFetches untimed}]
            expect: {metrics: {pass: 1}}

            """
        let lines = try ToolRun("run @s.yaml --verbose", files: ["s.yaml": text]).output.split(separator: "\n")
        let index = try #require(lines.firstIndex { $0.hasSuffix("approov device -getFetches untimed") })
        #expect(lines[index + 1].trimmingPrefix { $0 == " " } == Sample.bob)
    }

    @Test("run --printed: nothing is left behind where a scenario is invalid", arguments: ["--printed", "--decisions"])
    func nothingLeft(option: String) throws {
        let text = """
            scenario: I
            account: {devices: [{id: \(Sample.bob)}]}
            devices: {bob: {id: \(Sample.bob)}}
            steps:
              - {at: 0s, approov: registration -list}
              - {at: 0s, approov: device -getInfo \(Sample.bob)}
              - {at: 1s, fetch: bob}
            expect: {metrics: {pass: 1}}

            """
        let folder = try TemporaryFolder(["s.yaml": text])
        let run = ToolRun(["run", "@s.yaml", option, "@out"], in: folder).ending(.invalidInput)
        #expect(run.error.hasPrefix("s.yaml:6:5: error: there is no information on device `\(Sample.bob)`\n"))
        #expect(folder.names == ["s.yaml"])
    }

    @Test("run --printed: a file that cannot be written") func unwritable() throws {
        let run = try ToolRun("run @good.yaml --printed @no/printed", files: Sample.files).ending(.invalidInput)
        #expect(run.error == "no/printed: error: no such file or directory\n")
        #expect(run.output == "")
    }

    @Test("run --printed: no command, an empty file") func empty() throws {
        let folder = try TemporaryFolder(Sample.files)
        #expect(ToolRun("run @good.yaml --printed @printed", in: folder).status == .success)
        #expect(folder["printed"] == "")
    }
}
