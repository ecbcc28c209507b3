import Testing

@testable import scenario

/// `replay --change` with commands about registrations and services (R15.2).
@Suite struct RegistrationChangeTests {
    private static let account = """
        registrations:
          - {app-sig: S=, appid: com.demo, app-version: 1.0(1)}
          - {app-sig: S=, appid: com.demo, app-version: 1.0(2)}
          - {app-sig: T=, appid: com.demo}

        """

    private static func record(_ hour: Int, _ attributes: String) -> String {
        #"{"time":"2020-07-23T1\#(hour):00:00Z","device-id":"\#(Sample.bob)","flags":"",\#(attributes)}"# + "\n"
    }

    private static let capture =
        record(0, #""app-sig":"S=","appid":"com.demo","app-version":"1.0(1)""#)
        + record(1, #""app-sig":"S=","appid":"com.demo","app-version":"1.0(2)""#)
        + record(2, #""app-sig":"T=","appid":"com.demo","app-version":"1.0(1)""#)
        + record(3, #""app-sig":"U=","appid":"com.demo","app-version":"1.0(1)""#)

    struct Row: Sendable, CustomTestStringConvertible {
        let changes: [String]
        let failed: Int
        var testDescription: String { changes.isEmpty ? "no change" : changes.joined(separator: "; ") }
    }

    static let rows = [
        Row(changes: [], failed: 0),
        Row(changes: ["registration -remove S=com.demo-1.0[1]"], failed: 1),
        Row(changes: ["registration -remove 'S=com.demo-1.0[2]'"], failed: 1),
        Row(changes: ["registration -remove T=com.demo-*"], failed: 1),
        Row(changes: ["registration -remove T=com.demo-*", "registration -remove S=com.demo-1.0[1]"], failed: 2),
        Row(changes: ["registration -remove T=com.demo-*", "policy -removeRejectFlag app-not-registered"], failed: 0),
    ]

    @Test("R15.2 only matching records fail", arguments: rows) func replays(_ row: Row) throws {
        let changes = row.changes.flatMap { ["--change", $0] }
        let run = try ToolRun(
            ["replay", "--format=json", "--account=@account.yaml", "@day.jsonl"] + changes,
            files: ["account.yaml": Self.account, "day.jsonl": Self.capture])
        #expect(run.status == .success)
        #expect(run.error == "")
        let report = try JSONText(run.output)
        #expect(report.integer("metrics", "fail") == row.failed)
        #expect(report.integer("metrics", "pass") == 4 - row.failed)
    }

    private static let time =
        "`-removeMatching` needs to know the time\n  hint: a scenario knows it; `scenario approov` takes it from `--at`, such as `--at now`"

    static let refused = [
        ToolRow(
            name: "a registration that is not there",
            arguments: [
                "replay", "--account=@account.yaml", "@day.jsonl", "--change", "registration -remove S=com.demo-1.0[3]",
            ],
            status: .invalidInput,
            error: "--change: error: there is no registration `S=com.demo-1.0[3]`\n"
                + "  hint: did you mean `S=com.demo-1.0[1]`?\n"),
        ToolRow(
            name: "a registration that was removed before",
            arguments: [
                "replay", "--account=@account.yaml", "@day.jsonl", "--change", "registration -remove T=com.demo-*",
                "--change", "registration -remove T=com.demo-*",
            ], status: .invalidInput, error: "--change: error: there is no registration `T=com.demo-*`\n"),
        ToolRow(
            name: "an age, where nobody knows the time",
            arguments: [
                "replay", "--account=@account.yaml", "@day.jsonl", "--change",
                "registration -removeMatching com.demo,30d",
            ],
            status: .invalidInput, error: "--change: error: \(time)\n"),
        ToolRow(
            name: "a new account",
            arguments: ["replay", "@day.jsonl", "--change", "registration -remove S=com.demo-1.0[1]"],
            status: .invalidInput, error: "--change: error: there is no registration `S=com.demo-1.0[1]`\n"),
        ToolRow(
            name: "a certificate's file that is not there",
            arguments: ["replay", "@day.jsonl", "--change", "appsigncert -add nowhere.der"],
            status: .invalidInput,
            error: "--change: error: certificate `nowhere.der`: no such file or directory\n"
                + "  hint: a fingerprint will do as well\n"),
        ToolRow(
            name: "keys that are not there",
            arguments: ["replay", "@day.jsonl", "--change", "devicecheck -remove", "--change", "safetynet -remove"],
            status: .invalidInput,
            error: "--change: error: there is no DeviceCheck key\n--change: error: there is no SafetyNet API key\n"),
    ]

    @Test("R15 refuses what the account would refuse", arguments: refused) func refuses(_ row: ToolRow) throws {
        try row.expectNoOutput(files: ["account.yaml": Self.account, "day.jsonl": Self.capture])
    }
}
