import Foundation
import Testing

@testable import TestSupport

extension TemporaryFolder {
    /// Runs git in the folder; it must succeed.
    func git(_ words: String...) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/git")
        process.arguments =
            ["-C", path, "-c", "user.name=Somebody", "-c", "user.email=somebody@example.com"] + words
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
    }

    /// Commits all that is in the folder, under a tag.
    func commit(_ tag: String) throws {
        try git("add", ".")
        try git("commit", "--quiet", "--message", tag)
        try git("tag", tag)
    }
}
