import Foundation
import Testing

@testable import TestSupport
@testable import scenario

/// Pages in a real browser, Debian's Chromium: from disk and from a server that lets in neither scripts nor styles, light and
/// dark, narrow and wide, and on paper. `make test` installs what this needs.
///
/// With `SCREENSHOTS=FOLDER` in the environment the pictures are kept there, to be looked at.
@Suite struct BrowserTests {
    private static let root =
        GoldenCase.tests.deletingLastPathComponent().deletingLastPathComponent().path(percentEncoded: false)

    /// A command that writes a page, with the words that the page must show.
    private struct Page {
        let name: String
        let arguments: [String]
        var words: [String] = []
        // True if it has a plot.
        var isPlotted = true
    }

    private static let pages = [
        Page(
            name: "change-of-a-capture",
            arguments: [
                "diff", "\(root)/Scenarios/captures/new-devices-2020-07-23.txt", "--account",
                "\(root)/Scenarios/accounts/bank.yaml", "--change", "policy -set default,strict,risk", "--no-redact",
            ],
            words: [
                "example-bank: default → strict 23 July 2020, 07–12 UTC · 2,000 devices",
                "104 of 2,000 devices (5.2 %) newly rejected: they would stop getting valid tokens",
                "0 of 2,000 devices newly accepted", "0 of 2,000 tokens with other annotations",
                "safetynet-unavailable SafetyNet attestation could not be obtained 49 47.1 %",
                "Android · com.example.bank.android-5.1(117) 19 18.3 % 8.5 %", "hMEywo8hWadZjlpRQVMXIA==", "SHA-256",
            ]),
        Page(
            name: "change-under-way",
            arguments: [
                "diff", "@shop.yaml", "--policy", "default,default,default", "--at", "10m", "--max-newly-rejected", "1",
            ],
            words: [
                "✗ Limit exceeded", "20 of 50 devices (40.0 %) newly rejected: they would stop getting valid tokens",
                "Exceeded: --max-newly-rejected 1, 20 of 50 devices", "Timeline of the change",
                "in force at 2020-01-01T00:10:30Z",
            ]),
        Page(
            name: "replay",
            arguments: [
                "replay", "\(root)/Scenarios/captures/new-devices-2020-07-23.txt", "--account",
                "\(root)/Scenarios/accounts/bank.yaml",
            ], words: ["example-bank: default,default,risk", "attestations pass", "Why attestations fail"]),
        Page(
            name: "single-edits",
            arguments: [
                "whatif", "\(root)/Scenarios/captures/afternoon-2020-07-23.jsonl", "--account",
                "\(root)/Scenarios/accounts/bank.yaml",
            ], words: ["example-bank: 72 single edits", "single edits change something", "Edits that change nothing"],
            isPlotted: false),
        Page(
            name: "run", arguments: ["run", "@fails.yaml", "@good.yaml", "--coverage"],
            words: ["✗ Failed", "1 of 2 scenarios failed", "expect: {verdict: fail, pass: 1}", "ails.yaml:4:"],
            isPlotted: false),
        Page(
            name: "names-of-strangers", arguments: ["replay", "@hostile.jsonl"],
            words: ["<script>alert(1)</script>", "]]>--><b>", "=cmd()", "a|b|c", "::error::stop", "&lt;b&gt;"]),
    ]

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

    private static func views(of pages: [Page], in folder: TemporaryFolder) throws -> [String: [View]] {
        for page in pages {
            let run = ToolRun(page.arguments + ["--format", "html", "--output", "@\(page.name).html"], in: folder)
            try #require(folder["\(page.name).html"] != nil, "\(run.error)")
        }
        let screenshots = ProcessInfo.processInfo.environment["SCREENSHOTS"]
        let work: [String: Any] = [
            "pages": pages.map { folder.path("\($0.name).html") }, "widths": [360, 1400],
            "axe": "\(root)/.build/wheels/axe_playwright_python/axe.min.js",
            "screenshots": screenshots.map { $0 as Any } ?? NSNull(),
        ]
        let answer = try Tooling.answer(of: "browser.py", to: work)
        return Dictionary(
            uniqueKeysWithValues: pages.map { page in
                let views = answer[folder.path("\(page.name).html")] as? [[String: Any]] ?? []
                return (page.name, views.map(View.init))
            })
    }

    @Test func readersSeeThePageWhereverItIsOpened() throws {
        let folder = try TemporaryFolder(DiffSample.files)
        try folder.write(HostileCapture.text(), to: "hostile.jsonl")
        try folder.write(Self.shop, to: "shop.yaml")
        let views = try Self.views(of: Self.pages, in: folder)
        for page in Self.pages {
            let found = try #require(views[page.name])
            // Two widths and two colour schemes, from disk and served; twice without scripts, twice audited; and paper.
            #expect(found.count == 13, "\(page.name)")
            for view in found where view.name.contains("-disk-") { expectWhole(view) }
            for view in found where view.name.contains("-served-") { expectReadableWithoutStyle(view) }
            for view in found where view.name.contains("-bare-") { expectWhole(view) }
            for view in found where view.name.contains("-audit-") { try expectSound(view, page) }
            expectPaper(found.last)
            // Light and dark are different colours.
            #expect(Set(found.compactMap { $0.answer["background"] as? String }).count == 2)
        }
    }

    // Nothing in the console, nothing from elsewhere, nothing that has to be scrolled sideways.
    private func expectWhole(_ view: View) {
        #expect(view.messages == [], "\(view.name)")
        #expect(view.requests == [], "\(view.name)")
        #expect(view.number("contentWidth") == view.number("width"), "\(view.name)")
        #expect(view.number("styles") == 1, "\(view.name)")
    }

    // The browser says that the style is not let in, and nothing else.
    private func expectReadableWithoutStyle(_ view: View) {
        #expect(view.messages.count == 1 && view.messages[0].contains("inline style"), "\(view.name): \(view.messages)")
        #expect(view.number("styles") == 0, "\(view.name)")
        // The one file that browsers ask every server for.
        #expect(view.requests.allSatisfy { $0.hasSuffix("/favicon.ico") }, "\(view.name): \(view.requests)")
        #expect((view.number("screenshotBytes") ?? 0) > 10_000, "\(view.name)")
    }

    private func expectSound(_ view: View, _ page: Page) throws {
        #expect(view.messages == [], "\(view.name)")
        #expect(view.number("scripts") == 0 && view.number("handlers") == 0, "\(view.name)")
        #expect(view.texts("axe") == [], "\(view.name)")
        // Paper is white, and nothing is folded away on it.
        #expect(view.answer["paper"] as? String == "rgb(255, 255, 255)", "\(view.name)")
        #expect(view.number("folded") == 0, "\(view.name)")
        let identifiers = try #require(view.texts("identifiers"))
        #expect(Set(identifiers).count == identifiers.count, "\(view.name)")
        let text = try #require(view.answer["text"] as? String).split(whereSeparator: \.isWhitespace)
            .joined(separator: " ")
        for word in page.words { #expect(text.contains(word), "\(view.name): \(word)") }
        let figures = Set(try #require(view.texts("figures")))
        let titles = try #require(view.texts("titles"))
        #expect(titles.isEmpty != page.isPlotted, "\(view.name)")
        // `2020-07-23 07:00: 7.3 % before, 12.0 % after`
        for part in titles.flatMap({ $0.replacing(", ", with: ": ").components(separatedBy: ": ").dropFirst() }) {
            let words = part.split(separator: " ")
            let figure = words.prefix(words.count > 1 && words[1] == "%" ? 2 : 1).joined(separator: " ")
            #expect(figures.contains(figure), "\(view.name): \(part)")
        }
    }

    private func expectPaper(_ view: View?) {
        #expect(view?.answer["pdf"] as? String == "%PDF-")
        #expect((view?.number("pdfBytes") ?? 0) > 10_000)
        #expect(view?.texts("faults") == [], "\(view?.name ?? "")")
        #expect(view?.messages == [])
    }
}
