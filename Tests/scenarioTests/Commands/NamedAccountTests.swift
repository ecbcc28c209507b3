import Testing

@testable import TestSupport
@testable import scenario

/// No account is ever invented: commands that answer about one need it named, and `new` is a new one.
@Suite struct NamedAccountTests {
    private static let change = "--change=policy -addRejectFlag automated"
    private static let commands = [
        ["diff", "@day.jsonl", change], ["diff", "@day.jsonl", "--candidate=@root.yaml"], ["whatif", "@day.jsonl"],
        ["search", "@day.jsonl", "--reject=flag:rooted"], ["compare", "@day.jsonl", "@day.jsonl"],
        ["prove", change], ["prove", "--candidate=@root.yaml"],
    ]

    @Test("an account that nobody named is a usage error", arguments: commands)
    func aMissingAccountIsRefused(_ arguments: [String]) throws {
        let run = try ToolRun(arguments, files: DiffSample.files)
        #expect(run.status == .usage && run.output == "")
        #expect(
            run.error == "scenario: error: option `--account FILE` is missing; `--account new` is a new account\n")
    }

    @Test("a new account is the one of an empty list of settings", arguments: commands + [["replay", "@day.jsonl"]])
    func newIsANewAccount(_ arguments: [String]) throws {
        var files = DiffSample.files
        files["empty.yaml"] = "account: account\n"
        let folder = try TemporaryFolder(files)
        let limit = arguments[0] == "prove" ? ["--timeout=5m"] : []
        let new = ToolRun(arguments + ["--account=new"] + limit, in: folder)
        let file = ToolRun(arguments + ["--account=@empty.yaml"] + limit, in: folder)
        #expect(new.output == file.output && !new.output.isEmpty && new.error == file.error)
        #expect(new.status == file.status)
    }

    @Test("a scenario has an account, and `new` replaces it") func aScenarioHasOne() throws {
        var files = DiffSample.files
        files["s.yaml"] = """
            scenario: s
            account: {policy: "default,blacklist,default", flags: [{name: odd}]}
            devices: {bob: {flags: [odd]}}
            steps: [{at: 0s, fetch: bob}]

            """
        let folder = try TemporaryFolder(files)
        let change = ["diff", "@s.yaml", "--change=policy -set default,strict,default"]
        #expect(ToolRun(change, in: folder).output.contains("1 would start"))
        #expect(ToolRun(change + ["--account=new"], in: folder).output.contains("none would start"))
    }

    @Test("a file called new is not meant, and commits know no new account") func newIsNoFile() throws {
        let folder = try TemporaryFolder(DiffSample.files)
        let run = ToolRun("diff @day.jsonl --account=new --base=HEAD", in: folder)
        #expect(run.status == .usage && run.error.contains("`--base` needs `--account`"))
        // Nor does a report name it among its inputs.
        let page = ToolRun("diff @day.jsonl --account=new --candidate=@root.yaml --format=html", in: folder)
        let words = page.output.replacing(#/<[^>]*>/#, with: "")
        #expect(words.contains("--account new") && !words.contains("read once"))
    }

    struct Preset: Sendable, CustomTestStringConvertible {
        let account, option, policy: String
        var testDescription: String { "\(option) on \(account)" }
    }

    static let presets = [
        Preset(account: "policy: default,default,risk", option: "strict", policy: "default,strict,risk"),
        Preset(
            account: "{rules: [alt], policy: 'alt,strict,rooted+frida'}", option: "allow-root",
            policy: "alt,allow-root,rooted+frida"),
        // R4.4: what was edited by hand goes with the rejection policy.
        Preset(
            account: "{policy: 'default,default,all', reject-flags: {add: [automated]}}", option: "default",
            policy: "default,default,all"),
    ]

    @Test("R3.1 a preset alone changes the rejection policy alone, as reports say and no warning", arguments: presets)
    func aPresetAlone(_ row: Preset) throws {
        let folder = try TemporaryFolder(DiffSample.files)
        try folder.write(row.account + "\n", to: "a.yaml")
        for command in [["replay", "@day.jsonl"], ["diff", "@day.jsonl"], ["whatif", "@day.jsonl"]] {
            let short = ToolRun(command + ["--account=@a.yaml", "--policy=\(row.option)"], in: folder)
            let whole = ToolRun(command + ["--account=@a.yaml", "--policy=\(row.policy)"], in: folder)
            // The command to explain an example repeats the policy as it was typed.
            let output = whole.output.replacing(
                "--policy \(row.policy) --device", with: "--policy \(row.option) --device")
            #expect(short.output == output && short.status == .success)
            #expect(short.output.contains(row.policy) || command.first == "whatif")
            #expect(short.error == whole.error)
        }
    }

    @Test("a command that sets a preset alone is refused, with the policy that keeps the annotation")
    func aCommandOfAPresetAlone() throws {
        let folder = try TemporaryFolder(DiffSample.files)
        try folder.write("policy: default,default,risk\n", to: "a.yaml")
        let run = ToolRun(["diff", "@day.jsonl", "--account=@a.yaml", "--change=policy -set strict"], in: folder)
        #expect(run.status == .invalidInput)
        #expect(run.error.hasSuffix("\n  hint: did you mean `default,strict,risk`?\n"), "\(run.error)")
    }
}
