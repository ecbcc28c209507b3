import Foundation
import PolicyEngine
import Testing

@testable import Documents
@testable import Figures
@testable import Reports
@testable import Scenarios
@testable import TestSupport

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// Names that a stranger made up, in every form of output: each form is read by its own rules, and has to give the name
/// back as text and nothing else.
@Suite struct AttackTests {
    private static let own = [
        "\r\n::error::x", "\n::set-output name=a::b", "\r::stop-commands::x", "a\r\nb", "%0A::error::x", "%250A", "::x",
        "a:\u{301},\u{301}b", "line=1,col=2::x", "##[error]x", "\u{1B}]0;x\u{07}", "\u{1B}[2J", "\u{9B}31m", "\u{7F}",
        "\u{85}x", "\u{202E}abc", "\u{2066}a\u{2069}", "\u{2028}x\u{2029}", "a\u{0}b", "\u{8}\u{8}\u{8}", "\u{FEFF}x",
        "a # SKIP", "#\u{301} TODO", "\\# SKIP", "\nok 99 - x", "\nBail out!", "  ---\n  ...", "]]>", "</testsuites>",
        "\" x=\"", "<!--", "&#10;", "&amp;", "\u{FFFE}\u{301}", "\n| x | y |", "|\u{301}", "`x`", "`\u{301}x`",
        "[a](javascript:x)", "![a](x)", "https://x.y", "www.x.y", "<b>x</b>", "**x**", "\n# x", "~~~\nx\n~~~", "\\",
        "\"", "\\\"", "\\u0041", "\t", "{\"a\":1}", "😀\u{200D}", "e\u{301}",
        "\u{FFF9}a\u{FFFB}", "a\u{200B}b\u{200C}\u{AD}", "\u{34F}\u{115F}\u{3164}x\u{FE0F}\u{E0100}", "\u{200B}=1",
    ]

    static let attacks = own + Attack.withLines.map(\.text)

    private static func report(_ name: String) -> Report {
        var scenario = ScenarioResult(name: name, file: name)
        scenario.expectations = [
            ExpectationResult(
                file: name, position: SourcePosition(line: 4, column: 7), passed: false, expected: name, actual: name,
                message: name)
        ]
        scenario.log = [name]
        return Report(figures: Figures(), scenarios: [scenario])
    }

    private static func text(_ name: String, _ form: ReportForm) -> String {
        var setting = ReportSetting()
        setting.isVerbose = true
        return String(decoding: report(name).bytes(as: form, in: setting), as: UTF8.self)
    }

    // Control characters but line feeds, and what turns the direction or is not seen.
    private static func acts(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0A, 0x20...0x7E: false
        case 0x00...0x1F, 0x7F: true
        default: Invisible.writtenByNumber.contains(scalar)
        }
    }

    private static func actsOnTerminal(_ text: String) -> Bool { text.unicodeScalars.contains(where: acts) }

    // A name as it may be shown: what acts by a picture or by its number.
    private static func shown(_ name: String, keeping kept: String = "") -> [Unicode.Scalar] {
        name.unicodeScalars.flatMap { scalar -> [Unicode.Scalar] in
            guard acts(scalar) || scalar == "\n", !kept.unicodeScalars.contains(scalar) else { return [scalar] }
            if scalar.value < 0x20 { return [Unicode.Scalar(0x2400 + scalar.value) ?? "?"] }
            if scalar.value == 0x7F { return ["␡"] }
            return Array(Invisible.number(scalar.value).unicodeScalars)
        }
    }

    @Test(arguments: attacks) func github(_ name: String) throws {
        let text = Self.text(name, .github)
        #expect(!Self.actsOnTerminal(text))
        let lines = text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false).map { String($0) ?? "" }
        #expect(lines.count == 2 && lines[1].isEmpty)
        let parts = lines[0].utf8.split(separator: Array("::".utf8), maxSplits: 2, omittingEmptySubsequences: false)
        let properties = try #require(parts.count == 3 ? String(parts[1]) : nil)
        #expect(properties.hasPrefix("error file="))
        let values = properties.utf8.split(separator: UInt8(ascii: ",")).map { String($0) ?? "" }
        expect(values.count, equals: 4)
        let title = try #require(values.last?.dropFirst("title=".count).removingPercentEncoding)
        expect(Array(title.unicodeScalars), equals: Self.shown(name, keeping: "\r\n"))
    }

    // All texts of a JSON value.
    private static func texts(_ value: Any) -> [String] {
        if let text = value as? String { return [text] }
        if let list = value as? [Any] { return list.flatMap(texts) }
        if let object = value as? [String: Any] { return object.values.flatMap(texts) }
        return []
    }

    @Test(arguments: attacks) func json(_ name: String) throws {
        let text = Self.text(name, .json)
        #expect(!Self.actsOnTerminal(text))
        let texts = Self.texts(try JSONSerialization.jsonObject(with: Data(text.utf8)))
        #expect(texts.contains { Array($0.unicodeScalars) == Array(name.unicodeScalars) })
    }

    // Two modules that do not know each other say what acts on a terminal.
    @Test func jsonEscapesWhatTextReplaces() {
        let scalars = (0...0x10FFFF as ClosedRange<UInt32>).compactMap(Unicode.Scalar.init)
        for scalar in scalars where scalar.isControlling {
            var output = JSONBytes()
            output.string(String(scalar))
            #expect(output.bytes.allSatisfy { 0x20...0x7E ~= $0 }, "\(scalar.value)")
        }
        let harmless = String(
            String.UnicodeScalarView(scalars.filter { !$0.isControlling && $0 != "\"" && $0 != "\\" }))
        var output = JSONBytes()
        output.string(harmless)
        let isAsItIs = output.bytes == Array("\"\(harmless)\"".utf8)
        #expect(isAsItIs)
    }

    @Test(arguments: attacks) func junit(_ name: String) throws {
        let text = Self.text(name, .junit)
        #expect(!Self.actsOnTerminal(text))
        let document = try XMLDocument(xmlString: text)
        try expect(document.nodes(forXPath: "//*").count, equals: 4)
        let found = try document.nodes(forXPath: "//testsuite/@name").first?.stringValue ?? ""
        let expected = name.unicodeScalars.map { scalar in
            let isAllowed = scalar.value >= 0x20 && scalar.value != 0xFFFE || "\t\r\n".unicodeScalars.contains(scalar)
            return isAllowed ? scalar : "\u{FFFD}"
        }
        // Foundation takes the first character for a byte order mark.
        expect(Array(found.unicodeScalars), equals: Array(expected.drop { $0 == "\u{FEFF}" }))
    }

    @Test(arguments: attacks) func tap(_ name: String) {
        let text = Self.text(name, .tap)
        #expect(!Self.actsOnTerminal(text))
        let lines = text.utf8.split(separator: 0x0A).map { String($0) ?? "" }
        expect(lines.count, equals: Self.text("x", .tap).split(separator: "\n").count)
        #expect(lines[2].hasPrefix("not ok 1 - "))
        // A sharp that is not escaped would begin a directive.
        let scalars = Array(lines[2].unicodeScalars)
        for (index, scalar) in scalars.enumerated() where scalar == "#" {
            expect(scalars[..<index].reversed().prefix { $0 == "\\" }.count % 2, equals: 1)
        }
    }

    @Test(arguments: attacks) func text(_ name: String) {
        let text = Self.text(name, .text)
        // The output of commands keeps its tabs.
        #expect(!Self.actsOnTerminal(text.replacing("\t", with: "")))
        let shown = String(String.UnicodeScalarView(Self.shown(name)))
        #expect(text.utf8.split(separator: 0x0A).contains { $0.contains(Array(shown.utf8)) })
    }

    @Test(arguments: attacks) func markdown(_ name: String) {
        func text(_ name: String) -> String {
            MarkdownWriter.text(of: Self.report(name).page(isVerbose: false, origin: ReportOrigin()))
        }
        #expect(!Self.actsOnTerminal(text(name)))
        var (found, harmless) = (Self.markup(text(name)), Self.markup(text("x")))
        // A command that names the file has as many lines as the name, each of them an item of a list.
        let more = (found.removeValue(forKey: "\n") ?? 0) - (harmless.removeValue(forKey: "\n") ?? 0)
        #expect((0...name.unicodeScalars.count { $0 == "\n" }).contains(more))
        expect(found, equals: harmless)
    }

    // The marks that Markdown would read as markup: lines, and characters without a backslash that are not written by their numbers.
    private static func markup(_ text: String) -> [Unicode.Scalar: Int] {
        var counts: [Unicode.Scalar: Int] = [:]
        var isEscaped = false
        for scalar in text.replacing(#/&#\d+;/#.matchingSemantics(.unicodeScalar), with: "").unicodeScalars {
            if !isEscaped, "`*_{}[]<>#|~&\n".unicodeScalars.contains(scalar) { counts[scalar, default: 0] += 1 }
            isEscaped = !isEscaped && scalar == "\\"
        }
        return counts
    }

    @Test(arguments: attacks) func diagnostics(_ name: String) {
        let source = SourceFile(path: name, text: name)
        let text = Diagnostic(
            in: source, at: SourcePosition(line: 1, column: 1), message: name.quoted, hint: name
        ).rendered
        // A tab of a source line stays, so that the caret is below its character.
        #expect(!Self.actsOnTerminal(text.replacing("\t", with: "")))
    }
}

/// The texts of a scenario must not act on a terminal.
@Suite struct TextReportControlTests {
    private static let escape = "\u{1B}[31m"
    private static let shown = "␛[31m"

    private static func lines(_ result: ScenarioResult, isVerbose: Bool = false) -> [String] {
        TextWriter().text(of: Report(figures: Figures(), scenarios: [result]).sections(isVerbose: isVerbose))
            .split(separator: "\n").map(String.init)
    }

    @Test func ofAFailureEverythingIsShown() {
        var result = ScenarioResult(name: "n\(Self.escape)", file: "f")
        result.expectations = [
            ExpectationResult(
                file: "f\(Self.escape)", position: SourcePosition(line: 3, column: 5), passed: false,
                expected: "e\(Self.escape)", actual: "a\(Self.escape)\u{202E}", message: "m\(Self.escape)\nx")
        ]
        let lines = Self.lines(result)
        #expect(lines.contains("        f\(Self.shown):3:5: m\(Self.shown)␊x"))
        #expect(lines.contains("          expected: e\(Self.shown)"))
        #expect(lines.contains("          actual:   a\(Self.shown)<U+202E>"))
        #expect(!lines.joined().contains("\u{1B}"))
    }

    @Test func whatCommandsPrintKeepsItsLinesAndTabs() {
        var result = ScenarioResult(name: "n", file: "f")
        result.log = ["bind \(Self.escape)", "  probe-result: one\n two\tthree\n\(Self.escape)"]
        let lines = Self.lines(result, isVerbose: true)
        let log = ["bind \(Self.shown)", "  probe-result: one", " two\tthree", Self.shown].map { "          " + $0 }
        #expect(lines.contains(log))
        #expect(!Self.lines(result).contains { $0.contains("probe-result") })
    }

    @Test func aScenarioWithControlsInItsWordsIsSafeToPrint() throws {
        let result = try ScenarioText.run(
            """
            scenario: s
            devices: {"b\\e[31mb": {}}
            steps:
              - {at: 0s, bind: {group: "b\\e[31mb", data: "x\\e"}}
              - {at: 1s, fetch: all, domain: "a\\e.com", expect: {group: "b\\e[31mb", fail: 1}}

            """)
        let text = TextWriter().text(of: Report(figures: result.figures, scenarios: [result]).sections(isVerbose: true))
        #expect(!text.contains("\u{1B}"))
        #expect(text.contains("fail of b\(Self.shown)b"))
    }
}
