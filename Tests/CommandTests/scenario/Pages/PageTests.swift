import Foundation
import Testing

@testable import Reports
@testable import TestSupport
@testable import scenario

/// `--format html` as a command writes it, and names of strangers in every form of a report.
@Suite struct PageTests {
    private static func page(_ arguments: [String], in folder: TemporaryFolder) -> String {
        ToolRun(arguments + ["--format=html"], in: folder).output
    }

    @Test func largeInputsAreReadAgainOnlyAsFarAsTheyMay() throws {
        let folder = try TemporaryFolder(["large": "abcdef", "small": "abc", "empty": ""])
        let paths = ["large", "small", "empty"].map { folder.path($0) } + ["-", folder.path("missing")]
        func known(_ budget: Int) -> [Bool] {
            ReportOrigins.inputs(paths, budget: budget).map { $0.digest != nil }
        }
        expect(known(.max), equals: [true, true, true, false, false])
        expect(known(8), equals: [false, true, true, false, false])
        expect(known(2), equals: [false, false, true, false, false])
        let inputs = ReportOrigins.inputs(paths, budget: 8)
        expect(inputs.map(\.size), equals: [6, 3, 0, nil, nil])
        expect(inputs[1].digest, equals: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    }

    @Test func aPageSaysHowToGetADigest() throws {
        var origin = ReportOrigin()
        origin.command = "scenario replay large"
        origin.inputs = [ReportOrigin.Input(path: "large", size: 50_331_964, digest: nil)]
        let page = String(
            decoding: HTMLWriter.bytes(of: ReportPage(title: "x", sections: origin.sections(), origin: origin)),
            as: UTF8.self)
        #expect(page.contains(">by --digests</td>") && page.contains(">50,331,964</td>"))
    }

    @Test(arguments: ["text", "json", "html", "csv", "openmetrics"]) func theReportDoesNotDependOnTheThreads(
        _ form: String
    ) throws {
        let folder = try TemporaryFolder(["day.jsonl": DiffSample.capture(devices: 2000, rooted: 70)])
        for more in [[], ["--count=device-id,public-flags"], ["--redact", "--count=device-id"]]
        where more.isEmpty || form != "openmetrics" {
            let reports = ["1", "2", "7"].map {
                ToolRun(["replay", "@day.jsonl", "--format", form, "--jobs", $0] + more, in: folder)
            }
            #expect(Set(reports.map(\.output)).count == 1 && reports[0].output.utf8.count > 200)
        }
    }

    @Test func aCaptureOfManyAppsStaysBelowTheLimit() throws {
        let records = (0..<500).map { number in
            #"{"time":"2020-07-23T10:00:00Z","device-id":"\#(DiffSample.device(number))","flags":"","#
                + #""appid":"\#(String(repeating: "<", count: 2000))\#(number)"}"# + "\n"
        }.joined()
        let folder = try TemporaryFolder(["day.jsonl": records])
        let page = Self.page(["replay", "@day.jsonl"], in: folder)
        #expect(page.utf8.count < HTMLWriter.limit)
        #expect(page.contains("And 480 more; the same report as JSON has them all"))
        #expect(page.hasSuffix("</main></div></body></html>\n"))
    }

    // One scenario of thousands of expectations that fail, and hundreds of scenarios.
    @Test func aRunOfManyFailuresStaysBelowTheLimit() throws {
        let steps = (0..<3000).map { "  - {at: \($0)s, fetch: bob, expect: {verdict: fail, pass: 1}}\n" }.joined()
        func scenario(_ name: String, _ steps: String) -> String {
            "scenario: \(name)\naccount: {account: shop}\ndevices: {bob: {os: ios}}\nsteps:\n\(steps)"
        }
        var files = (0..<300).map { number in
            ("s\(number).yaml", scenario("Number \(number)", "  - {at: 0s, fetch: bob, expect: {verdict: fail}}\n"))
        }
        files.append(("a.yaml", scenario("Long", steps)))
        let folder = try TemporaryFolder(Dictionary(uniqueKeysWithValues: files))
        let page = Self.page(["run", folder.path("")], in: folder)
        #expect(page.utf8.count < HTMLWriter.limit)
        #expect(page.contains("<p class=\"says\">301 of 301 scenarios failed</p>"))
        #expect(
            page.contains("more; the same report as JSON has them all")
                && page.hasSuffix("</main></div></body></html>\n"))
    }

    // Commands whose pages have tables, many of them with labels, costs and levels.
    static let tables: [String] = [
        "replay @day.jsonl --account=@root.yaml --labels=@labels.csv --cost=missed=4,blocked=1 --confidence=95% --count=ip,flags",
        "diff @thousand.jsonl --account=@root.yaml --candidate=@plain.yaml --labels=@labels.csv --confidence=95% --who=flags "
            + "--since=@three.jsonl --max-newly-rejected=1%",
        "diff @thousand.jsonl --account=@root.yaml --candidate=@plain.yaml --count=flags",
        "whatif @thousand.jsonl --account=@root.yaml --labels=@labels.csv --cost=missed=4,blocked=1 --confidence=95%",
        "search @day.jsonl --account=@root.yaml --confidence=95% --reject=flag:rooted --holdout=2020-07-23T10:30:00Z --timeout=5m",
        "search @day.jsonl --account=@root.yaml --reject=flag:rooted --confidence=95% --timeout=5m",
        "compare @thousand.jsonl @three.jsonl --account=@plain.yaml --max-drift=1%",
        "rollout @day.jsonl --account=@steps.yaml --policy=default,default,default --steps=100% --labels=@labels.csv "
            + "--cost=missed=4,blocked=1",
        "run @good.yaml @fails.yaml --coverage --mutants", "explain @day.jsonl --device=\(Sample.bob)",
    ]

    @Test("every row of a table has a cell for each column", arguments: tables) func rowsAreWhole(_ arguments: String)
        throws
    {
        let labels = (0..<3).map { "\(DiffSample.device($0)),\($0 == 0 ? "bad" : "good")\n" }.joined()
        let files = DiffSample.files.merging([
            "labels.csv": "device-id,label\n" + labels,
            "steps.yaml": "account: a\npolicy: default,allow-root,default\nrules: [trial]\n",
        ]) { $1 }
        let page = Self.page(Words(stringLiteral: arguments).list, in: try TemporaryFolder(files))
        let tables = page.split(separator: "<table").dropFirst().map { $0.split(separator: "</table>")[0] }
        #expect(!tables.isEmpty, "\(page)")
        for table in tables {
            let rows = table.split(separator: "<tr").dropFirst().map { $0.matches(of: /<t[hd][ >]/).count }
            expect(Set(rows).count, equals: 1, "\(table)")
        }
    }

    struct Form: Sendable, CustomTestStringConvertible {
        let command: [String]
        let form: String
        // True if it has names in it at all.
        var hasNames = true
        var testDescription: String { "\(command[0]) as \(form)" }
    }

    private static let change = ["diff", "@hostile.jsonl", "--account=new", "--policy=default,allow-root,default"]

    static let forms =
        ["html", "csv", "openmetrics", "summary-mail"].map { Form(command: ["replay", "@hostile.jsonl"], form: $0) }
        + ["html", "csv"].map { Form(command: change, form: $0) }
        + ["junit", "sarif"].map { Form(command: change, form: $0, hasNames: $0 == "junit") }
        + [Form(command: ["run", "@hostile.yaml"], form: "html")]
        + ["html", "csv", "text"].map {
            Form(command: ["replay", "@hostile.jsonl", "--count=appid,app-version", "--top=100"], form: $0)
        }

    // A scenario whose name and devices are those of strangers.
    private static func scenario() -> String {
        let names = Attack.all.map { attack in
            attack.text.unicodeScalars.map { scalar in
                let digits = String(scalar.value, radix: 16)
                return "\\U" + String(repeating: "0", count: 8 - digits.count) + digits
            }.joined()
        }
        return "scenario: \"\(names.joined(separator: " "))\"\n"
            + "devices: {bob: {os: android, attributes: {appid: \"\(names[0])\"}}}\n"
            + "steps: [{at: 0s, fetch: bob, expect: {verdict: fail}}]\n"
    }

    @Test(arguments: forms) func noNameActsOnWhoeverReads(_ form: Form) throws {
        let folder = try TemporaryFolder(["hostile.yaml": Self.scenario()])
        try folder.write(HostileCapture.text(), to: "hostile.jsonl")
        let output = ToolRun(form.command + ["--format", form.form], in: folder).output
        #expect(output.utf8.count > 500)
        #expect(!form.hasNames || output.contains("alert(1)"))
        #expect(!output.unicodeScalars.contains { $0 != "\r" && Attack.forbidden.contains($0) })
        // No line begins with a workflow command.
        #expect(!output.split(whereSeparator: \.isNewline).contains { $0.hasPrefix("::") })
        if ["html", "junit"].contains(form.form) {
            #expect(!output.contains("<script") && !output.contains("<img") && !output.contains("]]>"))
        }
        if form.form == "csv" { #expect(!output.contains(",=") && !output.contains(",@")) }
    }
}

/// Pages in a real browser, Debian's Chromium: from disk and from a server that lets in neither scripts nor styles, light and
/// dark, narrow and wide, and on paper. `make test` installs what this needs.
///
/// With `SCREENSHOTS=FOLDER` in the environment the pictures are kept there, to be looked at.
@Suite struct BrowserTests {
    private static let root = Repository.root.path(percentEncoded: false)

    /// A command that writes a page, with the words that the page must show.
    private struct Page {
        let name: String
        let arguments: Words
        let words: [String]
        let isPlotted: Bool
        // The greatest number of sheets of paper, where that is known.
        let sheets: Int?

        init(_ example: CaseFile.Case) {
            name = example.name
            let line = String(example.body.first { $0.hasPrefix("$ ") }?.dropFirst(2) ?? "")
            arguments = Words(
                stringLiteral: line.replacing("MORNING", with: morning).replacing("AFTERNOON", with: afternoon)
                    .replacing("BANK", with: bank))
            words = example.body.filter { $0.hasPrefix("! ") }.map { String($0.dropFirst(2)) }
            isPlotted = !example.body.contains("no plot")
            sheets = example.body.first { $0.hasSuffix(" sheets") }.flatMap { Int($0.prefix { $0 != " " }) }
        }
    }

    private static let morning = "'\(root)Scenarios/captures/new-devices-2020-07-23.txt'"
    private static let afternoon = "'\(root)Scenarios/captures/afternoon-2020-07-23.jsonl'"
    private static let bank = "'--account=\(root)Scenarios/accounts/bank.yaml'"

    private static let pages: [Page] = {
        let path = "Tests/Tables/pages/browser.txt"
        return CaseFile(path: path, text: (try? Repository.text(of: path)) ?? "").cases.map(Page.init).rows(14)
    }()

    /// The page of which every view is looked at.
    private static let whole = "names-of-strangers"

    private static let shop = """
        scenario: Rooted customers of a shop
        account: {account: shop, policy: "default,allow-root,default"}
        devices:
          regulars: {count: 20, os: android, flags: [rooted]}
          others: {count: 30, os: ios}
        steps:
          - {at: 0s, fetch: all, every: 1m, until: 1h, expect: {pass: {at-least: 1}}}

        """

    // A page in one view, as the browser found it.
    private struct View {
        let answer: [String: Any]
        var name: String { answer["view"] as? String ?? "" }
        var messages: [String] { answer["messages"] as? [String] ?? ["none was read"] }
        var requests: [String] { answer["requests"] as? [String] ?? ["none was read"] }
        func number(_ key: String) -> Int? { answer[key] as? Int }
        func texts(_ key: String) -> [String]? { answer[key] as? [String] }
    }

    private static func views(of pages: [Page], in folder: TemporaryFolder) async throws -> [String: [View]] {
        for page in pages {
            let run = ToolRun(page.arguments.list + ["--format", "html", "--output", "@\(page.name).html"], in: folder)
            try #require(folder["\(page.name).html"] != nil, "\(run.error)")
        }
        let screenshots = ProcessInfo.processInfo.environment["SCREENSHOTS"]
        let work: [String: Any] = [
            "pages": pages.map { folder.path("\($0.name).html") }, "widths": [360, 1400],
            "whole": pages.filter { $0.name == Self.whole }.map { folder.path("\($0.name).html") },
            "axe": "\(root).build/wheels/axe_playwright_python/axe.min.js",
            "screenshots": screenshots.map { $0 as Any } ?? NSNull(),
        ]
        let answer = try await Tooling.answer(of: "browser.py", to: work, in: .pages)
        return Dictionary(
            uniqueKeysWithValues: pages.map { page in
                let views = answer[folder.path("\(page.name).html")] as? [[String: Any]] ?? []
                return (page.name, views.map(View.init))
            })
    }

    @Test func readersSeeThePageWhereverItIsOpened() async throws {
        let folder = try TemporaryFolder(DiffSample.files)
        try folder.write(HostileCapture.text(), to: "hostile.jsonl")
        try folder.write(Self.shop, to: "shop.yaml")
        try folder.write("account: shop\nrules: [trial]\npolicy: default,allow-root,default\n", to: "trial.yaml")
        try folder.write(
            #"{"device":"Android 9, SM-G960F, samsung, starlte, es","label":"good"}"# + "\n", to: "labels.jsonl")
        let views = try await Self.views(of: Self.pages, in: folder)
        for page in Self.pages {
            let found = try #require(views[page.name])
            // From disk in two widths, served, twice audited, and paper; of one page also each width in each colour scheme, from disk
            // and served, and without scripts.
            let isWhole = page.name == Self.whole || ProcessInfo.processInfo.environment["SCREENSHOTS"] != nil
            expect(found.count, equals: isWhole ? 13 : 6, "\(page.name)")
            for view in found where view.name.contains("-disk-") { expectWhole(view) }
            for view in found where view.name.contains("-served-") { expectReadableWithoutStyle(view) }
            for view in found where view.name.contains("-bare-") { expectWhole(view) }
            for view in found where view.name.contains("-audit-") { try expectSound(view, page) }
            expectPaper(found.last, sheets: page.sheets)
            // Light and dark are different colours.
            expect(Set(found.compactMap { $0.answer["background"] as? String }).count, equals: 2)
        }
    }

    // Nothing in the console, nothing from elsewhere, nothing that has to be scrolled sideways.
    private func expectWhole(_ view: View) {
        expect(view.messages, equals: [], "\(view.name)")
        expect(view.requests, equals: [], "\(view.name)")
        expect(view.number("contentWidth"), equals: view.number("width"), "\(view.name)")
        expect(view.number("styles"), equals: 1, "\(view.name)")
    }

    // The browser says that the style is not let in, and nothing else.
    private func expectReadableWithoutStyle(_ view: View) {
        #expect(view.messages.count == 1 && view.messages[0].contains("inline style"), "\(view.name): \(view.messages)")
        expect(view.number("styles"), equals: 0, "\(view.name)")
        // The one file that browsers ask every server for.
        #expect(view.requests.allSatisfy { $0.hasSuffix("/favicon.ico") }, "\(view.name): \(view.requests)")
        #expect((view.number("screenshotBytes") ?? 0) > 10_000, "\(view.name)")
    }

    private func expectSound(_ view: View, _ page: Page) throws {
        expect(view.messages, equals: [], "\(view.name)")
        #expect(view.number("scripts") == 0 && view.number("handlers") == 0, "\(view.name)")
        expect(view.texts("axe"), equals: [], "\(view.name)")
        // Paper is white, and nothing is folded away on it.
        expect(view.answer["paper"] as? String, equals: "rgb(255, 255, 255)", "\(view.name)")
        expect(view.number("folded"), equals: 0, "\(view.name)")
        #expect(view.texts("brokenLines") == [] && view.texts("brokenOptions") == [], "\(view.name)")
        // No table of a phone has to be scrolled sideways.
        expect(view.texts("wideTables"), equals: [], "\(view.name)")
        let identifiers = try #require(view.texts("identifiers"))
        expect(Set(identifiers).count, equals: identifiers.count, "\(view.name)")
        let text = try #require(view.answer["text"] as? String).split(whereSeparator: \.isWhitespace)
            .joined(separator: " ")
        for word in page.words { #expect(text.contains(word), "\(view.name): \(word)") }
        let figures = Set(try #require(view.texts("figures")))
        let titles = try #require(view.texts("titles"))
        #expect(titles.isEmpty != page.isPlotted, "\(view.name)")
        // `2020-07-23 07:00: before 7.3 %, after 12.0 %`
        for part in titles.flatMap({ $0.replacing(", ", with: ": ").components(separatedBy: ": ").dropFirst() }) {
            let words = part.split(separator: " ")
            let figure = words.suffix(words.last == "%" ? 2 : 1).joined(separator: " ")
            #expect(figures.contains(figure), "\(view.name): \(part)")
        }
    }

    private func expectPaper(_ view: View?, sheets: Int?) {
        #expect((view?.number("sheets") ?? .max) <= sheets ?? .max - 1, "\(view?.name ?? "")")
        expect(view?.answer["pdf"] as? String, equals: "%PDF-")
        #expect((view?.number("pdfBytes") ?? 0) > 10_000)
        expect(view?.texts("faults"), equals: [], "\(view?.name ?? "")")
        expect(view?.messages, equals: [])
    }
}
