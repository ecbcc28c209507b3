import Foundation
import Testing

@testable import Documents
@testable import TestSupport

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
        #expect(FileStamp(of: folder.path("file")) == before)
        try folder.remove("file")
        #expect(FileStamp(of: folder.path("file")) == nil)
    }
}
