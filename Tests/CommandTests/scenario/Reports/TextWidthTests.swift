import Documents
import Foundation
import Testing

@testable import TestSupport
@testable import scenario

/// Text reports on terminals of some widths: no line is longer, whatever the options are; colours are for terminals that show them.
@Suite struct TextWidthTests {
    private static let root = Repository.root.path(percentEncoded: false)
    // Wider than any terminal here, wherever the tests run.
    private static let captures =
        "@captures/of-the-bank/in-a-folder-with-a-long-name/below-another-one-with-a-long-name/and-a-third-one"
    private static let morning = "\(captures)/new-devices-2020-07-23.txt"
    private static let afternoon = "\(captures)/afternoon-2020-07-23.jsonl"
    private static let bank = "--account=\(root)Scenarios/accounts/bank.yaml"

    // A value of each option that changes what a report shows.
    private static let values: [String: [String]] = [
        "--policy": ["strict"], "--change": ["policy -addRejectFlag frida"],
        "--count": ["ip/16,app-version,os-version"],
        "--who": ["app-version,os-version,flags"], "--labels": ["@labels.jsonl"], "--confidence": ["95%"],
        "--max-newly-rejected": ["1%"], "--max-newly-accepted": ["0"], "--max-unevaluated": ["5%"], "--top": ["3"],
        "--only": ["flag:rooted"], "--between": ["2020-07-23T07:00:00Z..2020-07-23T12:00:00Z"],
        "--order": ["newly-rejected"],
        "--newly-accepted-with": ["rooted"], "--keys": ["verdict,flags,ip/16,app-version,os-version"],
        "--max-drift": ["1%"],
        "--since": [afternoon], "--cost": ["missed=40,blocked=6"], "--alternatives": ["3"],
        "--rollout": ["10%:1h,30%:1h,100%"], "--runs": ["20"], "--at": ["1h"], "--keep": ["flag:frida"],
        "--max-edits": ["1"], "--seed": ["3"], "--max-annotations-changed": ["0"], "--narrowest-filter": ["ip"],
    ]
    // Switches that change it.
    private static let switches: Set<String> = [
        "--redact", "--coverage", "--verbose", "--totals", "--series", "--timings", "--loosest", "--sort",
    ]

    // Commands with what they always need; `#` stands for the options.
    private static let bases: [(command: Command, line: [String], without: Set<String>)] = [
        (.replay, [morning, bank], []),
        (.diff, [morning, bank, "--policy=default,strict,risk"], ["--policy", "--change"]),
        (.diff, [afternoon, "--account=@trial.yaml", "--policy=strict"], ["--policy", "--change"]),
        (.whatif, [afternoon, bank], []), (.compare, [morning, afternoon, bank], []),
        (.explain, [morning, bank, "--device=hMEywo8hWadZjlpRQVMXIA=="], []),
        (
            .rollout, [morning, "--account=@trial.yaml", "--policy=strict", "--steps=10%:1h,100%"],
            ["--policy", "--change"]
        ),
        (.search, [afternoon, bank, "--reject=flag:rooted"], ["--confidence"]), (.run, ["@runs"], ["--seed"]),
        (.prove, [bank, "--policy=default,strict,risk"], ["--policy", "--change"]),
    ]

    // Every pair of options of every command.
    static let lines: [Words] = bases.flatMap { base -> [Words] in
        let options = base.command.options.filter { !base.without.contains($0.name) }.compactMap {
            option -> [String]? in
            if option.definition.isSwitch { return switches.contains(option.name) ? [option.name] : nil }
            return values[option.name].map { $0.map { "\(option.name)=\($0)" } }
        }.flatMap(\.self)
        let pairs = options.indices.flatMap { first in
            options.indices.dropFirst(first + 1).map { [options[first], options[$0]] }
        }
        return ([[]] + options.map { [$0] } + pairs).map { chosen in
            // Costs and other edits need labels.
            let needed = chosen.contains { $0.hasPrefix("--cost") || $0.hasPrefix("--alternatives") }
            let labels = needed && !chosen.contains { $0.hasPrefix("--labels") } ? ["--labels=@labels.jsonl"] : []
            return Words(list: [base.command.name] + base.line + chosen + labels)
        }
    }

    private static let files = DiffSample.files.merging([
        "labels.jsonl": #"{"device":"Android 9, SM-G960F, samsung, starlte, es","label":"good"}"# + "\n"
            + #"{"device-id":"hMEywo8hWadZjlpRQVMXIA==","label":"bad"}"# + "\n",
        "trial.yaml": "account: shop\nrules: [trial]\npolicy: default,allow-root,default\n",
    ]) { $1 }

    private static func folder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder(files)
        for path in [morning, afternoon] {
            let name = path.split(separator: "/").last ?? ""
            try folder.write(Repository.text(of: "Scenarios/captures/\(name)"), to: String(path.dropFirst()))
        }
        return folder
    }

    @Test func thereAreManyCommandLines() { #expect(Self.lines.count >= 300, "\(Self.lines.count)") }

    @Test(arguments: [80, 120]) func noLineIsLongerThanTheTerminal(_ columns: Int) async throws {
        let folder = try Self.folder()
        try folder.write(DiffSample.files["good.yaml"] ?? "", to: "runs/good.yaml")
        try folder.write(DiffSample.files["fails.yaml"] ?? "", to: "runs/fails.yaml")
        var shown = 0
        for line in Self.lines {
            let run = ToolRun(line.list, in: folder, columns: columns)
            let isPlain = !run.output.contains("\u{1B}[3") || run.output.contains("\u{1B}[0m")
            #expect(isPlain)
            let text = run.output.replacing(#/\u{1B}\[\d+m/#, with: "")
            if text.utf8.count > 200 { shown += 1 }
            let long = text.split(separator: "\n").filter {
                String($0).terminalWidth > columns && Self.canBreak($0, columns)
            }
            #expect(long.isEmpty, "\(line.list.joined(separator: " ")): \(long.prefix(3))")
        }
        #expect(shown * 10 >= Self.lines.count * 6, "\(shown) of \(Self.lines.count) have a report")
    }

    // A word that is wider than the terminal stays whole, and an option stays with its value; lines of files stay as they are.
    private static func canBreak(_ line: Substring, _ columns: Int) -> Bool {
        let whole = String(line).replacing(#/(--[a-z-]+) /#) { "\($0.output.1)=" }.replacing(" \\", with: "\\")
        let words = whole.split(separator: " ").map { String($0).terminalWidth }
        let indent = line.prefix { $0 == " " }.count
        return (words.max() ?? 0) + indent <= columns
    }

    @Test(arguments: [["NO_COLOR": "1"], ["TERM": "dumb"]]) func noColoursWhereNobodyWantsThem(
        _ environment: [String: String]
    )
        throws
    {
        let folder = try Self.folder()
        let words = ["diff", Self.morning, Self.bank, "--policy=default,strict,risk"]
        #expect(ToolRun(words, in: folder, columns: 100).output.contains("\u{1B}["))
        #expect(!ToolRun(words, in: folder, environment: environment, columns: 100).output.contains("\u{1B}["))
        // A pipe is no terminal.
        #expect(!ToolRun(words, in: folder).output.contains("\u{1B}["))
    }
}
