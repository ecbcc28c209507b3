internal import CLibrary

/// Files that are read as a whole: scenarios, accounts, changes.
package enum TextFile {
    /// Reads and parses a YAML file.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - kind: The kind that it is meant to have; of a file of another kind, nothing is quoted.
    /// - Throws: ``FileFailure`` if it cannot be read; problems inside it are in the result.
    package static func parse(path: String, as kind: DocumentKind) throws(FileFailure) -> ParsedDocument {
        YAMLParser.parse(bytes: try bytes(path: path), path: path, as: kind)
    }

    /// Reads and parses a YAML file.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - kind: The kind that it is meant to have; of a file of another kind, nothing is quoted.
    ///   - diagnostics: Gets the reason if it cannot be read; problems inside it are in the result.
    /// - Returns: `nil` after noting an error.
    package static func parse(
        path: String, as kind: DocumentKind, diagnostics: inout Diagnostics
    ) -> ParsedDocument? {
        diagnostics.attempt(in: path) { () throws(FileFailure) in try parse(path: path, as: kind) }
    }

    /// Reads the bytes of a file, one more than a document may have at most.
    ///
    /// - Throws: ``FileFailure``, also for a key file, and for anything but a regular file: a pipe might never end, and a device
    ///   might act on being read.
    package static func bytes(path: String) throws(FileFailure) -> [UInt8] {
        try withoutKeys(try secretBytes(path: path))
    }

    /// Reads the bytes of a file of which nothing is shown, and which may be a key file.
    ///
    /// - Throws: ``FileFailure``, as ``bytes(path:)`` does.
    package static func secretBytes(path: String) throws(FileFailure) -> [UInt8] {
        // Without O_NONBLOCK, opening a pipe would wait.
        let descriptor = try SystemCall.openFile(path, O_RDONLY | O_NONBLOCK | O_NOCTTY)
        defer { close(descriptor) }
        guard let status = SystemCall.status(of: descriptor) else { throw FileFailure(errno) }
        guard !status.isKind(S_IFDIR) else { throw FileFailure(EISDIR) }
        guard status.isKind(S_IFREG) else { throw .notRegular }
        let bytes = try bytes(of: descriptor)
        // Half of a document may be a document.
        guard bytes.count > DocumentLimits.maximumBytes || bytes.count >= Int(status.st_size) else { throw .cut }
        return bytes
    }

    /// Reads the bytes of a file that the user typed, one more than a document may have at most.
    ///
    /// - Parameter path: The file; `-` is standard input, and an open pipe is read to its end, as `<(…)` of a shell makes one.
    package static func bytes(typed path: String) throws(FileFailure) -> [UInt8] {
        if path == "-" { return try withoutKeys(try bytes(of: STDIN_FILENO)) }
        guard FileLocation(path).isOpenPipe else { return try bytes(path: path) }
        let descriptor = try SystemCall.openFile(path, O_RDONLY)
        defer { close(descriptor) }
        return try withoutKeys(try bytes(of: descriptor))
    }

    private static func withoutKeys(_ bytes: [UInt8]) throws(FileFailure) -> [UInt8] {
        guard !KeyFileText.isKeyFile(bytes) else { throw .keyFile }
        return bytes
    }

    static func bytes(of descriptor: Int32) throws(FileFailure) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count <= DocumentLimits.maximumBytes, let next = try FileDescriptor.nextBytes(of: descriptor) {
            bytes += next
        }
        return bytes
    }
}

/// The reason why a file could not be read or written, in the system's words if it has some.
package struct FileFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// `no such file or directory` and the like.
    package let description: String
    /// A hint that might help.
    package let hint: String?
    /// True if a pipe was written to that nobody reads any more.
    package let isClosedPipe: Bool

    /// Takes the words for an error number of the system.
    package init(_ number: Int32) {
        // SAFETY: strerror returns a string that lives until the next call on this thread, and is copied here.
        let words = unsafe strerror(number).map { unsafe String(cString: $0) } ?? "error \(number)"
        isClosedPipe = number == EPIPE
        (description, hint) = (words.prefix(1).lowercased() + words.dropFirst(), nil)
    }

    /// A reason that the system has no words for.
    ///
    /// - Parameters:
    ///   - description: The problem: lower case, no final period.
    ///   - hint: A hint that might help.
    package init(_ description: String, hint: String? = nil) {
        (self.description, self.hint, isClosedPipe) = (description, hint, false)
    }

    /// A file that somebody cuts while it is read is not read as a whole.
    static let cut = FileFailure("the file became shorter while it was read")
    /// Only a regular file can be read as a whole.
    static let notRegular = FileFailure("no regular file")
}

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
