internal import CLibrary

/// A file, or a folder of files, that is written as a whole or not at all: under another name first, then renamed, and on the
/// disk before that. Without ``finish()`` nothing is left behind.
///
/// Links are followed, and the file at their end is written. A file that is replaced keeps its owner, group, mode and access
/// list, unless it holds secrets: then only its owner may read it from the start. One that cannot keep them, or has further names,
/// is refused. Anything but a regular file, such as a pipe, and a file that is open already, such as `/dev/stdout`, is written to
/// directly.
package struct OutputFile: ~Copyable {
    /// The file or folder, without links on the way.
    let target: String
    // The name that the content has until it takes that of the target; `nil` afterwards, and where it is written to directly.
    private var working: String?
    private let isFolder: Bool
    // True if only the owner may read what is written into a folder.
    private let isSecret: Bool
    // Written to until it is closed, then negative; a folder has none.
    private var descriptor: Int32
    // A second descriptor of the working name: the lock on it says to others that nobody abandoned it. Negative if there is none.
    private let holding: Int32
    // By which signals find the working name, for `PartialFiles`.
    private let number: Int32
    private var buffer: [UInt8] = []

    /// The name of standard output.
    package static let standardOutput = "-"

    /// Bytes gathered before they are written.
    private static let blockBytes = 1 << 18

    /// The mode of a file that only its owner may read and write.
    private static let secretMode: mode_t = 0o600

    /// Opens a file for writing.
    ///
    /// - Parameters:
    ///   - path: The file; `-` is standard output.
    ///   - isSecret: True if only its owner may read it, whatever mode it had before.
    /// - Throws: ``FileFailure``, also where owner, group or further names of the file cannot be kept.
    package init(path: String, isSecret: Bool = false) throws(FileFailure) {
        let location = path == Self.standardOutput ? .standardOutput : FileLocation(path)
        if let known = location.descriptor {
            let copy = fcntl(known, F_DUPFD_CLOEXEC, 0)
            guard copy >= 0 else { throw FileFailure(errno) }
            self.init(target: location.path, writing: copy)
        } else if let status = SystemCall.status(of: location.path), !status.isKind(S_IFREG) {
            // Something that is not a regular file, such as a pipe.
            self.init(target: location.path, writing: try SystemCall.openFile(location.path, O_WRONLY))
        } else {
            Leftover.remove(beside: [location.path], isLocked: false)
            self = try Self.replacing(location.path, id: Leftover.newID(), isSecret: isSecret)
        }
    }

    /// Makes an empty file beside another.
    ///
    /// - Parameters:
    ///   - target: The file to replace, without links on the way; it need not be there.
    ///   - id: The ID that all files of one change share.
    ///   - isSecret: True if only its owner may read it, whatever mode it had before.
    static func replacing(_ target: String, id: String, isSecret: Bool) throws(FileFailure) -> OutputFile {
        guard !FileLocation.split(target).name.isEmpty else { throw FileFailure(EISDIR) }
        var status = stat()
        // SAFETY: the path is a string that lives through the call, and the system fills in the status.
        let old = unsafe lstat(target, &status) == 0 ? status : nil
        // Links were followed before; one that is left leads nowhere.
        if let old, old.isKind(S_IFLNK) { throw .deadLink }
        if let old, old.st_nlink > 1 { throw .hardLinks(Int(old.st_nlink)) }
        let working = Leftover(of: target, id: id, .partial).path
        // Before it is there, so that a signal in between leaves nothing behind.
        let number = PartialFiles.note(working)
        let descriptor: Int32
        do throws(FileFailure) {
            // A file that nobody else has made, and nobody can have replaced by a link.
            descriptor = try SystemCall.openFile(
                working, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: old == nil && !isSecret ? 0o644 : 0o600)
        } catch {
            PartialFiles.forget(number)
            throw error
        }
        let holding = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        let made = OutputFile(
            target: target, working: working, writing: descriptor, holding: holding, number: number)
        // If the file system has no locks, an abandoned file cannot be distinguished from this one, and none is removed.
        _ = flock(descriptor, LOCK_EX | LOCK_NB)
        if let old { try made.keepAttributes(old, isSecret: isSecret) }
        if isSecret, fchmod(descriptor, secretMode) != 0 { throw FileFailure(errno) }
        return made
    }

    /// Makes an empty folder beside another name, whose files are written by ``append(_:to:)``.
    ///
    /// A folder that a killed command left is removed by the next one that makes the same folder.
    ///
    /// - Parameters:
    ///   - path: The folder; must not be there yet, unless it is empty.
    ///   - isSecret: True if only its owner may enter it, and read its files.
    package static func folder(_ path: String, isSecret: Bool = false) throws(FileFailure) -> OutputFile {
        let location = FileLocation(path)
        guard !location.isRegularFile else { throw FileFailure(EEXIST) }
        if location.isFolder, try !files(in: location.path).isEmpty {
            throw FileFailure("the folder exists already, and is not empty")
        }
        let (folder, name) = FileLocation.split(location.path)
        let working = FileLocation.join(folder, ".\(name).partial")
        // SAFETY: the path is a string that lives through the call.
        if unsafe mkdir(working, isSecret ? 0o700 : 0o755) != 0, errno != EEXIST { throw FileFailure(errno) }
        let holding = try SystemCall.openFile(working, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
        guard flock(holding, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK else {
            close(holding)
            throw FileFailure("another command is writing the folder")
        }
        let made = OutputFile(
            target: location.path, working: working, isFolder: true, isSecret: isSecret, holding: holding)
        try made.removeFiles()
        return made
    }

    private init(
        target: String, working: String? = nil, isFolder: Bool = false, isSecret: Bool = false,
        writing descriptor: Int32 = -1,
        holding: Int32 = -1, number: Int32 = -1
    ) {
        (self.target, self.working, self.isFolder, self.isSecret) = (target, working, isFolder, isSecret)
        (self.descriptor, self.holding, self.number) = (descriptor, holding, number)
    }

    deinit {
        if descriptor >= 0 { SystemCall.closeDescriptor(descriptor) }
        if let working, isFolder {
            try? removeFiles()
            unsafe rmdir(working)
        } else if let working {
            unsafe unlink(working)
        }
        PartialFiles.forget(number)
        if holding >= 0 { SystemCall.closeDescriptor(holding) }
    }

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

    private mutating func flush() throws(FileFailure) {
        try FileDescriptor.write(buffer, to: descriptor)
        buffer.removeAll(keepingCapacity: true)
    }

    /// Writes the remaining bytes and puts the file, or the folder, under its name.
    ///
    /// - Throws: ``FileFailure``, also where a folder has the name of a folder by now.
    package mutating func finish() throws(FileFailure) {
        try complete()
        guard working != nil else { return }
        try put()
        try FileDescriptor.synchronizeFolder(of: target)
    }

    /// Writes the remaining bytes, waits until a file that is replaced is on the disk, and closes it.
    mutating func complete() throws(FileFailure) {
        guard !isFolder else { return }
        try flush()
        if working != nil, fsync(descriptor) != 0 { throw FileFailure(errno) }
        let closing = descriptor
        descriptor = -1
        guard SystemCall.closeDescriptor(closing) == 0 else { throw FileFailure(errno) }
    }

    /// Gives the content, which is complete, the name of the target.
    mutating func put() throws(FileFailure) {
        guard let working else { return }
        try SystemCall.renameFile(working, to: target)
        self.working = nil
    }

    private func keepAttributes(_ old: stat, isSecret: Bool) throws(FileFailure) {
        guard let new = SystemCall.status(of: descriptor) else { throw FileFailure(errno) }
        if (new.st_uid, new.st_gid) != (old.st_uid, old.st_gid) {
            let owner = new.st_uid == old.st_uid ? uid_t.max : old.st_uid
            guard fchown(descriptor, owner, old.st_gid) == 0 else { throw .owner(old) }
        }
        guard !isSecret else { return }
        guard fchmod(descriptor, old.st_mode & 0o7777) == 0 else { throw FileFailure(errno) }
        guard PartialFiles.copyAccessList(of: target, to: descriptor) else { throw .accessList }
    }
}

// MARK: Files of a folder

extension OutputFile {
    private static func files(in folder: String) throws(FileFailure) -> [String] {
        try FolderListing.names(in: folder).map(\.text).filter { ![".", ".."].contains($0) }
    }

    private func place(of name: String) -> String { FileLocation.join(working ?? target, name) }

    private func removeFiles() throws(FileFailure) {
        for name in try Self.files(in: working ?? target) {
            // SAFETY: the path is a string that lives through the call.
            guard unsafe unlink(place(of: name)) == 0 else { throw FileFailure(errno) }
        }
    }

    /// Writes bytes behind those that a file of the folder has; makes the file where it is not there.
    package func append(_ bytes: borrowing [UInt8], to name: String) throws(FileFailure) {
        let file = try SystemCall.openFile(
            place(of: name), O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW, mode: isSecret ? 0o600 : 0o644)
        defer { close(file) }
        try FileDescriptor.write(bytes, to: file)
    }

    /// Waits until a file of the folder is on the disk.
    package func synchronize(_ name: String) throws(FileFailure) {
        let file = try SystemCall.openFile(place(of: name), O_RDONLY | O_NOFOLLOW)
        defer { close(file) }
        guard fsync(file) == 0 else { throw FileFailure(errno) }
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
