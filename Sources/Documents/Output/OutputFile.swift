internal import CLibrary

/// A file that is written as a whole or not at all: under another name first, then renamed, and on the disk before that.
///
/// Links are followed, and the file at their end is written. A file that is replaced keeps its owner, group and mode, unless it
/// holds secrets: then only its owner may read it from the start. Anything but a regular file, such as a pipe, and a file that is
/// open already, such as `/dev/stdout`, is written to directly.
package struct OutputFile: ~Copyable {
    // The descriptor that is written to directly; else negative.
    private var descriptor: Int32 = -1
    private var replacement: FileReplacement?
    private var buffer: [UInt8] = []

    /// The name of standard output.
    package static let standardOutput = "-"

    /// Bytes gathered before they are written.
    private static let blockBytes = 1 << 18

    /// Opens a file for writing.
    ///
    /// - Parameters:
    ///   - path: The file; `-` is standard output.
    ///   - isSecret: True if only its owner may read it, whatever mode it had before.
    /// - Throws: ``FileFailure``, also where owner, group or further names of the file cannot be kept.
    package init(path: String, isSecret: Bool = false) throws(FileFailure) {
        let location = path == Self.standardOutput ? .standardOutput : FileLocation(path)
        if let known = location.descriptor {
            descriptor = fcntl(known, F_DUPFD_CLOEXEC, 0)
            guard descriptor >= 0 else { throw FileFailure(errno) }
            replacement = nil
        } else if let status = SystemCall.status(of: location.path), !status.isKind(S_IFREG) {
            // Something that is not a regular file, such as a pipe.
            descriptor = try SystemCall.openFile(location.path, O_WRONLY)
            replacement = nil
        } else {
            AbandonedFiles.remove(beside: [location.path], isLocked: false)
            let id = WorkingName.newID()
            replacement = try FileReplacement.make(of: location.path, id: id, isSecret: isSecret)
        }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Writes a whole file.
    ///
    /// - Parameters:
    ///   - bytes: The content of the file.
    ///   - path: The file; `-` is standard output.
    ///   - isSecret: True if only its owner may read it, whatever mode it had before.
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

    /// Writes the remaining bytes and puts the file under its name.
    package mutating func finish() throws(FileFailure) {
        try flush()
        if let target = replacement?.target {
            try replacement?.close()
            try replacement?.put()
            try FileDescriptor.synchronizeFolder(of: target)
        } else {
            let closing = descriptor
            descriptor = -1
            guard close(closing) == 0 else { throw FileFailure(errno) }
        }
    }

    private mutating func flush() throws(FileFailure) {
        if descriptor >= 0 { try FileDescriptor.write(buffer, to: descriptor) }
        try replacement?.write(buffer)
        buffer.removeAll(keepingCapacity: true)
    }
}

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
