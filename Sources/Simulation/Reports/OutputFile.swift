internal import Glibc

/// A file that is written as a whole or not at all: under another name first, then renamed.
///
/// Where the path is no regular file, such as a pipe, it is written to directly.
package struct OutputFile: ~Copyable {
    private let path: String
    private let writtenPath: String
    private let descriptor: Int32
    private var buffer: [UInt8] = []
    private var isFinished = false

    /// Bytes gathered before they are written.
    private static let blockBytes = 1 << 18

    /// Opens a file for writing.
    ///
    /// - Throws: ``FileFailure``.
    package init(path: String) throws(FileFailure) {
        self.path = path
        writtenPath = Self.isSpecial(path) ? path : path + ".partial"
        // SAFETY: the path is a string that lives through the call.
        unsafe descriptor = open(writtenPath, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw FileFailure(errno) }
    }

    deinit {
        close(descriptor)
        if !isFinished, writtenPath != path { unsafe unlink(writtenPath) }
    }

    /// Writes some bytes.
    package mutating func write(_ bytes: [UInt8]) throws(FileFailure) {
        buffer += bytes
        if buffer.count >= Self.blockBytes { try flush() }
    }

    /// Writes what is left and puts the file in its place.
    package mutating func finish() throws(FileFailure) {
        try flush()
        guard unsafe writtenPath == path || rename(writtenPath, path) == 0 else { throw FileFailure(errno) }
        isFinished = true
    }

    private mutating func flush() throws(FileFailure) {
        var start = 0
        while start < buffer.count {
            let count = unsafe buffer.withUnsafeBytes { bytes in
                // SAFETY: the part from `start` on lies inside the buffer.
                unsafe Glibc.write(descriptor, bytes.baseAddress.map { unsafe $0 + start }, bytes.count - start)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw FileFailure(errno) }
            start += count
        }
        buffer.removeAll(keepingCapacity: true)
    }

    private static func isSpecial(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
    }
}
