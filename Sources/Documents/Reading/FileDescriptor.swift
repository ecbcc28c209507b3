internal import CLibrary

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

    /// Waits for the next bytes of a stream.
    ///
    /// - Returns: At most 64 KiB; `nil` at its end.
    package static func nextBytes(of descriptor: Int32) throws(FileFailure) -> [UInt8]? {
        var block = [UInt8](repeating: 0, count: 65_536)
        while true {
            // SAFETY: the buffer has room for the bytes asked for.
            let count = unsafe block.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw FileFailure(errno) }
            return count > 0 ? Array(block.prefix(count)) : nil
        }
    }

    /// Waits until the names in a folder are on the disk.
    static func synchronizeFolder(of path: String) throws(FileFailure) {
        // A folder that may be written but not read cannot be opened; its names get to the disk a little later.
        guard let descriptor = try? SystemCall.openFile(FileLocation.split(path).folder, O_RDONLY | O_DIRECTORY) else {
            return
        }
        defer { close(descriptor) }
        // Some file systems have nothing to wait for.
        guard fsync(descriptor) == 0 || errno == EINVAL else { throw FileFailure(errno) }
    }
}
