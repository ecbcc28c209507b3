internal import CLibrary

/// A file to whose end several threads add lines.
package final class LogFile: Sendable {
    private let descriptor: Lock<Int32>

    /// Opens a file, which only its owner may read if it is made here; `-` is standard output.
    package init(path: String) throws(FileFailure) {
        let opened =
            try path == "-"
            ? fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0)
            : SystemCall.openFile(path, O_WRONLY | O_CREAT | O_APPEND, mode: 0o600)
        guard opened >= 0 else { throw FileFailure(errno) }
        descriptor = Lock(opened)
    }

    deinit { descriptor.withLock { _ = close($0) } }

    /// Adds a line, newline included. A line that cannot be written is lost: nothing depends on it.
    package func add(_ line: [UInt8]) {
        descriptor.withLock { _ = try? FileDescriptor.write(line, to: $0) }
    }
}
