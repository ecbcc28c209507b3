import Testing

@testable import TestSupport
@testable import scenario

/// Times that the manual has in local time are printed by the clock of `--timezone`, and by that of UTC without it.
@Suite struct LocalTimeTests {
    private static let account = """
        registrations:
          - {app-sig: S=, appid: a, app-version: "1", added: 2019-05-15T17:03:17Z, expires: 2019-06-01T13:49:36Z}
        user-roles:
          - {id: dev-1234, email: bob@a.com, expires: 2029-12-31T23:30:00Z}

        """

    struct Row: Sendable, CustomTestStringConvertible {
        let zone: String?
        let command: [String]
        let output: String
        var testDescription: String { "\(zone ?? "none") \(command.joined(separator: " "))" }
    }

    // Manual, Listing Registrations ("in local time"), Temporary Registrations, Listing User Roles.
    static let rows = [
        Row(
            zone: nil, command: ["registration", "-list"],
            output: "1 app registration:\n S=a-1   registered:2019-05-15 17:03:17 expiry:2019-06-01 13:49:36\n"),
        Row(
            zone: "BST", command: ["registration", "-list"],
            output: "1 app registration:\n S=a-1   registered:2019-05-15 18:03:17 expiry:2019-06-01 14:49:36\n"),
        Row(
            zone: "-05:30", command: ["registration", "-list"],
            output: "1 app registration:\n S=a-1   registered:2019-05-15 11:33:17 expiry:2019-06-01 08:19:36\n"),
        Row(
            zone: "+01:00", command: ["users", "-list"],
            output: "1 user role:\n  dev-1234 bob@a.com, bob, expires 2030-01-01 00:30:00\n"),
        Row(
            zone: "+01:00",
            command: [
                "registration", "-add", "b.ipa", "-signature", "T=", "-appID", "b", "-appVersion", "1", "-libraryID",
                "2", "-expireAfter", "1d",
            ],
            output: "registering app b.ipa\n T=b-1-2\nregistration successful, expires 2019-05-21 00:00:00\n"),
        Row(
            zone: "+01:00", command: ["users", "-revoke", "dev-1234"],
            output: "WARNING: you are revoking dev-1234 for bob@a.com, bob, expires 2030-01-01 00:30:00\n"
                + "If you wish to continue then please enter YES and return: YES\nuser access dev-1234 revoked\n"),
    ]

    @Test(arguments: rows) func approov(_ row: Row) throws {
        let options = ["--yes", "--at", "2019-05-19T23:00:00Z"] + (row.zone.map { ["--timezone=\($0)"] } ?? [])
        let run = try ToolRun(
            ["approov", "--account", "@account.yaml"] + options + row.command, files: ["account.yaml": Self.account])
        #expect((run.status, run.output, run.error) == (.success, row.output, ""))
    }

    private static let scenario = """
        scenario: s
        devices: {bob: {id: h4gubfCFzJu81j/U2BJsdg==}}
        steps:
          - {at: 0s, fetch: bob, expect: {verdict: pass}}
          - {at: 1s, approov: device -getFetches timed}
          - {at: 1s, approov: device -getInfo new-did}

        """

    // Manual, Analyzing New Devices ("local capture time"), Observing All Token Fetch Devices.
    @Test(arguments: [(nil, "00:00:00 UTC"), ("BST", "01:00:00 BST"), ("+01:00", "01:00:00 +01:00")])
    func run(row: (zone: String?, time: String)) throws {
        let folder = try TemporaryFolder(["s.yaml": Self.scenario])
        let options = ["--printed", "@out.txt"] + (row.zone.map { ["--timezone", $0] } ?? [])
        #expect(ToolRun(["run", "@s.yaml"] + options, in: folder).status == .success)
        let lines = folder["out.txt"]?.split(separator: "\n").map(String.init) ?? []
        #expect(lines.first == "h4gubfCFzJu81j/U2BJsdg== 2020-01-01 \(row.time)")
        #expect(lines.dropFirst().first == "--- h4gubfCFzJu81j/U2BJsdg== 2020-01-01 \(row.time) ---")
    }

    @Test(arguments: [["run", "@s.yaml"], ["approov", "--account", "@s.yaml"]])
    func unknownZone(command: [String]) throws {
        let rest = command[0] == "approov" ? ["registration", "-list"] : []
        let run = try ToolRun(command + ["--timezone", "MARS"] + rest, files: ["s.yaml": Self.scenario])
        #expect(run.status == .usage && run.output == "")
        #expect(run.error.contains("`--timezone` takes `±hh:mm` or a name such as `BST`, not `MARS`"))
    }
}
