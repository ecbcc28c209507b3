import Foundation
import Testing

/// SQLite as another program has it.
enum SQLiteProgram {
    /// Carries out statements on a file, which is for its owner alone then.
    static func run(_ statements: String, on path: String) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/python3")
        let program =
            "import sqlite3, sys; sqlite3.connect(sys.argv[1], isolation_level=None).executescript(sys.argv[2])"
        process.arguments = ["-c", program, path, statements]
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    }
}
