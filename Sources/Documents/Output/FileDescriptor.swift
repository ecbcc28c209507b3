#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// Steps on open files.
package enum FileDescriptor {
    /// Writes all of some bytes.
    package static func write(_ bytes: borrowing [UInt8], to descriptor: Int32) throws(FileFailure) {
        var start = 0
        while start < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { buffer in
                // SAFETY: the part from `start` on lies inside the buffer.
                unsafe SystemCall.writeBytes(
                    descriptor, buffer.baseAddress.map { unsafe $0 + start }, buffer.count - start)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw FileFailure(errno) }
            start += count
        }
    }

    /// Waits until the names in a folder are on the disk.
    static func synchronizeFolder(of path: String) throws(FileFailure) {
        // SAFETY: the path is a string that lives through the call.
        let descriptor = unsafe open(FileLocation.split(path).folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        // A folder that may be written but not read cannot be opened; its names get to the disk a little later.
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        // Some file systems have nothing to wait for.
        guard fsync(descriptor) == 0 || errno == EINVAL else { throw FileFailure(errno) }
    }
}
