import CLibrary
import Foundation
import Testing

@testable import Documents
@testable import TestSupport

/// Files that are written whole or not at all.
@Suite struct OutputFileTests {
    private static func write(_ text: String, to path: String, finishing: Bool = true) throws {
        var file = try OutputFile(path: path)
        try file.write(Array(text.utf8))
        if finishing { try file.finish() }
    }

    private static func text(_ path: String) -> String? {
        (try? TextFile.bytes(path: path)).map { String(decoding: $0, as: UTF8.self) }
    }

    private static func mode(_ path: String) -> mode_t {
        var status = stat()
        return unsafe lstat(path, &status) == 0 ? status.st_mode : 0
    }

    @Test func takesThePlaceOfWhatWasThereOnceItIsFinished() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("earlier", to: "out")
        try Self.write("later", to: path, finishing: false)
        expect(Self.text(path), equals: "earlier")
        try Self.write("later", to: path)
        expect(Self.text(path), equals: "later")
        try expect(FolderListing.names(in: folder.path).map(\.text).sorted(), equals: [".", "..", "out"])
    }

    @Test func aSecretFolderIsItsOwnersAlone() throws {
        let folder = try TemporaryFolder()
        var output = try OutputFile.folder(folder.path("secret"), isSecret: true)
        try output.append([0x61], to: "file")
        try output.finish()
        expect(folder["secret/file"], equals: "a")
        for path in ["secret", "secret/file"] { expect(Self.mode(folder.path(path)) & 0o077, equals: 0, "\(path)") }
    }

    @Test(arguments: [0o600, 0o640, 0o444, 0o755] as [mode_t]) func theModeStays(mode: mode_t) throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("earlier", to: "out")
        unsafe expect(chmod(path, mode), equals: 0)
        try Self.write("later", to: path)
        expect(Self.mode(path), equals: S_IFREG | mode)
    }

    struct Link: LabelledRow {
        let name: String
        let target: String
        var isThere = true
    }

    static let links = [
        Link(name: "a link", target: "deep/target"), Link(name: "a link by way of another", target: "other"),
        Link(name: "a link to what is not there yet", target: "deep/target", isThere: false),
        Link(name: "two links to what is not there yet", target: "other", isThere: false),
    ]

    @Test(arguments: links) func linksAreFollowed(_ link: Link) throws {
        let folder = try TemporaryFolder()
        try folder.write("", to: "deep/beside")
        if link.isThere { try folder.write("earlier", to: "deep/target") }
        unsafe expect(symlink("deep/../deep/target", folder.path("other")), equals: 0)
        unsafe expect(symlink(link.target, folder.path("link")), equals: 0)
        try Self.write("later", to: folder.path("link"))
        expect(Self.mode(folder.path("link")) & S_IFMT, equals: S_IFLNK)
        expect(Self.mode(folder.path("deep/target")) & S_IFMT, equals: S_IFREG)
        expect(Self.text(folder.path("deep/target")), equals: "later")
    }

    @Test func whatLiesBesideIsNotTouched() throws {
        let folder = try TemporaryFolder()
        try folder.write("precious", to: "precious")
        unsafe expect(symlink("precious", folder.path("out.partial")), equals: 0)
        try Self.write("later", to: folder.path("out"))
        expect(Self.text(folder.path("precious")), equals: "precious")
        expect(Self.text(folder.path("out")), equals: "later")
    }

    @Test func aPipeIsWrittenTo() throws {
        let folder = try TemporaryFolder()
        unsafe expect(mkfifo(folder.path("fifo"), 0o600), equals: 0)
        let reading = unsafe open(folder.path("fifo"), O_RDONLY | O_NONBLOCK)
        defer { close(reading) }
        try Self.write("later", to: folder.path("fifo"))
        var bytes = [UInt8](repeating: 0, count: 10)
        unsafe expect(read(reading, &bytes, bytes.count), equals: 5)
        expect(Self.mode(folder.path("fifo")) & S_IFMT, equals: S_IFIFO)
    }

    @Test(arguments: ["/dev/fd/", "/proc/self/fd/"]) func whatIsOpenIsWrittenOn(names: String) throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("earlier ", to: "out")
        let descriptor = unsafe open(path, O_WRONLY | O_APPEND)
        defer { close(descriptor) }
        try Self.write("later", to: "\(names)\(descriptor)")
        expect(Self.text(path), equals: "earlier later")
    }

    @Test func deviceFilesStay() throws {
        try Self.write("gone", to: "/dev/null")
        expect(Self.mode("/dev/null") & S_IFMT, equals: S_IFCHR)
    }

    static let failures = [
        ("missing/out", "no such file or directory"), ("", "is a directory"), ("file/out", "not a directory"),
    ]

    @Test(arguments: failures) func saysWhyNot(name: String, reason: String) throws {
        let folder = try TemporaryFolder()
        try folder.write("", to: "file")
        #expect(throws: FileFailure.self) { try Self.write("", to: folder.path(name)) }
        do {
            try Self.write("", to: folder.path(name))
        } catch {
            expect("\(error)", equals: reason)
        }
    }

    @Test func hardLinksAreRefused() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("earlier", to: "out")
        unsafe expect(link(path, folder.path("other")), equals: 0)
        #expect(throws: FileFailure("the file has 2 names (hard links), of which only this one would be replaced")) {
            try Self.write("later", to: path)
        }
        expect(Self.text(path), equals: "earlier")
        expect(folder.names, equals: ["other", "out"])
    }

    @Test func ownerAndGroupStay() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("earlier", to: "out")
        // Only root may give a file away.
        let owner: uid_t = getuid() == 0 ? 12_345 : getuid()
        unsafe expect(chown(path, owner, getuid() == 0 ? 23_456 : getgid()), equals: 0)
        var (before, after) = (stat(), stat())
        unsafe expect(stat(path, &before), equals: 0)
        try Self.write("later", to: path)
        unsafe expect(stat(path, &after), equals: 0)
        #expect((after.st_uid, after.st_gid) == (before.st_uid, before.st_gid))
        expect(after.st_uid, equals: owner)
    }

    @Test func secretsAreForTheirOwner() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("earlier", to: "out")
        unsafe expect(chmod(path, 0o666), equals: 0)
        var file = try OutputFile(path: path, isSecret: true)
        try file.write(Array("later".utf8))
        try file.finish()
        expect(Self.mode(path), equals: S_IFREG | 0o600)
    }

    @Test(arguments: ["n", String(repeating: "n", count: 255), String(repeating: "é", count: 127)])
    func namesMayBeLong(name: String) throws {
        let folder = try TemporaryFolder()
        let abandoned = Leftover(of: folder.path(name), id: Leftover.newID(), .partial).path
        try folder.write("half", to: FileLocation.split(abandoned).name)
        try Self.write("whole", to: folder.path(name))
        expect(folder.names, equals: [name])
    }
}

/// The SHA-256 of files, against the examples of FIPS 180-4 and another implementation.
@Suite struct FileDigestTests {
    struct Row: LabelledRow {
        let name, text, digest: String
    }

    static let rows = [
        Row(name: "nothing", text: "", digest: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        Row(name: "abc", text: "abc", digest: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        Row(
            name: "two blocks", text: "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            digest: "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"),
        Row(
            name: "a million", text: String(repeating: "a", count: 1_000_000),
            digest: "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
    ]

    @Test(arguments: rows) func digestsAreThoseOfTheStandard(_ row: Row) throws {
        let folder = try TemporaryFolder(["file": row.text])
        let digest = try #require(FileDigest(path: folder.path("file")))
        #expect(digest.text == row.digest && digest.size == row.text.utf8.count)
    }

    @Test func whatIsNoFileHasNone() throws {
        let folder = try TemporaryFolder(["folder/": ""])
        #expect(FileDigest(path: folder.path("nothing")) == nil)
        #expect(FileDigest(path: folder.path("folder")) == nil)
        #expect(FileDigest(path: "/dev/null") == nil)
    }
}
