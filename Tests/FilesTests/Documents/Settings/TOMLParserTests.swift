import Foundation
import Testing

@testable import Documents
@testable import TestSupport

/// The part of TOML that is read, against a list of cases and against Python's `tomllib`.
@Suite struct TOMLParserTests {
    private static let files = CaseFile.all(in: "Tables/toml", ending: ".toml")

    // `table.key=value` of each entry, and each mistake at its place.
    @Test(arguments: files) func reads(_ file: CaseFile) throws {
        try file.expectActual { example in
            TextCase.text(example) { marked in
                let parsed = TOMLParser.parse(bytes: Array(marked.text.utf8), path: "f")
                return parsed.entries.map(Self.content)
                    + parsed.diagnostics.all.map { diagnostic in
                        let marker = marked.positions.first { $0.value == diagnostic.position }?.key
                        return "\(marker.map(String.init) ?? "at the end:") \(diagnostic.message)"
                    }
            }
        }
    }

    @Test func controlCharactersAreNoText() {
        #expect(TOMLParser.parse(bytes: Array("# a comment\n\n \t# another\r\n".utf8), path: "f").diagnostics.isEmpty)
        let found = TOMLParser.parse(bytes: Array("a = 'x\u{7F}'".utf8), path: "f").diagnostics.all
        expect(found.map(\.position), equals: [SourcePosition(line: 1, column: 5)])
        #expect(found.allSatisfy { $0.message.hasPrefix("a text has a control character") })
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
            expect(again.entries.map(Self.content), equals: first.entries.map(Self.content), "\(text)")
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
            expect(
                Self.object(parsed.entries) as NSDictionary, equals: Self.withoutEmpty(expected) as NSDictionary,
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
