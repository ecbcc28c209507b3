import Testing

@testable import Simulation

@Suite struct ScenarioFilesTests {
    private static func found(_ folder: ScratchFolder, at path: String) -> (files: [String], problems: [String]) {
        var diagnostics = Diagnostics()
        let files = ScenarioFiles.find(at: path, diagnostics: &diagnostics)
        return (files.map(folder.relative), diagnostics.all.map { folder.relative($0.rendered) })
    }

    @Test func aFolderIsSearchedButForAccountsAndWhatIsHidden() throws {
        let folder = try ScratchFolder()
        for name in [
            "b.yaml", "a.yml", "B.yaml", "deep/er/c.yaml", "ä.yaml", "notes.md", "accounts/x.yaml",
            "deep/accounts/y.yaml",
            ".hidden.yaml", ".git/z.yaml", "a/accounts.yaml",
        ] { try folder.write("", to: name) }
        let expected: Set = ["B.yaml", "a/accounts.yaml", "a.yml", "b.yaml", "deep/er/c.yaml", "ä.yaml"]
        #expect(Set(Self.found(folder, at: folder.path).files) == expected)
        #expect(Self.found(folder, at: folder.path + "/").files == Self.found(folder, at: folder.path).files)
    }

    @Test func pathsAreSortedByTheirBytes() throws {
        let folder = try ScratchFolder()
        for name in ["b.yaml", "ä.yaml", "a/x.yaml", "a.yaml", "B.yaml", "a-b/y.yaml"] {
            try folder.write("", to: name)
        }
        // `-` is 2D, `.` is 2E, `/` is 2F.
        let expected = ["B.yaml", "a-b/y.yaml", "a.yaml", "a/x.yaml", "b.yaml", "ä.yaml"]
        #expect(Self.found(folder, at: folder.path).files == expected)
    }

    @Test func aFileIsTakenWhateverItsName() throws {
        let folder = try ScratchFolder()
        let path = try folder.write("", to: "accounts/scenario")
        #expect(Self.found(folder, at: path).files == ["accounts/scenario"])
    }

    @Test(arguments: ["day.jsonl", "day.txt", "day.txt.gz", "day.zst"])
    func aCaptureIsNoScenario(name: String) throws {
        let folder = try ScratchFolder()
        let (files, problems) = Self.found(folder, at: try folder.write("", to: name))
        #expect(files.isEmpty)
        #expect(problems == ["\(name): error: a capture, not a scenario\n  hint: `scenario replay` reads captures"])
    }

    @Test func anAccountsFolderThatIsNamedIsSearched() throws {
        let folder = try ScratchFolder()
        try folder.write("", to: "accounts/x.yaml")
        #expect(Self.found(folder, at: folder["accounts"]).files == ["accounts/x.yaml"])
    }

    // The command makes an error of it.
    @Test func aFolderWithoutScenariosGivesNone() throws {
        let folder = try ScratchFolder()
        try folder.write("", to: "empty/notes.md")
        let (files, problems) = Self.found(folder, at: folder["empty"])
        #expect(files.isEmpty)
        #expect(problems.isEmpty)
    }

    @Test func aPathThatDoesNotExistIsAnError() throws {
        let folder = try ScratchFolder()
        let (files, problems) = Self.found(folder, at: folder["missing"])
        #expect(files.isEmpty)
        #expect(problems == ["missing: error: no such file or directory"])
    }
}
