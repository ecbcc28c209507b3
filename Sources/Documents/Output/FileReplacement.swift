internal import CLibrary
internal import CSystem

/// The new content of a file, under a name of its own until it takes that of the file.
///
/// The file keeps owner, group, mode and access list. A file that cannot keep them, or has further names, is refused. Without
/// ``put()`` nothing is left behind.
struct FileReplacement: ~Copyable {
    /// The file, without links on the way.
    let target: String
    private let partial: String
    private let number: Int32
    // Written to until `close`.
    private var writing: Int32
    // A second descriptor of the same: the lock on it says to others that the file is not abandoned.
    private let holding: Int32
    private var isThere = true

    /// The mode of a file that only its owner may read and write.
    private static let secretMode: mode_t = 0o600

    /// Makes an empty file beside another.
    ///
    /// - Parameters:
    ///   - target: The file to replace, without links on the way; it need not be there.
    ///   - id: The ID that all files of one change share.
    ///   - isSecret: True if only its owner may read it, whatever mode it had before.
    static func make(of target: String, id: String, isSecret: Bool) throws(FileFailure) -> FileReplacement {
        let (folder, name) = FileLocation.split(target)
        guard !name.isEmpty else { throw FileFailure(EISDIR) }
        var status = stat()
        // SAFETY: the path is a string that lives through the call, and the system fills in the status.
        let old = unsafe lstat(target, &status) == 0 ? status : nil
        // Links were followed before; one that is left leads nowhere.
        if let old, old.isKind(S_IFLNK) { throw .deadLink }
        if let old, old.st_nlink > 1 { throw .hardLinks(Int(old.st_nlink)) }
        let partial = FileLocation.join(folder, WorkingName(for: name, id: id, kind: .partial).text)
        // Before it is there, so that a signal in between leaves nothing behind.
        let number = PartialFiles.note(partial)
        let descriptor: Int32
        do throws(FileFailure) {
            // A file that nobody else has made, and nobody can have replaced by a link.
            descriptor = try SystemCall.openFile(
                partial, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: old == nil && !isSecret ? 0o644 : 0o600)
        } catch {
            PartialFiles.forget(number)
            throw error
        }
        let replacement = FileReplacement(target: target, partial: partial, number: number, descriptor: descriptor)
        // If the file system has no locks, an abandoned file cannot be distinguished from this one, and none is removed.
        _ = flock(descriptor, LOCK_EX | LOCK_NB)
        if let old { try replacement.keepAttributes(old, isSecret: isSecret) }
        if isSecret, fchmod(descriptor, secretMode) != 0 { throw FileFailure(errno) }
        return replacement
    }

    private init(target: String, partial: String, number: Int32, descriptor: Int32) {
        (self.target, self.partial, self.number, writing) = (target, partial, number, descriptor)
        holding = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    }

    deinit {
        if writing >= 0 { SystemCall.closeDescriptor(writing) }
        if isThere { unsafe unlink(partial) }
        PartialFiles.forget(number)
        if holding >= 0 { SystemCall.closeDescriptor(holding) }
    }

    /// Writes bytes behind those that are there.
    func write(_ bytes: borrowing [UInt8]) throws(FileFailure) {
        try FileDescriptor.write(bytes, to: writing)
    }

    /// Waits until the content is on the disk, and closes the file.
    mutating func close() throws(FileFailure) {
        guard fsync(writing) == 0 else { throw FileFailure(errno) }
        let closing = writing
        writing = -1
        guard SystemCall.closeDescriptor(closing) == 0 else { throw FileFailure(errno) }
    }

    /// Gives the content the name of the file.
    mutating func put() throws(FileFailure) {
        try SystemCall.renameFile(partial, to: target)
        isThere = false
    }

    private func keepAttributes(_ old: stat, isSecret: Bool) throws(FileFailure) {
        guard let new = SystemCall.status(of: writing) else { throw FileFailure(errno) }
        if (new.st_uid, new.st_gid) != (old.st_uid, old.st_gid) {
            let owner = new.st_uid == old.st_uid ? uid_t.max : old.st_uid
            guard fchown(writing, owner, old.st_gid) == 0 else { throw .owner(old) }
        }
        guard !isSecret else { return }
        guard fchmod(writing, old.st_mode & 0o7777) == 0 else { throw FileFailure(errno) }
        guard PartialFiles.copyAccessList(of: target, to: writing) else { throw .accessList }
    }
}

extension FileFailure {
    fileprivate static func hardLinks(_ count: Int) -> FileFailure {
        FileFailure("the file has \(count) names (hard links), of which only this one would be replaced")
    }

    fileprivate static func owner(_ status: stat) -> FileFailure {
        FileFailure("owner \(status.st_uid) and group \(status.st_gid) of the file could not be kept")
    }

    fileprivate static let deadLink = FileFailure(
        "it is a link that cannot be followed: to a name that is not UTF-8, or to too many links")

    fileprivate static let accessList = FileFailure("the access list of the file could not be kept")
}

/// The files of this process that are not finished.
package enum PartialFiles {
    /// From now on signals that ask the process to end, such as SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGQUIT and SIGXCPU, remove
    /// them before they end it, and so does its exit. A write to a file that may not grow further fails, as under `ulimit -f`.
    package static func removeWhenProcessEnds() {
        partial_files_watch()
    }

    /// From now on the process ends with a message when it gets no more memory, and removes them.
    ///
    /// - Parameter status: The exit status that it then has.
    package static func removeWhenMemoryEnds(exitStatus status: Int32) {
        partial_files_watch_memory(status)
    }

    /// Notes a file.
    ///
    /// - Returns: Its number, for ``forget(_:)``.
    static func note(_ path: String) -> Int32 {
        // SAFETY: the path is a string that lives through the call, which copies it.
        unsafe partial_files_add(path)
    }

    /// Forgets a file, which was finished or removed.
    static func forget(_ number: Int32) {
        partial_files_forget(number)
    }

    /// Gives an open file the access list of another one, where that has one.
    ///
    /// - Returns: True if it has the same now.
    static func copyAccessList(of path: String, to descriptor: Int32) -> Bool {
        // SAFETY: the path is a string that lives through the call.
        unsafe partial_files_copy_access_list(path, descriptor) == 0
    }
}
