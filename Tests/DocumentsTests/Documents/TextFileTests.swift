import CLibrary
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
        #expect(try TextFile.bytes(path: path) == bytes)
    }

    @Test("what is no file says so at once") func otherThings() throws {
        let folder = try TemporaryFolder()
        #expect(unsafe mkfifo(folder.path("fifo"), 0o600) == 0)
        #expect(Self.failure(folder.path("none"))?.description == "no such file or directory")
        #expect(Self.failure(folder.path)?.description == "is a directory")
        #expect(Self.failure(folder.path("fifo")) == .notRegular)
        #expect(Self.failure("/dev/zero") == .notRegular)
    }

    @Test("a pipe that nobody reads is distinguished from other failures") func closedPipes() {
        #expect(FileFailure(EPIPE).isClosedPipe && FileFailure(EPIPE).description == "broken pipe")
        #expect(!FileFailure(ENOENT).isClosedPipe && !FileFailure("odd").isClosedPipe)
    }

    @Test("a file may name those in its own folder and below it, and links lead nowhere else") func boundary() throws {
        let folder = try TemporaryFolder(["a/x.yaml": "", "a/sub/y": "", "a-more/y": "", "b/y": ""])
        #expect(unsafe symlink(folder.path("b/y"), folder.path("a/link")) == 0)
        let boundary = FileBoundary().adding(folderOf: folder.path("a/x.yaml"))
        let names = ["a/y", "a/sub/y", "a/sub/../y", "a-more/y", "b/y", "a/../b/y", "a/link", "a"]
        #expect(names.filter { boundary.contains(folder.path($0)) } == ["a/y", "a/sub/y", "a/sub/../y"])
        let wider = FileBoundary(namedBy: [folder.path("b"), ""]).adding(folderOf: folder.path("a/x.yaml"))
        #expect(names.filter { wider.contains(folder.path($0)) } == Array(names.dropLast()).filter { $0 != "a-more/y" })
        #expect(!FileBoundary().contains(folder.path("b/y")))
        #expect(FileBoundary.anywhere.adding(folderOf: folder.path("a/x.yaml")).contains(folder.path("b/y")))
        #expect(FileBoundary(namedBy: ["/"]).contains(folder.path("b/y")))
    }

    @Test("an outside file is named, with what helps") func outside() {
        let error = FileBoundary().refusal(of: "key file `x`")
        #expect(error.description == "key file `x` is outside the scenario's folder")
        #expect(error.hint == "name the folder that holds both, or give `--allow-outside`")
        let inAnEditor = FileBoundary(namedBy: ["a"], hint: "open it").adding(folderOf: "b/x.yaml")
        #expect(inAnEditor.refusal(of: "file `x`").hint == "open it")
    }
}
