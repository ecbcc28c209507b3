import Foundation

/// A command line that a shell runs.
struct ShellRun {
    let status: Int32
    let output: String

    /// Runs it in a folder.
    init(_ line: String, in folder: URL, by shell: String = "/bin/sh") throws {
        let (process, pipe) = (Process(), Pipe())
        process.executableURL = URL(filePath: shell)
        process.arguments = ["-c", line]
        process.currentDirectoryURL = folder
        process.standardOutput = pipe
        try process.run()
        output = String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        status = process.terminationStatus
    }
}
