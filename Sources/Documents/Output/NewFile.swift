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

    private static func makeFolders(of path: String) throws(FileFailure) {
        for (offset, byte) in path.utf8.enumerated() where byte == UInt8(ascii: "/") && offset > 0 {
            let folder = String(decoding: path.utf8.prefix(offset), as: UTF8.self)
            // SAFETY: the path is a string that lives through the call.
            guard unsafe mkdir(folder, 0o755) == 0 || errno == EEXIST || errno == EISDIR else {
                throw FileFailure(errno)
            }
        }
    }
}
