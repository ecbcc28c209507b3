import Foundation
import Testing

@testable import TestSupport

/// Other people's programs that talk to the command.
enum Client {
    /// The command beside the tests.
    static let command = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(
        path: "scenario"
    )
    .path(percentEncoded: false)
    /// The Python that has the clients.
    static let python = Repository.root.appending(path: ".build/editor/venv/bin/python")

    /// A program that has ended.
    struct Ended {
        let status: Int32
        let output: Data
    }

    /// Runs a program to its end.
    static func run(
        _ program: URL, _ arguments: [String], in folder: TemporaryFolder, input: Data = Data(),
        environment: [String: String] = [:]
    ) throws -> Ended {
        try #require(
            FileManager.default.fileExists(atPath: program.path(percentEncoded: false)), "`make test-setup` installs it"
        )
        let (process, stdin, stdout) = (Process(), Pipe(), Pipe())
        process.executableURL = program
        process.arguments = arguments
        process.currentDirectoryURL = URL(filePath: folder.path)
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        (process.standardInput, process.standardOutput, process.standardError) = (stdin, stdout, FileHandle.nullDevice)
        try process.run()
        try stdin.fileHandleForWriting.write(contentsOf: input)
        try stdin.fileHandleForWriting.close()
        let data = try stdout.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return Ended(status: process.terminationStatus, output: data)
    }

    /// The path of a client beside the tests.
    static func program(_ name: String) -> String {
        Repository.root.appending(path: "Tests/CommandTests/Editor/Tooling/\(name)").path(percentEncoded: false)
    }

    /// Reads a JSON object.
    static func object(_ data: Data) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    }
}
