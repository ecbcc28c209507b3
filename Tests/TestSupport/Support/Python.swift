import Foundation
import Synchronization
import Testing

/// A Python that runs programs of the tests, one after another, in one process: what they import, and the browser that they use,
/// is started once. It ends with the tests.
final class Python: Sendable {
    /// Debian's own, whose packages `make test` installs; it has one browser.
    static let pages = Python("/usr/bin/python3")
    /// The one with pyarrow, polars, pandas and DuckDB, which `make test-setup` installs.
    static let columns = Python(
        Repository.root.appending(path: ".build/columns/venv/bin/python").path(percentEncoded: false))

    private struct Running {
        let input, output: FileHandle
    }

    private let path: String
    private let running = Mutex<Running?>(nil)

    private init(_ path: String) { self.path = path }

    /// The standard output of a program, whose path is seen from the folder `Tests`. Others wait until it has ended.
    func output(of program: String, _ arguments: [String] = [], input: String = "") throws -> String {
        let request: [String: Any] = ["program": Self.path(program), "arguments": arguments, "input": input]
        let line = try JSONSerialization.data(withJSONObject: request) + Data("\n".utf8)
        let answer = try running.withLock { running in
            let session = try running ?? start()
            running = session
            try session.input.write(contentsOf: line)
            return try Self.line(of: session.output)
        }
        let read = try JSONSerialization.jsonObject(with: answer) as? [String: Any]
        guard read?["status"] as? Int == 0, let output = read?["output"] as? String else {
            throw TestFailure("\(program) failed; `make test` installs what it needs")
        }
        return output
    }

    private func start() throws -> Running {
        guard FileManager.default.isExecutableFile(atPath: path) else {
            throw TestFailure("there is no \(path); `make test-setup` installs it")
        }
        let (process, input, output) = (Process(), Pipe(), Pipe())
        process.executableURL = URL(filePath: path)
        process.arguments = ["-B", Self.path("CommandTests/scenario/Tooling/session.py")]
        (process.standardInput, process.standardOutput) = (input, output)
        try process.run()
        return Running(input: input.fileHandleForWriting, output: output.fileHandleForReading)
    }

    private static func path(_ program: String) -> String {
        Repository.root.appending(path: "Tests/\(program)").path(percentEncoded: false)
    }

    private static func line(of output: FileHandle) throws -> Data {
        var line = Data()
        while line.last != UInt8(ascii: "\n") {
            let part = output.availableData
            if part.isEmpty { throw TestFailure("Python has ended") }
            line += part
        }
        return line
    }
}
