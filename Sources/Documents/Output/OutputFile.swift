internal import Glibc

/// A file that is written as a whole or not at all: under another name first, then renamed.
///
/// Links are followed, and what they lead to is written. A file that is replaced keeps its mode, unless it holds secrets:
/// then nobody but its owner may read it from the start. What is no regular file, such as a pipe, and what is open already,
/// such as `/dev/stdout`, is written to directly.
package struct OutputFile: ~Copyable {
    private let descriptor: Int32
    // `nil` where the file is written to directly.
    private let replacement: Replacement?
    private var buffer: [UInt8] = []
    private var isFinished = false

    private struct Replacement {
        let temporaryPath: String
        let path: String
    }

    /// The name of standard output.
    package static let standardOutput = "-"

    /// The mode of a file that only its owner may read and write.
    private static let secretMode: mode_t = 0o600

    /// Bytes gathered before they are written.
    private static let blockBytes = 1 << 18

    /// Opens a file for writing.
    ///
    /// - Parameters:
    ///   - path: The file; `-` is standard output.
    ///   - isSecret: Whether nobody but its owner may read it, whatever mode it had before.
    /// - Throws: ``FileFailure``.
    package init(path: String, isSecret: Bool = false) throws(FileFailure) {
        let location = path == Self.standardOutput ? .standardOutput : FileLocation(path)
        (descriptor, replacement) = try Self.open(location, isSecret: isSecret)
    }

    deinit {
        close(descriptor)
        if !isFinished, let replacement { unsafe unlink(replacement.temporaryPath) }
    }

    /// Writes a whole file.
    ///
    /// - Parameters:
    ///   - bytes: All that it is to hold.
    ///   - path: The file; `-` is standard output.
    ///   - isSecret: Whether nobody but its owner may read it, whatever mode it had before.
    /// - Throws: ``FileFailure``; the file is then what it was.
    package static func write(
        _ bytes: some Collection<UInt8>, to path: String, isSecret: Bool = false
    ) throws(FileFailure) {
        var file = try OutputFile(path: path, isSecret: isSecret)
        try file.write(bytes)
        try file.finish()
    }

    /// Writes some bytes.
    package mutating func write(_ bytes: some Collection<UInt8>) throws(FileFailure) {
        buffer += bytes
        if buffer.count >= Self.blockBytes { try flush() }
    }

    /// Writes what is left and puts the file where it belongs.
    package mutating func finish() throws(FileFailure) {
        try flush()
        if let replacement {
            guard unsafe rename(replacement.temporaryPath, replacement.path) == 0 else { throw FileFailure(errno) }
        }
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

    private static func open(
        _ location: FileLocation, isSecret: Bool
    ) throws(FileFailure) -> (descriptor: Int32, replacement: Replacement?) {
        if let open = location.descriptor { return (try valid(fcntl(open, F_DUPFD_CLOEXEC, 0)), nil) }
        var status = stat()
        let isThere = unsafe stat(location.path, &status) == 0
        guard isThere, status.st_mode & S_IFMT != S_IFREG else {
            let mode = isThere ? status.st_mode & 0o7777 : nil
            return try openReplacement(of: location.path, mode: isSecret ? Self.secretMode : mode)
        }
        // SAFETY: the path is a string that lives through the call.
        return (try valid(unsafe Glibc.open(location.path, O_WRONLY | O_CLOEXEC)), nil)
    }

    private static func valid(_ descriptor: Int32) throws(FileFailure) -> Int32 {
        guard descriptor >= 0 else { throw FileFailure(errno) }
        return descriptor
    }

    // A file that nobody else has made, and nobody can have replaced by a link.
    private static func openReplacement(
        of path: String, mode: mode_t?
    ) throws(FileFailure) -> (descriptor: Int32, replacement: Replacement?) {
        let folder = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path[...$0] } ?? ""
        while true {
            let temporary = "\(folder).scenario-\(String(UInt64.random(in: .min ... .max), radix: 36)).partial"
            // SAFETY: the path is a string that lives through the call.
            let descriptor = unsafe Glibc.open(
                temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode == nil ? 0o644 : 0o600)
            if descriptor < 0, errno == EEXIST { continue }
            _ = try valid(descriptor)
            if let mode, fchmod(descriptor, mode) != 0 {
                let failure = FileFailure(errno)
                close(descriptor)
                unsafe unlink(temporary)
                throw failure
            }
            return (descriptor, Replacement(temporaryPath: temporary, path: path))
        }
    }
}
