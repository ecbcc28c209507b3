import Foundation
import Testing

@testable import HTTP
@testable import TestSupport
@testable import scenario

/// Everything that is taken away from the page of `explore` gives the page's figures wherever it is used, or names what it leaves
/// out.
@Suite struct ExploreExportTests {
    // Ten devices attest twice; the records are not in the order of time, and have times of a zone that is not known.
    private static let capture = (0..<20).map { number in
        let flags = ["", "rooted", "", "frida,rooted", "debug"][number % 5]
        return "--- \(DiffSample.device(number % 10)) 2020-07-23 1\(number % 7):00:0\(number % 10) NZST ---\n"
            + "public-flags: \(flags)\nip: 10.0.0.\(number % 6)\napp-version: \(number % 3)'s\n\n"
    }.joined()

    private static let account = """
        account: shop
        policy: default,allow-root,default
        filters:
          - {name: farm, key: ip, regex: '0\\.[12]$'}

        """

    private static let labels = "device-id,label\n\(DiffSample.device(1)),bad\n\(DiffSample.device(2)),good\n"

    private static let options = [
        [], ["--confidence=95%"], ["--labels=@labels.csv"], ["--redact"], ["--input-format=info", "--jobs=2"],
    ]

    private static let commands = [
        "policy -set default,strict,risk", "policy -addRejectFlag debug",
        "filter -add farm -key ip -matchValue 0\\.[34]$ -regex -reject",
        "filter -add own -key app-version -matchValue \"1's\" -ban",
        "filter -add $(x) -key ip -matchValue 10.0.0.5 -reject",
        "device -add \(DiffSample.device(3)) -policy default,whitelist,default", "filter -remove farm",
    ]

    private static let parts = [
        "", "", #","from":"2020-07-23T08:00:00Z""#, #","to":"2020-07-23T09:30:00Z""#,
        #","narrow":[{"key":"flags","value":"rooted"}]"#,
        #","to":"2020-07-23T09:30:00Z","narrow":[{"key":"app-version","value":"1's"},{"key":"flags","value":"debug"}]"#,
        #","narrow":[{"key":"ip/16","value":"10.0.0.0/16"}]"#, #","narrow":[{"key":"flags","value":"risky-device"}]"#,
        #","from":"2020-07-23T08:00:00Z","narrow":[{"key":"filters","value":"farm"}]"#,
    ]

    private static func folder(_ name: String) throws -> TemporaryFolder {
        try TemporaryFolder([name: capture, "shop.yaml": account, "labels.csv": labels])
    }

    // The words of a line as a shell reads them, without the tool's name.
    private static func words(of line: String) throws -> [String] {
        try ShellRun("printf '%s\\0' \(line)", in: Repository.root).output.split(separator: "\0").dropFirst().map(
            String.init)
    }

    private static func counts(_ json: String) throws -> [Int?] {
        let report = try JSONText(json)
        return ["newly-rejected", "newly-accepted"].map { report.integer("changes", $0, "devices") }
    }

    @Test("random states", arguments: Exhaustive.seeds(1...200, each: 20)) func random(seed: UInt64) throws {
        var generator = SplitMix64(seed: seed)
        func any<Item>(_ items: [Item]) -> Item { items[Int(generator.next() % UInt64(items.count))] }
        let name = any(["day.txt", "a day's $HOME.txt", "-day.txt"])
        let folder = try Self.folder(name)
        let options = ["--sort", "--timezone=+0\(generator.next() % 9):00"] + any(Self.options)
        let bench = try ExploreBench(["@\(name)", "--account=@shop.yaml"] + options, in: folder)
        var changes: [String] = []
        for _ in 0..<(generator.next() % 4) {
            let list = String(
                decoding: try JSONSerialization.data(withJSONObject: changes + [any(Self.commands)]), as: UTF8.self)
            guard bench.ask("account", #"{"changes":\#(list)}"#).status == 200 else { continue }
            changes = try #require(try JSONSerialization.jsonObject(with: Data(list.utf8)) as? [String])
        }
        let list = String(decoding: try JSONSerialization.data(withJSONObject: changes), as: UTF8.self)
        let part = any(Self.parts)
        let body = #""changes":\#(list)\#(part)"#
        func taken(_ form: String) -> String { bench.text("take", #"{\#(body),"form":"\#(form)"}"#) }
        guard bench.ask("answer", "{\(body)}").status == 200 else { return }
        if bench.ask("take", #"{\#(body),"form":"commands"}"#).status == 422 {
            // Hidden devices and addresses cannot be typed.
            #expect(options.contains("--redact") && changes.contains { $0.contains("==") || $0.contains("10.0.0.5") })
            expect(bench.ask("take", #"{\#(body),"form":"diff"}"#).status, equals: 422)
            return
        }
        let (shown, line, page) = (bench.text("answer", "{\(body)}"), taken("diff"), taken("html"))
        expect(taken("json"), equals: shown, "seed \(seed)")
        expect(taken("commands"), equals: changes.map { $0 + "\n" }.joined())
        // Options say every part but that of a filter's devices, or of a flag that decisions bring.
        let isHidden = options.contains("--redact") && part.contains("narrow")
        if isHidden || part.contains("farm") || part.contains("risky-device") {
            let words = "the page showed attestations "
            #expect(line.hasPrefix("# This command is of all captures; \(words)"), "seed \(seed): \(line)")
            let named = try #require(line.split(separator: "\n").first?.split(separator: words).last?.dropLast())
            let title = try #require(page.firstMatch(of: /<title>(.*)<\/title>/)?.output.1)
            let escaped = named.replacing("'", with: "&#39;")
            #expect(title.contains("attestations \(escaped)"), "seed \(seed): \(title)")
            #expect(page.contains("he command leaves out"))
            #expect(shown.contains(#""part":"attestations \#(named)""#) && !shown.contains(#""explain":"#))
            return
        }
        // The line has the paths without the folder, as the reports.
        let words = try Self.words(of: line).map { word in
            [name, "shop.yaml", "labels.csv"].contains(word) ? folder.path(word) : word
        }
        let run = ToolRun(words + ["--format=json"], in: folder)
        expect(run.output, equals: shown, "seed \(seed): \(line)\(run.error)")
        let again = ToolRun(words + ["--format=html"], in: folder).output
        // A page may end a line within a path.
        func plain(_ page: String) -> String { folder.relative(page.replacing("<wbr>", with: "")) }
        expect(plain(again), equals: plain(page), "seed \(seed): \(line)")
        let markdown = ToolRun(words + ["--format=markdown"], in: folder).output
        expect(taken("markdown"), equals: markdown, "seed \(seed): \(line)")
        guard !options.contains("--redact") else { return }
        try folder.write(taken("account"), to: "after.yaml")
        let candidate = ["--candidate=\(folder.path("after.yaml"))", "--format=json"]
        let after = ToolRun(words.filter { $0 != "--change" && !changes.contains($0) } + candidate, in: folder)
        if !changes.isEmpty {
            try expect(Self.counts(after.output), equals: Self.counts(shown), "seed \(seed): \(after.error)")
        }
    }

    @Test("the page for those who decide has other edits where there are labels, and a rollout where there can be one")
    func decided() throws {
        let folder = try Self.folder("day.txt")
        try folder.write("account: shop\nrules: [trial]\npolicy: default,allow-root,default\n", to: "trial.yaml")
        let strict = #"{"changes":["policy -set default,strict,default"],"form":"case"}"#
        let arguments = ["@day.txt", "--sort", "--timezone=+00:00"]
        let whole = try ExploreBench(arguments + ["--account=@trial.yaml", "--labels=@labels.csv"], in: folder)
        let page = whole.text("take", strict)
        let words = [
            "diff", "@day.txt", "--account=@trial.yaml", "--labels=@labels.csv", "--sort", "--timezone=+00:00",
        ]
        let typed = ToolRun(
            words + [
                "--change=policy -set default,strict,default", "--alternatives=3", "--rollout=1%:6h,10%:1d,100%",
                "--format=json",
            ], in: folder)
        let report = try JSONText(typed.output)
        #expect(report.integer("alternatives", "change", "bad-caught") == 1, "\(typed.error)")
        #expect(
            page.contains("<h1>Change to decide: ") && page.contains("Edits in its place")
                && page.contains("Its commands"))
        // A filter cannot be sampled.
        let filter = #"{"changes":["filter -add own -key ip -matchValue 10.0.0.5 -reject"],"form":"case"}"#
        let edits = whole.text("take", filter)
        #expect(edits.contains("in its place</h2>") && !edits.contains("Its commands"))
        let bare = try ExploreBench(arguments + ["--account=@shop.yaml"], in: folder)
        expect(bare.ask("take", filter).status, equals: 422)
    }

    @Test("the part of a filter's devices follows the account's file") func changedAccount() throws {
        let folder = try Self.folder("day.txt")
        let bench = try ExploreBench(
            ["@day.txt", "--account=@shop.yaml", "--sort", "--timezone=+00:00"], in: folder)
        let body = #"{"narrow":[{"key":"filters","value":"farm"}]}"#
        func devices() throws -> Int? { try JSONText(bench.text("answer", body)).integer("changes", "devices") }
        // The addresses of device N end in N and N + 10, modulo 6: 1 or 2 for 1, 2, 3, 4, 7, 8 and 9; 5 for 1, 5 and 7.
        let before = try devices()
        try folder.write(Self.account.replacing("[12]", with: "[5]"), to: "shop.yaml")
        let after = try devices()
        #expect(before == 7 && after == 3)
    }

    @Test("a capture whose name looks like an option is an operand of every line") func namesLikeOptions() throws {
        let folder = try Self.folder("--output=keep.txt")
        let arguments = ["--account=shop.yaml", "--policy=strict", "--sort", "--timezone=+00:00"]
        let options = arguments + ["--format=html", "--output=report.html", "--", "--output=keep.txt"]
        try expect(ToolProcess(["diff"] + options, in: folder).end().status, equals: 0)
        let page = try #require(folder["report.html"])
        let lines = page.replacing("<wbr>", with: "").matches(of: /scenario (diff|explain) [^<]*/).map {
            String($0.output.0)
        }
        #expect(lines.count == 2 && lines.allSatisfy { $0.contains(" ./--output=keep.txt ") }, "\(lines)")
    }
}
