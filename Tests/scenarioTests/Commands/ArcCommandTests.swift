import Foundation
import PolicyEngine
import Testing

@testable import Accounts
@testable import Documents
@testable import TestSupport
@testable import scenario

/// `scenario arc`: codes of the account `test-account`, which are those of the rules (R12.2).
@Suite struct ArcCommandTests {
    private static let files = [
        "account.yaml": "account: test-account\n", "off.yaml": "account: test-account\narc: off\n",
        "other.yaml": "account: other-account\n", "bad.yaml": "acount: x\n",
        "all.yaml": "account: test-account\nflags: [\(extras)]\n",
        "warned.yaml": "account: test-account\npolicy: default,default,all\n",
    ]

    // Enough flags that the account has all 128; `extra-26` is the 63rd, `extra-27` the 64th.
    private static let extras = (1...FlagFacts.room).map { "{name: extra-\($0)}" }.joined(separator: ", ")

    private static let invalid = """
        {
          "status": "arc invalid",
          "deviceProperties": []
        }

        """

    struct Row: LabelledRow {
        let name: String
        let arguments: Words
        let output: String
        var error = ""
    }

    static let answered = [
        Row(
            name: "R12.3 section Attestation Response Code: the manual's answer, in its form",
            arguments: "KTF6LXEPX4 --account @account.yaml",
            output: """
                {
                  "status": "failed",
                  "deviceProperties": [
                    "app-not-registered",
                    "rooted",
                    "root-risk",
                    "xposed"
                  ]
                }

                """),
        Row(
            name: "R12.3 passed, without a flag", arguments: "--account=@account.yaml UDBQD4PPXM",
            output: """
                {
                  "status": "passed",
                  "deviceProperties": []
                }

                """),
        Row(
            name: "R12.3 in lower case", arguments: "--account=@account.yaml xvklvo5bud",
            output: """
                {
                  "status": "failed",
                  "deviceProperties": [
                    "risky-device"
                  ]
                }

                """),
        Row(
            name: "R2.3, R12.3 declared flags behind the others, 16 characters",
            arguments: "D4FT5TTNJEEYV5EO --account=@all.yaml",
            output: """
                {
                  "status": "failed",
                  "deviceProperties": [
                    "rooted",
                    "extra-1",
                    "extra-3",
                    "extra-26"
                  ]
                }

                """),
        Row(
            name: "R12.1 section Attestation Response Code: issued to a different account",
            arguments: "KTF6LXEPX4 --account=@other.yaml", output: invalid),
        Row(
            name: "R12.1 section Attestation Response Code: entered incorrectly",
            arguments: "KTF6LXEPX5 --account=@account.yaml", output: invalid),
        Row(name: "R12.3 white space around", arguments: [" KTF6LXEPX4", "--account=@account.yaml"], output: invalid),
        Row(name: "R12.3 no code at all", arguments: "hello --account=@account.yaml", output: invalid),
        Row(
            name: "R12.2 flags that the account does not have",
            arguments: "D4FT5TTNJEEYV5EO --account=@account.yaml", output: invalid),
        Row(
            name: "R12.4 codes off", arguments: "WX7SIEXOKH --account=@off.yaml",
            output: """
                {
                  "status": "passed",
                  "deviceProperties": [
                    "app-not-registered"
                  ]
                }

                """, error: "off.yaml: warning: `arc` is off, so tokens of this account carry no code\n"),
    ]

    static let encoded = [
        Row(
            name: "R12.2 failed with flags",
            arguments: "--encode failed app-not-registered,rooted,root-risk,xposed --account @account.yaml",
            output: "KTF6LXEPX4\n"),
        Row(
            name: "R12.2 in another order",
            arguments: "xposed,root-risk,rooted,app-not-registered --encode=failed --account=@account.yaml",
            output: "KTF6LXEPX4\n"),
        Row(
            name: "R12.2 passed without a flag", arguments: "--encode passed --account=@account.yaml",
            output: "UDBQD4PPXM\n"),
        Row(
            name: "R12.2 failed without a flag", arguments: "--account=@account.yaml --encode failed",
            output: "3JO5BPFLZG\n"),
        Row(
            name: "R12.1 declared flags", arguments: "--encode=passed extra-3 --account=@all.yaml",
            output: "6VL32WBEOQ2RERFW\n"),
        Row(
            name: "R12.2 the last flag that can be encoded",
            arguments: "--encode=failed extra-26 --account=@all.yaml", output: "4IBJG52VMGL6P353\n"),
        Row(
            name: "R12.2 another account",
            arguments: "--encode failed app-not-registered,rooted,root-risk,xposed --account @other.yaml",
            output: "AASSWNSSLQ\n"),
        Row(
            name: "R12.4 codes off", arguments: "--encode=passed --account=@off.yaml", output: "UDBQD4PPXM\n",
            error: "off.yaml: warning: `arc` is off, so tokens of this account carry no code\n"),
        Row(
            name: "what the account is warned about",
            arguments: "--encode=passed --account=@warned.yaml", output: "UDBQD4PPXM\n",
            error: "warned.yaml:2:9: warning: the annotation policy `all` on a whole account tells attackers why they "
                + "are rejected\n  policy: default,default,all\n          ^\n"),
    ]

    @Test(arguments: answered + encoded) func answers(_ row: Row) throws {
        let run = try ToolRun(["arc"] + row.arguments.list, files: Self.files).ending(.success)
        #expect(run.output == row.output)
        #expect(run.error == row.error)
    }

    static let refused: [ToolRow] = [
        .invalid(
            "unknown flag", "--encode passed roted --account=@account.yaml",
            "--encode: error: unknown flag `roted`\n  hint: did you mean `rooted`?"),
        .invalid(
            "flag that another account declares", "--encode passed something-new --account=@account.yaml",
            "--encode: error: unknown flag `something-new`\n"
                + "  hint: an account can declare it under `flags`"),
        .invalid(
            "R12.2 the 64th flag and further ones", "--encode passed extra-26,extra-27,extra-91 --account=@all.yaml",
            "--encode: error: flag `extra-27` is in no code; codes hold the first 63 flags only\n"
                + "--encode: error: flag `extra-91` is in no code; codes hold the first 63 flags only"),
        .invalid(
            "a flag twice", "--encode passed rooted,xposed,rooted --account=@account.yaml",
            "--encode: error: flag `rooted` is named twice"),
        .invalid(
            "an empty flag", "--encode passed rooted, --account=@account.yaml",
            "--encode: error: `rooted,` names an empty flag\n"
                + "  hint: flags are joined by single commas, without spaces"),
        ToolRow(
            name: "a space behind the comma",
            arguments: ["--encode", "passed", "rooted, xposed", "--account=@off.yaml"], status: .invalidInput,
            error: "off.yaml: warning: `arc` is off, so tokens of this account carry no code\n"
                + "--encode: error: unknown flag ` xposed`\n  hint: did you mean `xposed`?\n"),
        .invalid("missing account file", "KTF6LXEPX4 --account @missing", "missing: error: no such file or directory"),
        .invalid(
            "mistake in the account", "KTF6LXEPX4 --account @bad.yaml",
            "bad.yaml:1:1: error: unknown key `acount` in the account\n  acount: x\n  ^\n"
                + "  hint: did you mean `account`?"),
        .usage(
            "no account", "KTF6LXEPX4",
            "option `--account FILE` is missing; a code means nothing without the account that "
                + "issues it"),
        .usage("neither code nor flags", "--account @missing", "`CODE` is missing; `--help` shows how it is used"),
        .usage(
            "another status", "--encode pass --account @missing",
            "option `--encode` does not know `pass`; it knows `passed`, `failed`"),
        .usage("two codes", "KTF6LXEPX4 UDBQD4PPXM --account @missing", "unexpected argument `UDBQD4PPXM`"),
        ToolRow(
            name: "an empty code", arguments: ["", "--account", "@missing"], status: .usage,
            error: "scenario: error: a CODE|FLAGS is empty\n"),
    ]

    @Test(arguments: refused) func refuses(_ row: ToolRow) throws {
        try row.expectNoOutput(command: ["arc"], files: Self.files)
    }

    @Test("R12.2 what is encoded is read back") func comesBack() throws {
        let folder = try TemporaryFolder(Self.files)
        let flags = ["bad-hmac", "cycript", "did-ban", "safetynet-missing", "extra-2", "extra-25"]
        let arguments = ["arc", "--encode", "passed", flags.joined(separator: ","), "--account", "@all.yaml"]
        let code = ToolRun(arguments, in: folder).output.dropLast()
        let answer = ToolRun(["arc", "--account", "@all.yaml", String(code)], in: folder).output
        let names = flags.map { "    \"\($0)\"" }.joined(separator: ",\n")
        #expect(answer == "{\n  \"status\": \"passed\",\n  \"deviceProperties\": [\n\(names)\n  ]\n}\n")
    }
}

/// The response codes in the decisions of a replay: an hour of a bank's devices.
@Suite struct DecisionCodeTests {
    private static let scenarios = Repository.root
        .appending(path: "Scenarios").path(percentEncoded: false)
    private static let account = scenarios + "/accounts/bank.yaml"

    private static func decisions(_ options: [String] = []) throws -> [JSONText] {
        let folder = try TemporaryFolder()
        let capture = scenarios + "/captures/afternoon-2020-07-23.jsonl"
        let arguments = ["replay", capture, "--account", account, "--decisions", "@decisions"] + options
        #expect(ToolRun(arguments, in: folder).status == .success)
        return try (folder["decisions"] ?? "").split(separator: "\n").map { try JSONText(String($0)) }
    }

    @Test("R12.1, R12.3 section Attestation Response Code: every token has a code, which says what was decided")
    func codesSayWhatWasDecided() throws {
        var diagnostics = Diagnostics()
        let account = try #require(AccountLoader.load(path: Self.account, diagnostics: &diagnostics))
        let codec = ResponseCodec(account: account)
        var codes = Set<String>()
        let decisions = try Self.decisions()
        #expect(decisions.count == 350)
        for decision in decisions {
            let code = try #require(decision["arc"] as? String)
            let meaning = try #require(codec.meaning(of: code))
            let flags = try #require(decision["flags"] as? [String])
            let rejections = try #require(decision["rejections"] as? [String])
            let named = account.catalogue.names(of: meaning.flags)
            #expect((meaning.passed ? "pass" : "fail") == decision["verdict"] as? String)
            #expect(named == flags.filter { account.catalogue.namedFlag($0) != nil })
            #expect(Set(named).isSuperset(of: rejections))
            codes.insert(code)
        }
        #expect(codes.count > 10)
    }

    @Test("R12.4 section Attestation Response Code: no codes where the capability is not enabled")
    func noCodesWhereTheyAreOff() throws {
        let decisions = try Self.decisions(["--change", "policy -setARC off"])
        #expect(decisions.count == 350)
        for decision in decisions { #expect(decision["arc"] is NSNull) }
    }
}
