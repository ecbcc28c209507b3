import Foundation
import Testing

@testable import Documents
@testable import Scenarios
@testable import TestSupport

@Suite struct ScenarioFilesTests {
    private static func found(_ folder: TemporaryFolder, at path: String) -> (files: [String], problems: [String]) {
        var diagnostics = Diagnostics()
        let files = ScenarioFiles.find(at: path, diagnostics: &diagnostics)
        return (files.map(folder.relative), diagnostics.all.map { folder.relative($0.rendered) })
    }

    struct Link: Sendable, CustomTestStringConvertible {
        let name: String
        let target: String
        let files: [String]
        let problems: [String]
        var testDescription: String { "\(name) to \(target)" }
    }

    static let links = [
        Link(name: "b.yaml", target: "a.yaml", files: ["a.yaml", "b.yaml"], problems: []),
        Link(name: "b", target: ".", files: ["a.yaml"], problems: []),
        Link(
            name: "b.yaml", target: "gone.yaml", files: ["a.yaml"],
            problems: ["b.yaml: error: no such file or directory"]),
        Link(
            name: "b.yml", target: "b.yml", files: ["a.yaml"],
            problems: ["b.yml: error: too many levels of symbolic links"]),
        Link(
            name: "b", target: "b", files: ["a.yaml"], problems: ["b: error: too many levels of symbolic links"]),
        Link(name: "b.md", target: "gone", files: ["a.yaml"], problems: []),
        Link(name: ".b.yaml", target: "gone", files: ["a.yaml"], problems: []),
    ]

    @Test(arguments: links) func aLinkThatLeadsNowhereIsNotPassedOver(_ link: Link) throws {
        let folder = try TemporaryFolder()
        try folder.write("", to: "a.yaml")
        unsafe expect(symlink(link.target, folder.path(link.name)), equals: 0)
        let (files, problems) = Self.found(folder, at: folder.path)
        expect(files, equals: link.files)
        expect(problems, equals: link.problems)
    }

    @Test(arguments: [([UInt8(ascii: "b"), 0xFF] + Array(".yaml".utf8)), [0xE4]])
    func aNameThatIsNotUTF8IsShownAsFarAsItIsLegible(name: [UInt8]) throws {
        let folder = try TemporaryFolder()
        try folder.write("", to: "a.yaml")
        let path = (Array((folder.path + "/").utf8) + name + [0]).map { CChar(bitPattern: $0) }
        unsafe expect(mkdir(path, 0o755), equals: 0)
        let (files, problems) = Self.found(folder, at: folder.path)
        expect(files, equals: ["a.yaml"])
        expect(problems, equals: ["\(String(decoding: name, as: UTF8.self)): error: the name is not UTF-8"])
    }

    // Root may read everything.
    @Test(.enabled(if: geteuid() != 0)) func aFolderThatCannotBeReadIsAnError() throws {
        let folder = try TemporaryFolder()
        try folder.write("", to: "a.yaml")
        try folder.write("", to: "deep/b.yaml")
        unsafe expect(chmod(folder.path("deep"), 0o300), equals: 0)
        defer { _ = unsafe chmod(folder.path("deep"), 0o700) }
        let (files, problems) = Self.found(folder, at: folder.path)
        expect(files, equals: ["a.yaml"])
        expect(problems, equals: ["deep: error: permission denied"])
    }
}
