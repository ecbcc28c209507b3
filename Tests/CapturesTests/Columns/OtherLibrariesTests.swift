import Testing

@testable import Columns
@testable import TestSupport

/// Arrow files and streams of pyarrow, polars, pandas and DuckDB, and ours with them.
@Suite struct OtherLibrariesTests {
    @Test func filesOfOthersAreRead() throws {
        let folder = try TemporaryFolder()
        let seeds = Exhaustive.count(120, whole: 3000)
        #expect(try Self.columns("write", folder.path, "\(seeds)") == "")
        let names = folder.names.filter { $0.hasSuffix(".arrow") }
        #expect(names.count == seeds + 24 + 3 + 2)
        for name in names {
            let bytes = try #require(folder.bytes(of: name))
            let expected = try #require(folder[name.replacing(".arrow", with: ".lines")])
            let lines = expected.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
            try Self.expect(bytes, name, gives: lines)
        }
    }

    @Test func ourFilesAreReadByOthers() throws {
        let folder = try TemporaryFolder()
        for seed in UInt64(1)...UInt64(Exhaustive.count(60, whole: 600)) {
            let drawn = DrawnColumns(seed: seed)
            try Self.expect(drawn.bytes, drawn.name, gives: drawn.lines)
            try folder.write(drawn.bytes, to: "\(drawn.name).arrow")
            try folder.write(drawn.linesInNanoseconds.map { $0 + "\n" }.joined(), to: "\(drawn.name).lines")
        }
        let differences = try Self.columns("read", folder.path)
        #expect(differences.isEmpty, "\(differences)")
    }

    private static func expect(_ bytes: [UInt8], _ name: String, gives lines: [String]) throws {
        do throws(ColumnFailure) {
            for part in [nil, 1, 3] {
                #expect(try ColumnLines.read(bytes, part: part) == lines, "\(name), \(part ?? 0) rows at a time")
            }
            // A file is read from its end, a stream also through a pipe.
            if !bytes.starts(with: Array("ARROW1".utf8)) {
                #expect(try ColumnLines.read(bytes, isPipe: true) == lines, "\(name) through a pipe")
            }
        } catch {
            Issue.record("\(name): \(error)")
        }
    }

    private static func columns(_ arguments: String...) throws -> String {
        try Python.columns.output(of: "CapturesTests/Columns/Tooling/columns.py", arguments)
    }
}
