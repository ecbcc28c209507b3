#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// A file to whose end several threads add lines.
package final class LogFile: Sendable {
    private let descriptor: Lock<Int32>

    /// Opens a file, which only its owner may read if it is made here; `-` is standard output.
    package init(path: String) throws(FileFailure) {
        let flags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC
        // SAFETY: the path is a string that lives through the call.
        let opened = unsafe path == "-" ? fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0) : open(path, flags, 0o600)
        guard opened >= 0 else { throw FileFailure(errno) }
        descriptor = Lock(opened)
    }

    deinit { descriptor.withLock { _ = close($0) } }

    /// Adds a line, newline included. A line that cannot be written is lost: nothing depends on it.
    package func add(_ line: [UInt8]) {
        descriptor.withLock { _ = try? FileDescriptor.write(line, to: $0) }
    }
}
