import Foundation
import Testing

@testable import Documents
@testable import TestSupport

/// The part of TOML that is read, against a list of cases and against Python's `tomllib`.
@Suite struct TOMLParserTests {
    struct Row: LabelledRow {
        let text: String
        /// `table.key=value` of each entry.
        var entries: [String] = []
        /// `line:column` of each mistake, and the beginning of its message.
        var mistakes: [String] = []

        var name: String { text }
    }

    static let rows = [
        Row(text: ""), Row(text: "# a comment\n\n \t# another\r\n"),
        Row(text: "a = \"x\"", entries: [#".a=string("x")"#]),
        Row(text: "a='C:\\new' # raw\n", entries: [#".a=string("C:\\new")"#]),
        Row(text: "a = \"t\\t\\\"\\u00e9\\U0001F600\"\n", entries: [".a=string(\"t\\t\\\"é😀\")"]),
        Row(
            text: "a-b_1 = 12\nc = -0\nd = 1_000", entries: [".a-b_1=integer(12)", ".c=integer(0)", ".d=integer(1000)"]),
        Row(text: "a = 0.5\nb = +1_0.2_5", entries: [#".a=decimal("0.5")"#, #".b=decimal("+10.25")"#]),
        Row(text: "a = true\nb=false", entries: [".a=boolean(true)", ".b=boolean(false)"]),
        Row(
            text: "a = [ 'x', # one\n  \"y\",\n]\nb = []", entries: [#".a=strings(["x", "y"])"#, ".b=strings([])"]),
        Row(text: "a=1\n[t]\na=2\n[u]\na=3", entries: [".a=integer(1)", "t.a=integer(2)", "u.a=integer(3)"]),
        Row(text: "a=1\na=2", entries: [".a=integer(1)"], mistakes: ["2:1 the key `a` is given more than once"]),
        Row(text: "[t]\n[t]", mistakes: ["2:1 the table or key `t` is given more than once"]),
        Row(
            text: "t=1\n[t]", entries: [".t=integer(1)"], mistakes: ["2:1 the table or key `t` is given more than once"]
        ),
        Row(text: "[t.u]", mistakes: ["1:3 `]` is missing"]),
        Row(text: "[[t]]", mistakes: ["1:2 the name of a table is expected"]),
        Row(text: "a", mistakes: ["1:2 `=` is missing"]),
        Row(text: "a =\nb = 1", entries: [".b=integer(1)"], mistakes: ["1:4 a value is missing"]),
        Row(text: "a = 01", mistakes: ["1:5 `01` is not a value"]),
        Row(text: "a = 1 2", entries: [".a=integer(1)"], mistakes: ["1:7 something follows"]),
        Row(text: "a = \"x", mistakes: ["1:5 the quotation mark at the end"]),
        Row(text: "a = \"\"\"x\"\"\"", mistakes: ["1:5 texts of several lines"]),
        Row(text: "a = \"\\x\"", mistakes: ["1:7 the escape"]),
        Row(text: "a = \"\\uD800\"", mistakes: ["1:7 the escape"]),
        Row(text: "a = [1]", mistakes: ["1:6 a text in quotes or `]` is expected"]),
        Row(text: "a = ['x' 'y']", mistakes: ["1:10 `,` or `]` is expected"]),
        Row(text: "a = ['x',", mistakes: ["1:10 `]` is missing"]),
        Row(text: "\"a\" = 1", mistakes: ["1:1 a key is expected"]),
        Row(text: "a.b = 1", mistakes: ["1:2 `=` is missing"]),
        Row(text: "a = 2020-07-23", mistakes: ["1:5 `2020-07-23` is not a value"]),
        Row(text: "é = 1\nb = 1", entries: [".b=integer(1)"], mistakes: ["1:1 a key is expected"]),
        Row(text: "a = 'x\u{7F}'", mistakes: ["1:5 a text has a control character"]),
        Row(text: "a = 99999999999999999999", mistakes: ["1:5 `99999999999999999999` is not a value"]),
    ]

    @Test(arguments: rows) func reads(_ row: Row) {
        let parsed = TOMLParser.parse(bytes: Array(row.text.utf8), path: "f")
        #expect(parsed.entries.map { "\($0.table).\($0.key)=\($0.value)" } == row.entries)
        let found = parsed.diagnostics.all.map { "\($0.position.map { "\($0)" } ?? "") \($0.message)" }
        #expect(found.count == row.mistakes.count, "\(found)")
        for (message, beginning) in zip(found, row.mistakes) { #expect(message.hasPrefix(beginning), "\(message)") }
    }

    @Test func bytesThatAreNoText() {
        let parsed = TOMLParser.parse(bytes: [0x61, 0x3D, 0xFF], path: "f")
        #expect(parsed.entries.isEmpty && parsed.diagnostics.hasErrors)
    }

    private static let whole = """
        # Defaults.
        account = "pröd.yaml"
        captures = ['a', "b\\t\\u00e9", # c
        ]
        [diff]
        max-newly-rejected = "0.1%"
        max-unevaluated = 1_2
        other = 0.25
        flag = true

        """

    // Documents of which pieces are repeated, left out, or replaced.
    private static func damaged(_ count: Int) -> [String] {
        var generator = SeededGenerator(seed: 28)
        let pieces = [
            "[", "]", "\"", "'", "=", "\n", "\r\n", "#", ",", "\\", "\\u00", "1_", ".", " ", "\t", "é", "[t]", "a=1",
            "true", "\u{0}",
        ]
        return (0..<count).map { _ in
            var scalars = Array(whole.unicodeScalars)
            for _ in 0..<generator.next(below: 4) {
                let start = generator.next(below: scalars.count + 1)
                let end = min(scalars.count, start + generator.next(below: 5))
                let piece = pieces[generator.next(below: pieces.count)]
                scalars.replaceSubrange(
                    start..<end, with: generator.next(below: 2) == 0 ? Array(piece.unicodeScalars) : [])
            }
            return String(String.UnicodeScalarView(scalars))
        }
    }

    @Test func whatIsReadIsReadAgain() {
        var accepted = 0
        for text in Self.damaged(3000) {
            let first = TOMLParser.parse(bytes: Array(text.utf8), path: "f")
            guard !first.diagnostics.hasErrors else { continue }
            let again = TOMLParser.parse(bytes: Array(TOMLText.text(of: first.entries).utf8), path: "f")
            #expect(again.entries.map(Self.content) == first.entries.map(Self.content), "\(text)")
            accepted += 1
        }
        #expect(accepted > 300)
    }

    private static func content(_ entry: TOMLEntry) -> String { "\(entry.table).\(entry.key)=\(entry.value)" }

    private static let reference = """
        import json, sys, tomllib
        answers = []
        for text in json.load(sys.stdin):
            try:
                answers.append(tomllib.loads(text))
            except ValueError:
                answers.append(None)
        json.dump(answers, sys.stdout)
        """

    private static func answers(_ texts: [String]) throws -> [Any] {
        let (process, input, output) = (Process(), Pipe(), Pipe())
        process.executableURL = URL(filePath: "/usr/bin/python3")
        process.arguments = ["-c", reference]
        (process.standardInput, process.standardOutput) = (input, output)
        try process.run()
        let data = try JSONSerialization.data(withJSONObject: texts)
        Thread.detachNewThread {
            try? input.fileHandleForWriting.write(contentsOf: data)
            try? input.fileHandleForWriting.close()
        }
        let answer = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return try #require(try JSONSerialization.jsonObject(with: answer) as? [Any])
    }

    @Test("a damaged file is refused at a position in it, or says what tomllib reads") func agreesWithPython() throws {
        let texts = Self.damaged(3000) + Self.whole.unicodeScalars.indices.map { String(Self.whole[..<$0]) }
        var accepted = 0
        for (text, answer) in zip(texts, try Self.answers(texts)) {
            let parsed = TOMLParser.parse(bytes: Array(text.utf8), path: "f")
            // By characters, a carriage return and a line feed are one.
            let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            for diagnostic in parsed.diagnostics.all {
                let position = try #require(diagnostic.position)
                #expect(1...lines.count ~= position.line)
            }
            guard !parsed.diagnostics.hasErrors else { continue }
            accepted += 1
            let expected = try #require(answer as? [String: Any], "tomllib refuses \(text.debugDescription)")
            #expect(
                Self.object(parsed.entries) as NSDictionary == Self.withoutEmpty(expected) as NSDictionary,
                "\(text.debugDescription)")
        }
        #expect(accepted > 500)
    }

    private static func object(_ entries: [TOMLEntry]) -> [String: Any] {
        var object: [String: Any] = [:]
        for entry in entries {
            let value: Any =
                switch entry.value {
                case .string(let text): text
                case .strings(let texts): texts
                case .integer(let number): number
                case .decimal(let text): Double(text) ?? .nan
                case .boolean(let flag): flag
                }
            if entry.table.isEmpty {
                object[entry.key] = value
            } else {
                var table = object[entry.table] as? [String: Any] ?? [:]
                table[entry.key] = value
                object[entry.table] = table
            }
        }
        return object
    }

    // A table without keys is none here.
    private static func withoutEmpty(_ object: [String: Any]) -> [String: Any] {
        object.filter { ($0.value as? [String: Any])?.isEmpty != true }
    }
}
