import Foundation
import Testing

@testable import Accounts
@testable import TestSupport
@testable import scenario

/// `scenario approov` on a terminal, and on files that must not change; `Tests/Transcripts/approov` shows the rest.
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

    static let answers: [Case<[String], String>] = [
        Case("YES", ["YES"], gives: done), Case("no", ["no"], gives: ""), Case("end of input", [], gives: "\n"),
    ]

    private static let done = "security policy was set successfully\n"

    @Test("what a terminal shows by itself is not shown again", arguments: answers)
    func onlyConsentProceeds(_ row: Case<[String], String>) throws {
        let line = "policy -set default,allow-root,risk"
        let (run, folder) = try Self.run(line, input: row.input, showsInput: true)
        let isChanged = row.expected == Self.done
        expect(run.status, equals: (isChanged ? .success : .invalidInput))
        expect(run.output, equals: Self.question + row.expected)
        #expect((folder["account.yaml"] == Self.account) != isChanged)
        let consented = try Self.run(line, options: ["--yes"], showsInput: true).run
        expect(consented.output, equals: "\(Self.question)YES\n\(Self.done)")
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
        expect(run.status, equals: .success, "\(run.error)")
        expect(folder["account.yaml"], equals: Self.account)
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        expect(attributes[.modificationDate] as? Date, equals: past)
    }

    @Test func controlCharactersAreShown() throws {
        let (run, folder) = try Self.run("device -add h4gubfCFzJu81j/U2BJsdg== -label 'a\u{1B}[2J\nb'")
        expect(run.status, equals: .success)
        expect(folder["account.yaml"]?.contains(#"label: "a\u001B[2J\nb", user: admin}"#), equals: true)
        let list = try Self.run("device -list", in: folder).run.output
        expect(
            list,
            equals: "1 device:\n h4gubfCFzJu81j/U2BJsdg== default,default,default  pin  admin  a\u{241B}[2J\u{240A}b\n")
    }

    // A file that cannot be written is what it was, and nothing else is left behind.
    @Test(.enabled(if: getuid() != 0, "no permission stops the one who runs this"))
    func aFolderThatMustNotBeWrittenIsLeftAlone() throws {
        let folder = try TemporaryFolder(["account.yaml": Self.account])
        try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: folder.path)
        defer { try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.path) }
        let (run, _) = try Self.run("filter -remove myip", in: folder)
        expect(run.status, equals: .invalidInput)
        expect(run.output, equals: "")
        expect(run.error, equals: "account.yaml: error: permission denied\n  hint: nothing was changed\n")
        expect(folder["account.yaml"], equals: Self.account)
        expect(folder.names, equals: ["account.yaml"])
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
        expect(run.status, equals: .invalidInput)
        expect(run.output, equals: "")
        #expect(run.error.hasSuffix("account.yaml: error: file name too long\n  hint: nothing was changed\n"))
        expect(folder[name], equals: Self.account)
    }
}
