import Documents
import Testing

@testable import TestSupport

@Suite struct DocumentReaderTests {
    private typealias Reading = @Sendable (inout DocumentReader, Node) -> Any?

    /// The reading of the texts of a case, by its name.
    private static let readings: [String: Reading] = [
        "text": { $0.text($1, "`label`") },
        "a whole number from 1 to 28": { $0.integer($1, "`billing-day`", in: 1...28) },
        "any whole number": { $0.integer($1, "`seed`", in: .min ... .max) },
        "a whole number of at least 1": { $0.integer($1, "`count`", in: 1 ... .max) },
        "a whole number of at most 5": { $0.integer($1, "`depth`", in: .min...5) },
        "true or false": { $0.boolean($1, "`risk`") }, "on or off": { $0.onOff($1, "`arc`") },
        "a duration": { $0.duration($1, "`grace`") },
        "one of three words": { $0.choice($1, "`ip-tracking`", from: ["none", "token", "full"]) },
        "the only word": { $0.choice($1, "`ip-tracking`", from: ["only"]) },
        "a list": { reader, node in reader.sequence(node, "`devices`").map { "\($0.count) entries" } },
        "a list of texts": { reader, node in
            reader.texts(node, "`flags`")?.map { "\($0.text) at \($0.position)" }.joined(separator: ", ")
        },
        "a mapping": { reader, node in reader.mapping(node, "a device").map { "\($0.entries.count) in \($0.what)" } },
    ]

    private static let files = CaseFile.all(in: "Tables/words", ending: "readings.txt")

    // Each text with the value that is read, or with what is wrong in it.
    @Test(arguments: files) func reads(_ file: CaseFile) throws {
        try file.expectActual { example in
            let reading = try #require(Self.readings[example.name])
            return try TextCase.lines(example) { line in
                let document = YAMLParser.parse(SourceFile(path: "file.yaml", text: line))
                var reader = DocumentReader(document)
                let value = reading(&reader, try #require(document.root))
                let problems = MarkedText.found(reader.diagnostics)
                return (value.map { ["\($0)"] } ?? []).joined() + problems.joined(separator: ", ")
            }
        }
    }

    @Test func warningsAreKeptApart() {
        let marked = MarkedText("a: ①b\n")
        var reader = DocumentReader(source: marked.source)
        reader.warning("odd", at: SourcePosition(line: 1, column: 4), hint: "look")
        #expect(!reader.diagnostics.hasErrors)
        expect(
            reader.diagnostics.all.map(\.rendered),
            equals: ["file.yaml:1:4: warning: odd\n  a: b\n     ^\n  hint: look"])
    }

    @Test func aHundredErrorsAreEnough() {
        var reader = DocumentReader(source: SourceFile(path: "file.yaml", text: "a: b\n"))
        for column in 1...150 { reader.error("wrong", at: SourcePosition(line: 1, column: column)) }
        #expect(reader.isFull)
        expect(reader.diagnostics.all.count, equals: 101)
    }
}
