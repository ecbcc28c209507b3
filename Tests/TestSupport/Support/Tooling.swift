import Foundation
import Testing

/// Programs in Python that ask other implementations; `make test` installs what they need.
enum Tooling {
    /// Runs one of the folder `Tooling` of the tests of the command.
    ///
    /// - Parameters:
    ///   - program: The name of its file.
    ///   - work: The JSON at its standard input.
    ///   - python: One that stays; by default it is started for the program.
    /// - Returns: The JSON that it writes. Other tests continue while the program runs.
    static func answer(
        of program: String, to work: [String: Any], in python: Python? = nil
    ) async throws -> [String: Any] {
        let work = try JSONSerialization.data(withJSONObject: work)
        let data = try await withCheckedThrowingContinuation { continuation in
            programs.addOperation { continuation.resume(with: Result { try output(of: program, work, python) }) }
        }
        return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    }

    // Two programs at a time, since they wait as often as they work.
    private static let programs = {
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 2
        return queue
    }()

    private static func output(of program: String, _ work: Data, _ python: Python?) throws -> Data {
        if let python {
            let input = String(decoding: work, as: UTF8.self)
            return Data(try python.output(of: "CommandTests/scenario/Tooling/\(program)", input: input).utf8)
        }
        let (process, input, output) = (Process(), Pipe(), Pipe())
        // Debian's own, whose packages `make test` installs, and not one that is in the way.
        process.executableURL = URL(filePath: "/usr/bin/python3")
        let path = Repository.root.appending(path: "Tests/CommandTests/scenario/Tooling/\(program)")
        process.arguments = ["-B", path.path(percentEncoded: false)]
        (process.standardInput, process.standardOutput) = (input, output)
        try process.run()
        try input.fileHandleForWriting.write(contentsOf: work)
        try input.fileHandleForWriting.close()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw TestFailure("\(program) failed; `make test` installs what it needs")
        }
        return data
    }
}

/// A failure of a test helper.
struct TestFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
