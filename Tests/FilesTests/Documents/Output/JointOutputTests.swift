import CLibrary
import Testing

@testable import Documents
@testable import TestSupport

/// Files that change together or not at all, and the recovery from changes that were cut off.
@Suite struct JointOutputTests {
    private static func replace(_ files: [OutputFile.Change], in folder: TemporaryFolder) throws {
        let lock = try FolderLock(ofFoldersOf: files.map(\.path))
        try OutputFile.replace(files, lock: lock)
    }

    private static func file(
        _ name: String, in folder: TemporaryFolder, expected: String?, content: String?
    ) -> OutputFile.Change {
        OutputFile.Change(
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
        expect(folder.names, equals: ["a", "b", "new"])
        expect([folder["a"], folder["b"], folder["new"]], equals: ["changed", "old", "made"])
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
        #expect(throws: OutputFile.Failure.self) {
            try Self.replace(
                [
                    Self.file("new", in: folder, expected: nil, content: "made"),
                    Self.file("a", in: folder, expected: "old", content: "changed"),
                    Self.file("c", in: folder, expected: row.files["c"].map { _ in "old" }, content: nil),
                    Self.file("b", in: folder, expected: "old", content: "changed"),
                ], in: folder)
        }
        expect(folder.names, equals: row.files.keys.sorted())
        for (name, text) in row.files { expect(folder[name], equals: text) }
    }

    private static let files = CaseFile.all(in: "Tables/words", ending: "leftovers.txt")

    // The files that a command left, `ID` for its ID, and those that are there once somebody has the lock for `a` and `k`.
    @Test(arguments: files) func cutOffChangesAreUndoneOrFinished(_ file: CaseFile) throws {
        try file.expectActual { example in
            try TextCase.text(example) { marked in
                let (id, folder) = (Leftover.newID(), try TemporaryFolder())
                let lines = marked.text.replacing("ID", with: id).split(separator: "\n")
                let files = lines.map { $0.split(separator: ": ").map(String.init) }
                // As the system does it: the notes of a change come after its files were written.
                for file in files.sorted(by: { $0[0] > $1[0] }) {
                    try folder.write(file.count > 1 ? file[1] : "", to: file[0])
                }
                for file in files where !file[0].hasPrefix(".") { try Self.date(folder.path(file[0]), 1_000_000_000) }
                _ = try FolderLock(ofFoldersOf: [folder.path("a"), folder.path("k")])
                return folder.names.map { name in
                    let text = folder[name] ?? ""
                    return name.replacing(id, with: "ID") + (text.isEmpty ? "" : ": \(text)")
                }
            }
        }
    }

    private static func date(_ path: String, _ seconds: Int) throws {
        let times = Array(repeating: timespec(tv_sec: seconds, tv_nsec: 0), count: 2)
        unsafe expect(utimensat(AT_FDCWD, path, times, 0), equals: 0)
    }

    @Test func whatWasWrittenAfterACutIsKept() throws {
        let id = Leftover.newID()
        let folder = try TemporaryFolder(["a": "old", ".k.\(id).undo": "old", ".a.\(id).partial": "new"])
        try folder.write("somebody's work", to: "k")
        // Far from the clock's steps.
        try Self.date(folder.path("k"), 4_000_000_000)
        _ = try FolderLock(ofFoldersOf: [folder.path("a"), folder.path("k")])
        expect(folder.names, equals: ["a", "k"])
        expect(folder["k"], equals: "somebody's work")
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
