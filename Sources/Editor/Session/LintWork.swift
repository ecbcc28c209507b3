internal import Analysis
internal import Documents
internal import PolicyEngine

/// A check of a document, which does not keep its client from typing.
package struct LintWork: Sendable {
    let path: String
    let version: Int
    let positions: TextPositions
    let workspace: Workspace
    let encoding: PositionEncoding

    /// The problems that a check has found, by file.
    package struct Outcome: Sendable {
        let path: String
        let version: Int
        /// By path; that of the document is always there.
        let problems: [String: JSONValue]
        let diagnostics: [Diagnostic]
        /// The files that the document names.
        let named: Set<String>
    }

    /// Checks the document.
    package func run() -> Outcome {
        let file = AnalysedFile(path: path, positions: positions, isWalked: false)
        guard file.kind != nil else {
            return Outcome(path: path, version: version, problems: [path: .array([])], diagnostics: [], named: [])
        }
        var linter = Linter(within: workspace.boundary, over: workspace.overlay)
        linter.add(file.document)
        let all = linter.finish().diagnostics.all
        let own = all.filter { $0.file == path }
        var files = [path: ProblemWriter(file, encoding, of: own)]
        var problems: [String: [JSONValue]] = [path: []]
        for diagnostic in all {
            let writer =
                files[diagnostic.file]
                ?? AnalysedFile(path: diagnostic.file, over: workspace.overlay).map { ProblemWriter($0, encoding) }
            guard let writer else { continue }
            files[diagnostic.file] = writer
            problems[diagnostic.file, default: []].append(writer.value(of: diagnostic))
        }
        return Outcome(
            path: path, version: version, problems: problems.mapValues { .array($0) },
            diagnostics: own, named: Set(file.accountFiles))
    }
}

/// Writes the problems of a file as a client takes them.
struct ProblemWriter {
    private var file: AnalysedFile
    private let lines: ParserLines
    private let encoding: PositionEncoding

    init(_ file: AnalysedFile, _ encoding: PositionEncoding) {
        (self.file, self.encoding) = (file, encoding)
        lines = ParserLines(file.positions)
    }

    /// For some problems of a file whose tokens were not found yet.
    init(_ file: AnalysedFile, _ encoding: PositionEncoding, of diagnostics: [Diagnostic]) {
        self.init(file, encoding)
        let places = diagnostics.compactMap(\.position).map { file.positions.scalar(ofByte: lines.byte(at: $0)) }
        self.file.walk(at: places.sorted())
    }

    /// The bytes that a problem is about: from its position to the end of the token, or of the word.
    func range(of diagnostic: Diagnostic) -> Range<Int> {
        guard let position = diagnostic.position else {
            let line = file.positions.line(max(0, (diagnostic.line ?? 1) - 1))
            return line
        }
        let byte = lines.byte(at: position)
        let line = file.positions.line(file.positions.line(ofByte: byte))
        let scalar = file.positions.scalar(ofByte: byte)
        if let token = file.token(at: scalar), token.range.lowerBound == scalar, !token.range.isEmpty {
            let end = file.positions.byte(ofScalar: token.range.upperBound)
            return byte..<max(byte, min(end, line.upperBound))
        }
        let word = file.positions.bytes[byte..<max(byte, line.upperBound)].prefix { !Self.ends.contains($0) }
        return byte..<byte + word.count
    }

    private static let ends = Set(" \t:,]}".utf8)

    /// A problem.
    func value(of diagnostic: Diagnostic) -> JSONValue {
        let hint = diagnostic.hint.map { "\n\($0)" } ?? ""
        var members: [(key: String, value: JSONValue)] = [
            ("range", file.positions.json(range(of: diagnostic), encoding)),
            ("severity", .integer(diagnostic.severity == .error ? 1 : 2)), ("source", .string("scenario")),
            ("message", .string(diagnostic.message + hint)),
        ]
        if let code = diagnostic.lintCode {
            members.append(("code", .string(code)))
            members.append(("codeDescription", .ordered([("href", .string(diagnostic.helpLink))])))
        }
        return .ordered(members)
    }
}

extension TextPositions {
    /// Some bytes as a range of LSP.
    func json(_ range: Range<Int>, _ encoding: PositionEncoding) -> JSONValue {
        .ordered([
            ("start", position(ofByte: range.lowerBound, encoding).json),
            ("end", position(ofByte: range.upperBound, encoding).json),
        ])
    }
}

extension TextPosition {
    var json: JSONValue { .ordered([("line", .integer(line)), ("character", .integer(character))]) }

    /// Reads a position of LSP.
    init?(_ content: JSONContent?) {
        guard let line = content?["line"]?.integer, let character = content?["character"]?.integer, line >= 0,
            character >= 0
        else { return nil }
        self.init(line: line, character: character)
    }
}
