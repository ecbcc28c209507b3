package import CLibrary

/// Calls of the system under names that no member of a type has, whatever the system's library is called.
package enum SystemCall {
    /// Closes a descriptor: 0, or -1 with `errno`.
    @discardableResult
    package static func closeDescriptor(_ descriptor: Int32) -> Int32 { close(descriptor) }

    /// Reads from a descriptor: the number of bytes, or -1 with `errno`.
    ///
    /// SAFETY: the caller has room for `count` bytes at the start.
    @unsafe
    package static func readBytes(_ descriptor: Int32, _ start: UnsafeMutableRawPointer?, _ count: Int) -> Int {
        unsafe read(descriptor, start, count)
    }

    /// Writes to a descriptor: the number of bytes, or -1 with `errno`.
    ///
    /// SAFETY: the caller has `count` bytes at the start.
    @unsafe
    package static func writeBytes(_ descriptor: Int32, _ start: UnsafeRawPointer?, _ count: Int) -> Int {
        unsafe write(descriptor, start, count)
    }

    /// Opens a file, for this process alone.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - flags: The access and further flags, such as `O_RDONLY | O_DIRECTORY`.
    ///   - mode: The mode of a file that is made.
    /// - Returns: Its descriptor.
    /// - Throws: ``FileFailure``, with `errno`.
    package static func openFile(_ path: String, _ flags: Int32, mode: mode_t = 0) throws(FileFailure) -> Int32 {
        // SAFETY: the path is a string that lives through the call.
        let descriptor = unsafe open(path, flags | O_CLOEXEC, mode)
        guard descriptor >= 0 else { throw FileFailure(errno) }
        return descriptor
    }

    /// Gives a file another name.
    static func renameFile(_ path: String, to other: String) throws(FileFailure) {
        // SAFETY: both paths are strings that live through the call.
        guard unsafe rename(path, other) == 0 else { throw FileFailure(errno) }
    }

    /// The status of what a path leads to; `nil` where there is nothing, or it cannot be found out, with `errno`.
    package static func status(of path: String) -> stat? {
        var status = stat()
        // SAFETY: the path is a string that lives through the call, and the system fills in the status.
        return unsafe stat(path, &status) == 0 ? status : nil
    }

    /// The status of an open file; `nil` where it cannot be found out, with `errno`.
    package static func status(of descriptor: Int32) -> stat? {
        var status = stat()
        // SAFETY: the system fills in the status.
        return unsafe fstat(descriptor, &status) == 0 ? status : nil
    }

    /// The time at which a file was written last, in seconds and nanoseconds since 1970.
    static func written(_ status: stat) -> (Int, Int) {
        #if canImport(Darwin)
            (Int(status.st_mtimespec.tv_sec), Int(status.st_mtimespec.tv_nsec))
        #else
            (Int(status.st_mtim.tv_sec), Int(status.st_mtim.tv_nsec))
        #endif
    }

    /// The time at which anything about a file was changed last, in seconds and nanoseconds since 1970.
    static func changed(_ status: stat) -> (Int, Int) {
        #if canImport(Darwin)
            (Int(status.st_ctimespec.tv_sec), Int(status.st_ctimespec.tv_nsec))
        #else
            (Int(status.st_ctim.tv_sec), Int(status.st_ctim.tv_nsec))
        #endif
    }
}

extension stat {
    /// True for a kind of file, such as `S_IFREG`.
    package func isKind(_ kind: mode_t) -> Bool { st_mode & S_IFMT == kind }
}
