import Foundation
import Testing

/// Programs in Python that ask other implementations; `make test` installs what they need.
enum Tooling {
    /// Runs one of the folder `Tooling` of the tests of the command.
    ///
    /// - Parameters:
    ///   - program: The name of its file.
    ///   - work: The JSON at its standard input.
    ///   - python: Debian's own, whose packages `make test` installs, and not one that is in the way; or that of an environment.
    /// - Returns: The JSON that it writes.
    static func answer(
        of program: String, to work: [String: Any], python: String = "/usr/bin/python3"
    ) throws -> [String: Any] {
        let (process, input, output) = (Process(), Pipe(), Pipe())
        process.executableURL = URL(filePath: python)
        let path = Repository.root.appending(path: "Tests/scenarioTests/Tooling/\(program)")
        process.arguments = ["-B", path.path(percentEncoded: false)]
        (process.standardInput, process.standardOutput) = (input, output)
        try process.run()
        try input.fileHandleForWriting.write(contentsOf: JSONSerialization.data(withJSONObject: work))
        try input.fileHandleForWriting.close()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "\(program) failed; `make test` installs what it needs")
        return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    }
}

/// A failure of a test helper.
struct TestFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
