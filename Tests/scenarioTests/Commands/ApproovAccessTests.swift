import Foundation
import Testing

@testable import Accounts
@testable import TestSupport
@testable import scenario

/// `scenario approov` with management tokens: who gets in, until when, and what is seen of a token (R24).
@Suite struct ApproovAccessTests {
    private static let keys = """
        account-secret: dEitzKUYJLQABwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyAhIiMkJSYnKCkqKywtLi8wMTIzNDU2Nzg5Ojs8PQ==
        """

    private static let account = """
        account: myaccount # ours
        keys: prod.keys
        user-roles:
          - {id: admin-5794, email: me@mydomain.com, name: A N Other, expires: 2029-05-08T15:01:05Z}
          - {id: dev-1234, email: bob@mydomain.com, expires: 2029-05-08T15:01:05Z, password-protected: true}
          - {id: automation-0001, email: me@mydomain.com, name: CI Machine, expires: 2029-05-08T15:01:05Z}

        """

    private static func folder(_ files: [String: String] = [:]) throws -> TemporaryFolder {
        let folder = try TemporaryFolder(["account.yaml": account, "prod.keys": keys].merging(files) { $1 })
        // As commands write it; else there is a warning.
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: folder.path("prod.keys"))
        return folder
    }

    private static func run(
        _ line: String, at time: String = "2020-01-01T00:00:00Z", options: [String] = [], in folder: TemporaryFolder
    ) throws -> ToolRun {
        let words = try CommandWords.split(line)
        return ToolRun(
            ["approov", "--account", "@account.yaml", "--at", time] + options + words, in: folder, input: ["YES"])
    }

    /// The token of a user role.
    private static func token(of id: String, in folder: TemporaryFolder) throws -> [String] {
        let run = try run("users -getManagementToken \(id)", in: folder)
        #expect(run.output == "management token written to \(id).tok\n" && run.error == "")
        return ["--token", "@\(id).tok"]
    }

    @Test("R24.2 a token file is for its owner alone") func mode() throws {
        let folder = try Self.folder()
        _ = try Self.token(of: "dev-1234", in: folder)
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.path("dev-1234.tok"))
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        #expect(folder["dev-1234.tok"]?.hasPrefix("eyJ") == true)
    }

    // Manual, Creating an Automation Management Token; the digits are drawn.
    @Test("R24.2 an automation role is added with its token, and without mail") func automation() throws {
        let folder = try Self.folder()
        let run = try Self.run(
            "users -add me@mydomain.com -userName \"CI Machine\" -automation", options: ["--outbox", "@out"], in: folder
        )
        let id = try #require(run.output.firstMatch(of: /automation-[0-9]{4}/)).output
        #expect(
            run.output == """
                WARNING: you are adding automation role access to account myaccount for me@mydomain.com (CI Machine)
                If you wish to continue then please enter YES and return: YES
                automation management token written to \(id).tok
                set this in an APPROOV_MANAGEMENT_TOKEN environment variable on the machine that requires it

                """)
        #expect(folder["out"] == "")
        let registered = try Self.run(
            "registration -add a -signature S= -appID a.b -appVersion 1 -libraryID 2",
            options: ["--token", "@\(id).tok"], in: folder)
        #expect(registered.status == .success, "\(registered.error)")
        #expect(folder["account.yaml"]?.contains("added-by: CI Machine") == true)
        #expect(folder["account.yaml"]?.hasPrefix("account: myaccount # ours\n") == true)
    }

    @Test("R24.2 the mail that would be sent is listed") func outbox() throws {
        let folder = try Self.folder()
        _ = try Self.run("users -add bob@a.com -expireAfter 7d", options: ["--outbox", "@out"], in: folder)
        let id = try #require(folder["account.yaml"]?.matches(of: /dev-[0-9]{4}/).last).output
        #expect(
            folder["out"] == """
                From scenario@localhost Wed Jan  1 00:00:00 2020
                From: scenario <scenario@localhost>
                To: bob@a.com
                Subject: Onboarding to account myaccount
                Date: Wed, 01 Jan 2020 00:00:00 +0000
                MIME-Version: 1.0
                Content-Type: text/plain; charset=utf-8
                Content-Transfer-Encoding: 8bit

                You have been given access to account myaccount.

                role: dev
                ID: \(id)
                name: bob
                expiry: 2020-01-08 00:00:00

                You will be asked to set a password for it.


                """)
    }

    // Manual, Revoking User Access.
    @Test("R24.2 a revoked role is refused from 30 s after, in the manual's words") func revocation() throws {
        let folder = try Self.folder()
        let token = try Self.token(of: "dev-1234", in: folder)
        let revoked = try Self.run("users -revoke dev-1234", at: "2020-01-01T00:00:10Z", in: folder)
        #expect(revoked.output.hasSuffix("YES\nuser access dev-1234 revoked\n"))
        #expect(folder["account.yaml"]?.contains("revoked: \"2020-01-01T00:00:10Z\"") == true)
        let last = try Self.run("registration -list", at: "2020-01-01T00:00:39Z", options: token, in: folder)
        #expect((last.status, last.output) == (.success, "0 app registrations:\n"))
        let run = try Self.run("registration -list", at: "2020-01-01T00:00:40Z", options: token, in: folder)
        #expect(run.status == .invalidInput)
        #expect(run.output == "your access is revoked or expired - contact your Approov administrator\n")
        #expect(run.error == "account.yaml: error: Forbidden, while getting management token status\n")
        #expect(try !Self.run("users -list", in: folder).output.contains("dev-1234"))
    }

    @Test("R24.1 a token gives the rights of its role") func rights() throws {
        let folder = try Self.folder()
        let dev = try Self.token(of: "dev-1234", in: folder)
        let machine = try Self.token(of: "automation-0001", in: folder)
        let refused = try Self.run("policy -setARC off", options: dev, in: folder).ending(.invalidInput)
        #expect(refused.error == "account.yaml: error: an admin role is required\n  hint: give `--role admin`\n")
        let other = try Self.run("device -list", options: machine, in: folder)
        #expect(other.error == "account.yaml: error: a dev role is required\n  hint: give `--role dev`\n")
        try Self.run("device -add h4gubfCFzJu81j/U2BJsdg==", options: dev, in: folder).ending(.success)
        #expect(folder["account.yaml"]?.contains("{id: h4gubfCFzJu81j/U2BJsdg==, user: bob}") == true)
    }

    struct Refusal: LabelledRow {
        let name: String
        let options: [String]
        let status: scenario.ExitStatus
        let error: String
    }

    static let refusals = [
        Refusal(
            name: "no time", options: ["--token", "@dev-1234.tok"], status: .invalidInput,
            error: "account.yaml: error: checking access needs the time"),
        Refusal(
            name: "a role beside", options: ["--at", "now", "--token", "@dev-1234.tok", "--role", "dev"],
            status: .usage,
            error: "`--role` cannot be combined with `--token`"),
        Refusal(
            name: "a name beside", options: ["--at", "now", "--token", "@dev-1234.tok", "--user", "jo"], status: .usage,
            error: "`--user` cannot be combined with `--token`"),
        Refusal(
            name: "no such file", options: ["--at", "now", "--token", "@none.tok"], status: .invalidInput,
            error: "--token: error: file `none.tok`: "),
        Refusal(
            name: "another file", options: ["--at", "now", "--token", "@prod.keys"], status: .invalidInput,
            error: "--token: error: file `prod.keys`: this is a key file"),
        Refusal(
            name: "an empty file", options: ["--at", "now", "--token", "@empty"], status: .invalidInput,
            error: "account.yaml: error: that is not a management token of the account"),
    ]

    @Test("R24.2 what gives no access", arguments: refusals) func refused(row: Refusal) throws {
        let folder = try Self.folder(["empty": ""])
        _ = try Self.token(of: "dev-1234", in: folder)
        let run = ToolRun(["approov", "--account", "@account.yaml"] + row.options + ["device", "-list"], in: folder)
        #expect((run.status, run.output) == (row.status, ""))
        #expect(run.error.contains(row.error), "\(run.error)")
    }

    // MARK: Secrets

    // Of a token no six bytes in a row may be seen; fewer could be anywhere by chance.
    private static let shortest = 6

    private static func leak(of token: String, in text: String) -> String? {
        // The header is that of every token, and says nothing.
        let secret = Array(token.utf8.drop { $0 != UInt8(ascii: ".") })
        let bytes = Array(text.utf8)
        let windows = Set((0...(secret.count - shortest)).map { Array(secret[$0..<$0 + shortest]) })
        guard bytes.count >= shortest else { return nil }
        return (0...(bytes.count - shortest)).map { Array(bytes[$0..<$0 + shortest]) }.first(where: windows.contains)
            .map { String(decoding: $0, as: UTF8.self) }
    }

    /// All arguments that can have a token, `TOKEN` for itself and `@t.tok` for its file.
    static let positions = [
        "approov --account @account.yaml --at 2020-01-01T00:00:00Z --token @t.tok policy -setARC off",
        "approov --account @account.yaml --at 2030-01-01T00:00:00Z --token @t.tok device -list",
        "approov --account @other.yaml --at 2020-01-01T00:00:00Z --token @t.tok device -list",
        "approov --account @account.yaml --at 2020-01-01T00:00:00Z --token TOKEN device -list",
        "approov --account @account.yaml --at 2020-01-01T00:00:00Z --token @cut.tok device -list",
        "approov --account @account.yaml --at 2020-01-01T00:00:00Z users -revoke TOKEN",
        "approov --account @account.yaml --at 2020-01-01T00:00:00Z users -getManagementToken TOKEN",
        "approov --account @account.yaml --at 2020-01-01T00:00:00Z users -getManagementToken dev-1234",
        "approov --account @t.tok policy -get", "approov --account @account.yaml api -setAll @t.tok",
        "approov --account @account.yaml keyset -import @t.tok",
        "approov --account @account.yaml appsigncert -add @t.tok",
        "run @t.tok", "run @named.yaml", "lint @t.tok", "policy --account @t.tok", "arc --account @t.tok KTF6LXEPX4",
        "diff @named.yaml --changes @t.tok", "replay @t.tok", "replay @t.tok --account @account.yaml",
        "diff @t.tok --account @account.yaml --change 'policy -setARC off'",
    ]

    @Test("R24.2 nothing of a management token is in a log or a diagnostic", arguments: positions)
    func canary(line: String) throws {
        let folder = try Self.folder([
            "other.yaml": "account: other\nuser-roles: []\n",
            "named.yaml": "scenario: s\naccount: t.tok\ndevices: {d: {os: ios}}\nsteps: [{at: 1s, fetch: d}]\n",
        ])
        _ = try Self.token(of: "dev-1234", in: folder)
        let token = try #require(folder["dev-1234.tok"]?.split(separator: "\n").first).description
        try folder.write(token + "\n", to: "t.tok")
        try folder.write(String(token.dropLast()) + "\n", to: "cut.tok")
        let words = try CommandWords.split(line).map { $0 == "TOKEN" ? token : $0 }
        let run = ToolRun(words, in: folder, input: ["YES"])
        #expect(Self.leak(of: token, in: run.output + run.error) == nil, "\(run.output)\(run.error)")
        #expect(run.status != .success || line.hasSuffix("dev-1234"))
    }

    // MARK: Cloning

    private static let developer = """
        account: developer
        delegate-accounts: [accountA.yaml, below/accountB.yaml]
        registrations:
          - {app-sig: A=, appid: a}
          - {app-sig: B=, appid: b}
          - {app-sig: C=, appid: c}
          - {app-sig: T=, appid: t, expires: 2030-01-01T00:00:00Z}

        """

    private static func cloningFolder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder([
            "account.yaml": developer,
            "accountA.yaml": "account: accountA # theirs\nregistrations:\n  - {app-sig: O=, appid: o}\n",
        ])
        try FileManager.default.createDirectory(atPath: folder.path("below"), withIntermediateDirectories: true)
        try folder.write(
            "account: accountB\nregistrations: [{app-sig: X=, appid: x, cloned-from: developer}]\n",
            to: "below/accountB.yaml")
        return folder
    }

    // Manual, Registration Cloning.
    @Test("R24.4 registrations are cloned into all accounts that list a delegate") func cloning() throws {
        let folder = try Self.cloningFolder()
        let run = try Self.run("registration -cloneToAllDelegateAccounts", in: folder).ending(.success)
        #expect(
            run.output == """
                registrations will be cloned to the following accounts:
                  accountA
                  accountB
                WARNING: this will have an immediate impact on production of the target accounts. If you wish to continue then please enter YES and return: YES
                cloning 3 permanent registrations into account accountA
                cloning 3 permanent registrations into account accountB

                """)
        let first = try #require(folder["accountA.yaml"])
        #expect(first.hasPrefix("account: accountA # theirs\nregistrations:\n  - {app-sig: O=, appid: o}\n"))
        #expect(first.matches(of: /cloned-from: developer/).count == 3 && !first.contains("T="))
        let second = try #require(folder["below/accountB.yaml"])
        #expect(second.matches(of: /cloned-from: developer/).count == 3 && !second.contains("X="))
        #expect(folder["account.yaml"] == Self.developer)
        // Once more changes nothing.
        _ = try Self.run("registration -cloneToAllDelegateAccounts", in: folder)
        #expect(folder["accountA.yaml"] == first && folder["below/accountB.yaml"] == second)
    }

    @Test("R24.4 or into some, or into a file") func someAccounts() throws {
        let folder = try Self.cloningFolder()
        let run = try Self.run("registration -cloneToAccounts accountB", in: folder)
        #expect(
            run.output == """
                registrations will be cloned to the following accounts:
                  accountB
                WARNING: this will have an immediate impact on production of the target accounts. If you wish to continue then please enter YES and return: YES
                cloning 3 permanent registrations into account accountB

                """)
        #expect(folder["accountA.yaml"]?.contains("cloned-from") == false)
        _ = try Self.run("registration -cloneTo \(folder.path("accountA.yaml"))", in: folder)
        #expect(folder["accountA.yaml"]?.matches(of: /cloned-from: developer/).count == 3)
    }

    static let unclonable = [
        ("registration -cloneToAccounts accountC", "account.yaml: error: there is no delegate account `accountC`"),
        ("registration -cloneTo FOLDER/account.yaml", "this is the account that is cloned"),
        ("registration -cloneTo FOLDER/none.yaml", "none.yaml: error: "),
        (
            "registration -cloneTo FOLDER/closed.yaml",
            "closed.yaml: error: a delegate role is required in account `closed`"
        ),
    ]

    @Test("R24.4 what is not cloned into", arguments: unclonable) func refusedCloning(line: String, error: String)
        throws
    {
        let folder = try Self.cloningFolder()
        try folder.write("account: closed\nuser-roles: []\n", to: "closed.yaml")
        let run = try Self.run(line.replacing("FOLDER", with: folder.path), in: folder)
        #expect((run.status, run.output) == (.invalidInput, ""))
        #expect(run.error.contains(error), "\(run.error)")
        #expect(folder["closed.yaml"] == "account: closed\nuser-roles: []\n")
    }

    @Test("R24.4 without consent nothing is cloned") func unconfirmed() throws {
        let folder = try Self.cloningFolder()
        let before = folder["accountA.yaml"]
        let run = ToolRun(
            "approov --account @account.yaml registration -cloneToAllDelegateAccounts", in: folder, input: ["yes"])
        #expect(run.status == .invalidInput && run.error.contains("not confirmed, so nothing was changed"))
        #expect(folder["accountA.yaml"] == before)
    }
}
