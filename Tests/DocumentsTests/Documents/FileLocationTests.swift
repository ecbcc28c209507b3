import Foundation
import Testing

@testable import Documents
@testable import TestSupport

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
