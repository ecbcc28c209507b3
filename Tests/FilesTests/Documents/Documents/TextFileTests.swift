import CLibrary
import Foundation
import Testing

@testable import Documents
@testable import TestSupport

/// Files that are read as a whole, and which ones may be named.
@Suite struct TextFileTests {
    private static func failure(_ path: String) -> FileFailure? {
        do throws(FileFailure) {
            _ = try TextFile.bytes(path: path)
            return nil
        } catch {
            return error
        }
    }

    @Test("a file is read whole, however long", arguments: [0, 1, 65_535, 65_536, 65_537, 200_000])
    func reads(count: Int) throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let folder = try TemporaryFolder()
        let path = try folder.write(bytes, to: "file")
        try expect(TextFile.bytes(path: path), equals: bytes)
    }

    @Test("what is no file says so at once") func otherThings() throws {
        let folder = try TemporaryFolder()
        unsafe expect(mkfifo(folder.path("fifo"), 0o600), equals: 0)
        expect(Self.failure(folder.path("none"))?.description, equals: "no such file or directory")
        expect(Self.failure(folder.path)?.description, equals: "is a directory")
        expect(Self.failure(folder.path("fifo")), equals: .notRegular)
        expect(Self.failure("/dev/zero"), equals: .notRegular)
    }

    @Test("a pipe that nobody reads is distinguished from other failures") func closedPipes() {
        #expect(FileFailure(EPIPE).isClosedPipe && FileFailure(EPIPE).description == "broken pipe")
        #expect(!FileFailure(ENOENT).isClosedPipe && !FileFailure("odd").isClosedPipe)
    }

    @Test("a file may name those in its own folder and below it, and links lead nowhere else") func boundary() throws {
        let folder = try TemporaryFolder(["a/x.yaml": "", "a/sub/y": "", "a-more/y": "", "b/y": ""])
        unsafe expect(symlink(folder.path("b/y"), folder.path("a/link")), equals: 0)
        let boundary = FileBoundary().adding(folderOf: folder.path("a/x.yaml"))
        let names = ["a/y", "a/sub/y", "a/sub/../y", "a-more/y", "b/y", "a/../b/y", "a/link", "a"]
        expect(names.filter { boundary.contains(folder.path($0)) }, equals: ["a/y", "a/sub/y", "a/sub/../y"])
        let wider = FileBoundary(namedBy: [folder.path("b"), ""]).adding(folderOf: folder.path("a/x.yaml"))
        expect(
            names.filter { wider.contains(folder.path($0)) },
            equals: Array(names.dropLast()).filter { $0 != "a-more/y" })
        #expect(!FileBoundary().contains(folder.path("b/y")))
        #expect(FileBoundary.anywhere.adding(folderOf: folder.path("a/x.yaml")).contains(folder.path("b/y")))
        #expect(FileBoundary(namedBy: ["/"]).contains(folder.path("b/y")))
    }

    @Test("an outside file is named, with what helps") func outside() {
        let error = FileBoundary().refusal(of: "key file `x`")
        expect(error.description, equals: "key file `x` is outside the scenario's folder")
        expect(error.hint, equals: "name the folder that holds both, or give `--allow-outside`")
        let inAnEditor = FileBoundary(namedBy: ["a"], hint: "open it").adding(folderOf: "b/x.yaml")
        expect(inAnEditor.refusal(of: "file `x`").hint, equals: "open it")
    }
}

@Suite struct SourceFileTests {
    struct Row: LabelledRow {
        let name, text: String
        let lines: [String]
    }

    static let rows = [
        Row(name: "empty", text: "", lines: [""]),
        Row(name: "no final break", text: "one\ntwo", lines: ["one", "two"]),
        Row(name: "LF", text: "one\n\ntwo\n", lines: ["one", "", "two", ""]),
        Row(name: "CR LF", text: "one\r\n\r\ntwo\r\n", lines: ["one", "", "two", ""]),
        Row(name: "CR", text: "one\r\rtwo\r", lines: ["one", "", "two", ""]),
        Row(
            name: "the others of YAML", text: "one\u{85}two\u{2028}three\u{2029}four",
            lines: ["one", "two", "three", "four"]),
        Row(name: "byte order mark", text: "\u{FEFF}one\ntwo", lines: ["one", "two"]),
        Row(name: "characters of many bytes", text: "é\n€\n😀", lines: ["é", "€", "😀"]),
        Row(
            name: "characters that begin like breaks", text: "\u{A9}\u{2020}\n\u{2026}",
            lines: ["\u{A9}\u{2020}", "\u{2026}"]),
    ]

    @Test(arguments: rows) func findsEveryLine(_ row: Row) {
        let source = SourceFile(path: "file.yaml", text: row.text)
        expect((1...row.lines.count).map { source.line($0) }, equals: row.lines)
    }

    @Test(arguments: rows) func thereAreNoOtherLines(_ row: Row) {
        let source = SourceFile(path: "file.yaml", text: row.text)
        for number in [Int.min, -1, 0, row.lines.count + 1, Int.max] { #expect(source.line(number) == nil) }
    }

    @Test func positionsAreOrderedByLineThenColumn() {
        let positions = [(2, 1), (1, 9), (1, 2)].map { SourcePosition(line: $0.0, column: $0.1) }
        expect(positions.sorted().map(\.description), equals: ["1:2", "1:9", "2:1"])
    }

    // The position of a byte, found from the start: behind the first byte of a line break is the next line.
    private static func position(_ target: Int, in text: String) -> SourcePosition {
        var (line, column, offset) = (1, 1, 0)
        let scalars = Array(text.unicodeScalars)
        for (index, scalar) in scalars.enumerated() where offset < target {
            let isSecondOfTwo = scalar == "\n" && index > 0 && scalars[index - 1] == "\r"
            offset += UTF8.width(scalar)
            if "\n\r\u{85}\u{2028}\u{2029}".unicodeScalars.contains(scalar) {
                if !isSecondOfTwo { (line, column) = (line + 1, 1) }
            } else {
                column += 1
            }
        }
        return SourcePosition(line: line, column: column)
    }

    @Test(arguments: Exhaustive.seeds(1...2000, each: 20)) func bytesAreWhereAWalkComesToThem(seed: UInt64) {
        var chance = Chance(seed: seed)
        let pieces = ["a", "é", "😀", "\r", "\n", "\r\n", "\u{85}", "\u{2028}", "\u{2029}"]
        let text = (0..<chance.below(12)).map { _ in chance.pick(pieces) }.joined()
        let file = SourceFile(path: "f", text: text)
        var starts = [0]
        for scalar in text.unicodeScalars { starts.append(starts[starts.count - 1] + UTF8.width(scalar)) }
        for start in starts + [starts[starts.count - 1] + 3] {
            expect(
                file.position(ofByte: start), equals: Self.position(start, in: text),
                "\(text.debugDescription), \(start)")
        }
    }
}

/// Paths that lead to one file, or do not.
@Suite struct FileLocationTests {
    @Test func whatIsThereIsKnownByMoreThanItsName() throws {
        let folder = try TemporaryFolder(["a": "", "b": "", "inner/c": ""])
        try FileManager.default.linkItem(atPath: folder.path("a"), toPath: folder.path("hard"))
        try FileManager.default.createSymbolicLink(atPath: folder.path("soft"), withDestinationPath: "a")
        let location = FileLocation(folder.path("a"))
        for name in ["a", "hard", "soft", "inner/../a", "./a"] {
            #expect(location.isSame(as: FileLocation(folder.path(name))), "\(name)")
        }
        #expect(!location.isSame(as: FileLocation(folder.path("b"))))
        #expect(!location.isSame(as: FileLocation(folder.path("inner/a"))))
    }

    @Test func aFolderAndALinkToNothingAreThereOrNot() throws {
        let folder = try TemporaryFolder(["a": "", "inner/c": ""])
        try FileManager.default.createSymbolicLink(atPath: folder.path("soft"), withDestinationPath: "none")
        for name in ["a", "inner", "inner/c"] { #expect(FileLocation(folder.path(name)).isThere, "\(name)") }
        for name in ["b", "soft", "inner/d"] { #expect(!FileLocation(folder.path(name)).isThere, "\(name)") }
        // The system does not say that nothing is behind a file.
        #expect(FileLocation(folder.path("a/b")).isThere)
    }

    @Test func whatIsNotThereIsKnownByItsNameAndFolder() throws {
        let folder = try TemporaryFolder(["a": "", "inner/c": ""])
        let location = FileLocation(folder.path("new"))
        #expect(location.isSame(as: FileLocation(folder.path("inner/../new"))))
        #expect(!location.isSame(as: FileLocation(folder.path("inner/new"))))
        #expect(!location.isSame(as: FileLocation(folder.path("a"))))
    }
}

/// Stamps of files change with whatever is written.
@Suite struct FileStampTests {
    @Test("a rewrite of the same length that sets the old time back") func aRewriteWithTheOldTime() throws {
        let folder = try TemporaryFolder(["file": "policy: one\n"])
        let path = folder.path("file")
        let before = try #require(FileStamp(of: path))
        let time = try #require(try FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date)
        // The clock of a file system goes by steps of some milliseconds.
        var isChanged = false
        for _ in 0..<100_000 where !isChanged {
            try folder.write("policy: two\n", to: "file")
            try FileManager.default.setAttributes([.modificationDate: time], ofItemAtPath: path)
            isChanged = FileStamp(of: path) != before
        }
        #expect(isChanged)
    }

    @Test("a file that nobody touches keeps its stamp, and one that is gone has none") func others() throws {
        let folder = try TemporaryFolder(["file": "x"])
        let before = try #require(FileStamp(of: folder.path("file")))
        expect(FileStamp(of: folder.path("file")), equals: before)
        try folder.remove("file")
        #expect(FileStamp(of: folder.path("file")) == nil)
    }
}
