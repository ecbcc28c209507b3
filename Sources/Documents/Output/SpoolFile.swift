internal import CLibrary

/// A file without a name, for bytes that a command reads again before it ends. The system removes it with the process.
package final class SpoolFile: Sendable {
    private let descriptor: Int32

    /// Makes an empty file.
    ///
    /// - Parameter path: The output that the bytes are for: the file is in the folder of that, so that it takes room where there
    ///   has to be some; in the folder of temporary files if the output is none on a disk.
    package init(beside path: String) throws(FileFailure) {
        let location = FileLocation(path)
        let isOnDisk = path != OutputFile.standardOutput && (location.isRegularFile || !location.isThere)
        let (folder, name) = isOnDisk ? FileLocation.split(location.path) : (Self.temporaryFolder, "scenario")
        let place = Leftover(of: FileLocation.join(folder, name), id: Leftover.newID(), .partial).path
        // Before it is there, so that a signal in between leaves nothing behind.
        let number = PartialFiles.note(place)
        defer { PartialFiles.forget(number) }
        // SAFETY: the path is a string that lives through the calls.
        descriptor = unsafe open(place, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw FileFailure(errno) }
        unsafe unlink(place)
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    // SAFETY: the variable's text is copied before anybody could change it.
    private static var temporaryFolder: String { unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp" }

    /// The number of its bytes.
    package var size: Int {
        var status = stat()
        // SAFETY: the system fills in the status.
        return unsafe fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
    }

    /// A descriptor of the same file, which the caller closes; bytes are read through it by their offset only.
    package func duplicate() throws(FileFailure) -> Int32 {
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
        guard copy >= 0 else { throw FileFailure(errno) }
        return copy
    }

    /// Writes bytes behind those that are there.
    ///
    /// - Returns: The offset of the first.
    package func append(_ bytes: [UInt8]) throws(FileFailure) -> Int {
        let offset = Int(lseek(descriptor, 0, SEEK_CUR))
        try FileDescriptor.write(bytes, to: descriptor)
        return offset
    }

    /// Reads bytes that were written.
    ///
    /// - Parameters:
    ///   - bytes: Takes them, in place of its content.
    ///   - count: Their number.
    ///   - offset: The offset of the first.
    package func read(into bytes: inout [UInt8], count: Int, at offset: Int) throws(FileFailure) {
        if bytes.count < count { bytes += [UInt8](repeating: 0, count: count - bytes.count) }
        bytes.removeLast(bytes.count - count)
        var done = 0
        while done < count {
            let read = unsafe bytes.withUnsafeMutableBytes { buffer in
                // SAFETY: the part from `done` on lies inside the buffer.
                unsafe pread(
                    descriptor, buffer.baseAddress.map { unsafe $0 + done }, count - done, off_t(offset + done))
            }
            if read < 0, errno == EINTR { continue }
            guard read > 0 else { throw FileFailure(read == 0 ? EIO : errno) }
            done += read
        }
    }
}
