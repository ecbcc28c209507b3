import Foundation
import Testing

@testable import Accounts
@testable import TestSupport
@testable import scenario

/// No message shows anything of a management token (R24); `Tests/Transcripts/approov/access.txt` shows who gets in.
@Suite struct ApproovAccessTests {
    private static let keys = """
        account-secret: dEitzKUYJLQABwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyAhIiMkJSYnKCkqKywtLi8wMTIzNDU2Nzg5Ojs8PQ==
        """

    private static let account = """
        account: myaccount # ours
        keys: prod.keys
        user-roles:
          - {id: dev-1234, email: bob@mydomain.com, expires: 2029-05-08T15:01:05Z, password-protected: true}

        """

    private static func folder(_ files: [String: String] = [:]) throws -> TemporaryFolder {
        let folder = try TemporaryFolder(["account.yaml": account, "prod.keys": keys].merging(files) { $1 })
        // As commands write it; else there is a warning.
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: folder.path("prod.keys"))
        return folder
    }

    /// Writes the token of a user role, `dev-1234.tok`.
    private static func writeToken(in folder: TemporaryFolder) {
        let run = ToolRun(
            "approov --account @account.yaml --at 2020-01-01T00:00:00Z users -getManagementToken dev-1234", in: folder)
        #expect(run.output == "management token written to dev-1234.tok\n" && run.error == "")
    }

    @Test("R24.2 a token file is for its owner alone") func mode() throws {
        let folder = try Self.folder()
        Self.writeToken(in: folder)
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.path("dev-1234.tok"))
        expect(attributes[.posixPermissions] as? Int, equals: 0o600)
        expect(folder["dev-1234.tok"]?.hasPrefix("eyJ"), equals: true)
    }

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
        Self.writeToken(in: folder)
        let token = try #require(folder["dev-1234.tok"]?.split(separator: "\n").first).description
        try folder.write(token + "\n", to: "t.tok")
        try folder.write(String(token.dropLast()) + "\n", to: "cut.tok")
        let words = try CommandWords.split(line).map { $0 == "TOKEN" ? token : $0 }
        let run = ToolRun(words, in: folder, input: ["YES"])
        #expect(Self.leak(of: token, in: run.output + run.error) == nil, "\(run.output)\(run.error)")
        #expect(run.status != .success || line.hasSuffix("dev-1234"))
    }
}
