import Foundation
import Testing

@testable import Accounts
@testable import TestSupport
@testable import scenario

/// `scenario approov`: what is asked, what is refused, what becomes of the file, and how it ends.
@Suite struct ApproovCommandTests {
    private static let account = """
        # Ours.
        account: prod
        policy: default,default,default   # for now
        filters:
          - {name: myip, key: ip, match: 1.2.3.4}
        registrations:
          - {app-sig: A=, appid: com.app, app-version: "1.0"}
          - {app-sig: B=, appid: com.app, app-version: "2.0", expiry: 2030-01-01T00:00:00Z}
        app-signing-certs: ["C0:F3:15:9B:A5:6C:A8:E1"]
        apis: [{domain: a.com}, {domain: b.com}]
        devicecheck: {team-id: T, key-id: K}
        safetynet: {api-key: S}

        """

    private static func run(
        _ line: String, options: [String] = [], input: [String] = [], showsInput: Bool = false,
        in folder: TemporaryFolder? = nil
    ) throws -> (run: ToolRun, folder: TemporaryFolder) {
        let folder = try folder ?? TemporaryFolder(["account.yaml": account])
        let words = try CommandWords.split(line)
        let arguments = ["approov", "--account", "@account.yaml"] + options + words
        return (ToolRun(arguments, in: folder, input: input, showsInput: showsInput), folder)
    }

    private static let question =
        "WARNING: updating the security policy will have an immediate impact on your apps in production. If you wish "
        + "to continue then please enter YES and return: "

    struct Answer: LabelledRow {
        let name: String
        var options: [String] = []
        var input: [String] = []
        var showsInput = false
        let output: String
        let isChanged: Bool
    }

    private static let done = "security policy was set successfully\n"

    static let answers = [
        Answer(name: "YES", input: ["YES"], output: "YES\n\(done)", isChanged: true),
        Answer(name: "YES on a terminal", input: ["YES"], showsInput: true, output: done, isChanged: true),
        Answer(name: "--yes", options: ["--yes"], output: "YES\n\(done)", isChanged: true),
        Answer(
            name: "--yes on a terminal", options: ["--yes"], showsInput: true, output: "YES\n\(done)", isChanged: true),
        Answer(name: "yes", input: ["yes", "YES"], output: "yes\n", isChanged: false),
        Answer(name: "a space", input: ["YES "], output: "YES \n", isChanged: false),
        Answer(name: "no", input: ["no"], showsInput: true, output: "", isChanged: false),
        Answer(name: "nothing", input: [""], output: "\n", isChanged: false),
        Answer(name: "end of input", output: "\n", isChanged: false),
        Answer(name: "end of input on a terminal", showsInput: true, output: "\n", isChanged: false),
    ]

    @Test(arguments: answers) func onlyConsentProceeds(_ row: Answer) throws {
        let (run, folder) = try Self.run(
            "policy -set default,allow-root,risk", options: row.options, input: row.input, showsInput: row.showsInput)
        #expect(run.status == (row.isChanged ? .success : .invalidInput))
        #expect(run.output == Self.question + row.output)
        #expect(run.error == (row.isChanged ? "" : "scenario: error: not confirmed, so nothing was changed\n"))
        let changed = Self.account.replacing("policy: default,default,default", with: "policy: default,allow-root,risk")
        #expect(folder["account.yaml"] == (row.isChanged ? changed : Self.account))
        #expect(folder.names == ["account.yaml"])
    }

    private static let certificate = "appsigncert -remove C0:F3:15:9B:A5:6C:A8:E1"

    /// Manual, User Roles, and where the commands are described.
    static let admin = [
        "policy -set default,strict,default", "policy -addRejectFlag automated", "policy -removeRejectFlag rooted",
        "policy -setARC off", "policy -setIPTracking none", "policy -setAudience on", "policy -setIssuer on",
        "device -clearDeviceState", "filter -setSamplingPercentage 1",
        "devicecheck -addAuthKey AuthKey_X.p8 -teamID T", "devicecheck -remove", "safetynet -set X",
        "safetynet -remove", certificate, "registration -remove 'A=com.app-1.0'",
        "registration -removeMatching com.app,30d", "api -remove a.com",
    ]

    static let dev = [
        "policy -get", "policy -getARC", "policy -setPinningTestURL https://a.com", "policy -removePinningTestURL",
        "device -list", "device -add h4gubfCFzJu81j/U2BJsdg== -policy default,whitelist,all",
        "device -getDeviceState h4gubfCFzJu81j/U2BJsdg==", "filter -list", "filter -remove myip",
        "filter -add x -key ip -matchValue 1 -ban", "filter -getSamplingPercentage", "devicecheck -get",
        "safetynet -get", "appsigncert -list", "appsigncert -add 00:11:22:33:44:55:66:77", "registration -list",
        "registration -add a.apk -signature S= -appID a -appVersion 1 -libraryID 1",
        "registration -remove 'B=com.app-2.0'", "api -list", "api -add c.com",
    ]

    @Test(arguments: admin) func needsAnAdminRole(line: String) throws {
        let options = ["--at", "2027-01-01T00:00:00Z", "--yes"]
        let (refused, folder) = try Self.run(line, options: options + ["--role", "dev"])
        #expect(refused.status == .invalidInput)
        #expect(refused.output == "")
        #expect(
            refused.error == "account.yaml: error: an admin role is required\n  hint: give `--role admin`\n")
        #expect(folder["account.yaml"] == Self.account)
        #expect(try Self.run(line, options: options).run.status == .success)
        #expect(try Self.run(line, options: options + ["--role=admin"]).run.status == .success)
    }

    @Test(arguments: dev) func needsNone(line: String) throws {
        let (run, _) = try Self.run(line, options: ["--yes", "--role", "dev"])
        #expect(run.status == .success, "\(run.error)")
    }

    static let questions = [
        "policy -get", "policy -getARC", "policy -getIPTracking", "policy -getAudience", "policy -getIssuer",
        "policy -getPinningTestURL", "device -list", "device -getDeviceState h4gubfCFzJu81j/U2BJsdg==",
        "device -getInfo new-did -clear", "device -getFetches timed", "filter -list", "filter -getSamplingPercentage",
        "devicecheck -get", "safetynet -get", "appsigncert -list", "registration -list", "api -list",
        // These change nothing that a file could say.
        "device -clearDeviceState", "policy -setARC on", "policy -set default,default,default",
        "policy -removePinningTestURL", "filter -setSamplingPercentage 0",
        "filter -add myip -key ip -matchValue 1.2.3.4",
    ]

    @Test(arguments: questions) func leavesTheFileAlone(line: String) throws {
        let folder = try TemporaryFolder(["account.yaml": Self.account])
        let path = folder.path + "/account.yaml"
        let past = Date(timeIntervalSince1970: 1_000_000_000)
        try FileManager.default.setAttributes([.modificationDate: past, .posixPermissions: 0o400], ofItemAtPath: path)
        let (run, _) = try Self.run(line, options: ["--yes"], in: folder)
        #expect(run.status == .success, "\(run.error)")
        #expect(folder["account.yaml"] == Self.account)
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.modificationDate] as? Date == past)
    }

    static let refusals: [ToolRow] = [
        .usage(
            "no account", "approov policy -get",
            "option `--account FILE` is missing; a command is carried out on an account file"),
        .usage("no command", "approov --account @account.yaml", "`COMMAND…` is missing; `--help` shows how it is used"),
        .invalid(
            "missing file", "approov --account @missing.yaml policy -get",
            "missing.yaml: error: no such file or directory"),
        .invalid(
            "bad file", "approov --account @bad.yaml policy -get",
            "bad.yaml:1:1: error: unknown key `polcy` in the account\n  polcy: x\n  ^\n  hint: did you mean `policy`?"),
        .usage(
            "unknown command", "approov --account @account.yaml polcy -get",
            "unknown command `polcy`; did you mean `policy`?"),
        .usage(
            "option of ours behind the command", "approov --account @account.yaml policy -set x --yes",
            "unknown option `--yes` of `-set`; `--yes` has to come before the command"),
        .usage(
            "role", "approov --role root policy -get",
            "option `--role` does not know `root`; it knows `dev`, `admin`, `delegate`, "
                + "`automation`"),
        .usage(
            "time", "approov --account @account.yaml --at soon policy -get",
            "`--at` takes an instant such as `2020-07-23T00:00:00Z`, or `now`, not `soon`"),
        .invalid(
            "a token without a time", "approov --account=@account.yaml token -genExample mydomain.com",
            "account.yaml: error: making a token needs the time\n"
                + "  hint: a scenario has a time; `scenario approov` takes it from `--at`, such as `--at now`"),
        .usage(
            "unknown option", "approov --accuont x policy -get",
            "unknown option `--accuont`; did you mean `--account`?"),
        .invalid(
            "what the service refuses", "approov --account @account.yaml filter -remove my-ip",
            "account.yaml: error: there is no filter `my-ip`\n  hint: did you mean `myip`?"),
        .invalid(
            "without a time", "approov --account=@account.yaml registration -removeMatching com.app,30d",
            "account.yaml: error: `-removeMatching` needs the time\n"
                + "  hint: a scenario has a time; `scenario approov` takes it from `--at`, such as `--at now`"),
        ToolRow(
            name: "a device without an entry",
            arguments: "approov --account=@account.yaml device -getInfo \(Sample.bob)", status: .invalidInput,
            error: "account.yaml: error: there is no entry for device `\(Sample.bob)`, so no information is collected\n"
                + "  hint: `device -add` makes one\n"),
    ]

    @Test(arguments: refusals) func isRefused(_ row: ToolRow) throws {
        let folder = try TemporaryFolder(["account.yaml": Self.account, "bad.yaml": "polcy: x\n"])
        let run = ToolRun(row.arguments.list, in: folder, input: ["YES"])
        row.expectNoOutput(of: run)
        #expect(folder["account.yaml"] == Self.account)
        #expect(folder.names == ["account.yaml", "bad.yaml"])
    }

    // The words behind the operands are the command's, whatever they begin with.
    @Test func valuesMayLookLikeOptionsOfOurs() throws {
        let (run, folder) = try Self.run("filter -add odd -key user-property -matchValue=--yes")
        #expect(run.status == .success)
        #expect(folder["account.yaml"]?.contains("  - {name: odd, key: user-property, match: \"--yes\"}\n") == true)
        let empty = try Self.run("filter -add none -key user-property -matchValue ''", in: folder).run
        #expect(empty.status == .success)
        #expect(folder["account.yaml"]?.contains("{name: none, key: user-property, match: \"\"}\n") == true)
    }

    @Test func isWarnedAboutOnStandardError() throws {
        let (run, _) = try Self.run("policy -set default,default,all", options: ["--yes"])
        #expect(run.status == .success)
        #expect(
            run.error
                == "account.yaml: warning: the annotation policy `all` on a whole account tells attackers why they "
                + "are rejected\n")
    }

    @Test func controlCharactersAreShown() throws {
        let (run, folder) = try Self.run("device -add h4gubfCFzJu81j/U2BJsdg== -label 'a\u{1B}[2J\nb'")
        #expect(run.status == .success)
        #expect(folder["account.yaml"]?.contains(#"label: "a\u001B[2J\nb", user: admin}"#) == true)
        let list = try Self.run("device -list", in: folder).run.output
        #expect(
            list == "1 device:\n h4gubfCFzJu81j/U2BJsdg== default,default,default  pin  admin  a\u{241B}[2J\u{240A}b\n")
    }

    // A file that cannot be written is what it was, and nothing else is left behind.
    @Test(.enabled(if: getuid() != 0, "no permission stops the one who runs this"))
    func aFolderThatMustNotBeWrittenIsLeftAlone() throws {
        let folder = try TemporaryFolder(["account.yaml": Self.account])
        try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: folder.path)
        defer { try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.path) }
        let (run, _) = try Self.run("filter -remove myip", in: folder)
        #expect(run.status == .invalidInput)
        #expect(run.output == "")
        #expect(run.error == "account.yaml: error: permission denied\n  hint: nothing was changed\n")
        #expect(folder["account.yaml"] == Self.account)
        #expect(folder.names == ["account.yaml"])
    }

    // The same for everyone: so deep a folder that beside the file there is no room for a longer name.
    @Test func aFolderThatCannotBeWrittenIsLeftAlone() throws {
        let folder = try TemporaryFolder()
        let room = 4095 - folder.path.utf8.count - "/account.yaml".utf8.count
        let last = room % 100 + 99
        let folders = Array(repeating: String(repeating: "d", count: 99), count: (room - last - 1) / 100)
        let name = (folders + [String(repeating: "e", count: last), "account.yaml"]).joined(separator: "/")
        try folder.write(Self.account, to: name)
        let run = ToolRun(["approov", "--account", "@\(name)", "filter", "-remove", "myip"], in: folder)
        #expect(run.status == .invalidInput)
        #expect(run.output == "")
        #expect(run.error.hasSuffix("account.yaml: error: file name too long\n  hint: nothing was changed\n"))
        #expect(folder[name] == Self.account)
    }

    // R16.
    @Test func theLimitsHold() throws {
        let filters = (1...25).map { "  - {name: f\($0), key: ip, match: x}\n" }.joined()
        let folder = try TemporaryFolder(["account.yaml": "filters:\n" + filters])
        let refused = try Self.run("filter -add f26 -key ip -matchValue x", in: folder).run
        #expect(refused.status == .invalidInput)
        #expect(
            refused.error == "account.yaml: error: filter `f26` is one too many; an account has at most 25\n"
                + "  hint: remove one, or use one regex for several values\n")
        #expect(folder["account.yaml"] == "filters:\n" + filters)
        #expect(try Self.run("filter -add f7 -key ip -matchValue y", in: folder).run.status == .success)
    }
}
