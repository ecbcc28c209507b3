import CLibrary
import Testing

@testable import Documents
@testable import TestSupport

/// Files that change together or not at all, and the recovery from changes that were cut off.
@Suite struct JointReplacementTests {
    private static func replace(_ files: [JointReplacement.File], in folder: TemporaryFolder) throws {
        let lock = try FolderLock(ofFoldersOf: files.map(\.path))
        try JointReplacement.replace(files, lock: lock)
    }

    private static func file(
        _ name: String, in folder: TemporaryFolder, expected: String?, content: String?
    ) -> JointReplacement.File {
        JointReplacement.File(
            path: folder.path(name), expected: expected.map { Array($0.utf8) }, content: content.map { Array($0.utf8) })
    }

    @Test func bothChange() throws {
        let folder = try TemporaryFolder(["a": "old", "b": "old"])
        try Self.replace(
            [
                Self.file("new", in: folder, expected: nil, content: "made"),
                Self.file("a", in: folder, expected: "old", content: "changed"),
                Self.file("b", in: folder, expected: "old", content: nil),
            ], in: folder)
        #expect(folder.names == ["a", "b", "new"])
        #expect([folder["a"], folder["b"], folder["new"]] == ["changed", "old", "made"])
    }

    struct Surprise: LabelledRow {
        let name: String
        let files: [String: String]
    }

    static let surprises = [
        Surprise(name: "the first changed", files: ["a": "edited", "b": "old"]),
        Surprise(name: "the last changed", files: ["a": "old", "b": "edited"]),
        Surprise(name: "one that is only looked at changed", files: ["a": "old", "b": "old", "c": "edited"]),
        Surprise(name: "one is gone", files: ["b": "old"]),
        Surprise(name: "one is there", files: ["a": "old", "b": "old", "new": ""]),
    ]

    @Test(arguments: surprises) func nothingChanges(_ row: Surprise) throws {
        let folder = try TemporaryFolder(row.files)
        #expect(throws: JointReplacement.Failure.self) {
            try Self.replace(
                [
                    Self.file("new", in: folder, expected: nil, content: "made"),
                    Self.file("a", in: folder, expected: "old", content: "changed"),
                    Self.file("c", in: folder, expected: row.files["c"].map { _ in "old" }, content: nil),
                    Self.file("b", in: folder, expected: "old", content: "changed"),
                ], in: folder)
        }
        #expect(folder.names == row.files.keys.sorted())
        for (name, text) in row.files { #expect(folder[name] == text) }
    }

    struct Leftover: LabelledRow {
        let name: String
        /// The files that a command left; `ID` stands for its ID.
        let files: [String: String]
        /// The files that are there once somebody has the lock for `a` and `k`.
        let result: [String: String]
    }

    static let leftovers = [
        Leftover(name: "nothing", files: ["a": "old"], result: ["a": "old"]),
        Leftover(
            name: "before the first", files: ["a": "old", ".a.ID.partial": "ne", ".k.ID.partial": "new"],
            result: ["a": "old"]),
        Leftover(
            name: "before the first, noted",
            files: ["a": "old", ".a.ID.partial": "new", ".k.ID.partial": "new", ".k.ID.absent": ""],
            result: ["a": "old"]),
        Leftover(
            name: "between", files: ["k": "new", "a": "old", ".k.ID.absent": "", ".a.ID.partial": "new"],
            result: ["a": "old"]),
        Leftover(
            name: "between, with an old one",
            files: ["k": "new", "a": "old", ".k.ID.undo": "old", ".a.ID.partial": "new", ".a.ID.undo": "old"],
            result: ["a": "old", "k": "old"]),
        Leftover(
            name: "after both", files: ["k": "new", "a": "new", ".k.ID.absent": "", ".a.ID.undo": "old"],
            result: ["a": "new", "k": "new"]),
        Leftover(
            name: "of another file", files: ["a": "old", ".b.ID.partial": "new"],
            result: ["a": "old", ".b.ID.partial": "new"]),
        Leftover(
            name: "what only looks so",
            files: ["a": "old", ".a.partial": "", ".a.short.partial": "", "a.ID.partial": "", ".a.ID.swp": ""],
            result: ["a": "old", ".a.partial": "", ".a.short.partial": "", "a.ID.partial": "", ".a.ID.swp": ""]),
    ]

    @Test(arguments: leftovers) func cutOffChangesAreUndoneOrFinished(_ row: Leftover) throws {
        let id = WorkingName.newID()
        let named = { (files: [String: String]) in
            Dictionary(uniqueKeysWithValues: files.map { ($0.key.replacing("ID", with: id), $0.value) })
        }
        // As the system does it: the notes of a change come after its files were written.
        let (files, folder) = (named(row.files), try TemporaryFolder())
        for (name, text) in files.sorted(by: { $0.key > $1.key }) { try folder.write(text, to: name) }
        for name in files.keys where !name.hasPrefix(".") { try Self.date(folder.path(name), 1_000_000_000) }
        _ = try FolderLock(ofFoldersOf: [folder.path("a"), folder.path("k")])
        let result = named(row.result)
        #expect(folder.names == result.keys.sorted())
        for (name, text) in result { #expect(folder[name] == text) }
    }

    private static func date(_ path: String, _ seconds: Int) throws {
        let times = Array(repeating: timespec(tv_sec: seconds, tv_nsec: 0), count: 2)
        #expect(unsafe utimensat(AT_FDCWD, path, times, 0) == 0)
    }

    @Test func whatWasWrittenAfterACutIsKept() throws {
        let id = WorkingName.newID()
        let folder = try TemporaryFolder(["a": "old", ".k.\(id).undo": "old", ".a.\(id).partial": "new"])
        try folder.write("somebody's work", to: "k")
        // Far from the clock's steps.
        try Self.date(folder.path("k"), 4_000_000_000)
        _ = try FolderLock(ofFoldersOf: [folder.path("a"), folder.path("k")])
        #expect(folder.names == ["a", "k"])
        #expect(folder["k"] == "somebody's work")
    }

    @Test func theSecondWaitsAndThenSaysSo() throws {
        let folder = try TemporaryFolder(["a": ""])
        let lock = try FolderLock(ofFoldersOf: [folder.path("a")])
        #expect(
            throws: FileFailure(
                "another command has been changing files in this folder for too long; try again later")
        ) {
            _ = try FolderLock(ofFoldersOf: [folder.path("b"), folder.path("a")], attempts: 2)
        }
        withExtendedLifetime(lock) {}
    }
}
