internal import CLibrary

/// A file that is not there yet.
package enum NewFile {
    /// Writes a file and makes the folders on its way.
    ///
    /// - Throws: ``FileFailure``, also where anything is there by now; it stays as it is.
    package static func write(_ bytes: [UInt8], to path: String) throws(FileFailure) {
        try makeFolders(of: path)
        let descriptor = try SystemCall.openFile(path, O_WRONLY | O_CREAT | O_EXCL, mode: 0o644)
        defer { close(descriptor) }
        try FileDescriptor.write(bytes, to: descriptor)
    }

    /// Makes the folders on the way to a file that are not there yet.
    package static func makeFolders(of path: String) throws(FileFailure) {
        for (offset, byte) in path.utf8.enumerated() where byte == UInt8(ascii: "/") && offset > 0 {
            let folder = String(decoding: path.utf8.prefix(offset), as: UTF8.self)
            // SAFETY: the path is a string that lives through the call.
            guard unsafe mkdir(folder, 0o755) == 0 || errno == EEXIST || errno == EISDIR else {
                throw FileFailure(errno)
            }
        }
    }
}

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
