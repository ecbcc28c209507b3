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

    @Test func whatIsNotThereIsKnownByItsNameAndFolder() throws {
        let folder = try TemporaryFolder(["a": "", "inner/c": ""])
        let location = FileLocation(folder.path("new"))
        #expect(location.isSame(as: FileLocation(folder.path("inner/../new"))))
        #expect(!location.isSame(as: FileLocation(folder.path("inner/new"))))
        #expect(!location.isSame(as: FileLocation(folder.path("a"))))
    }
}
