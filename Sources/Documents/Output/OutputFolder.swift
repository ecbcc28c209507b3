internal import CLibrary

/// A folder that is written as a whole or not at all: under another name first, then renamed.
///
/// Its maker holds a lock on it. The folder that a killed command left is removed by the next one that makes the same folder.
package struct OutputFolder: ~Copyable {
    private let target: String
    private let partial: String
    private let descriptor: Int32
    private var isThere = true

    /// Makes an empty folder beside another name.
    ///
    /// - Parameter path: The folder; must not be there yet, unless it is empty.
    package static func make(_ path: String) throws(FileFailure) -> OutputFolder {
        let location = FileLocation(path)
        guard !location.isRegularFile else { throw FileFailure(EEXIST) }
        if location.isFolder, try !Self.files(in: location.path).isEmpty {
            throw FileFailure("the folder exists already, and is not empty")
        }
        let (folder, name) = FileLocation.split(location.path)
        let partial = FileLocation.join(folder, ".\(name).partial")
        // SAFETY: the path is a string that lives through the call.
        if unsafe mkdir(partial, 0o755) != 0, errno != EEXIST { throw FileFailure(errno) }
        let descriptor = try SystemCall.openFile(partial, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK else {
            close(descriptor)
            throw FileFailure("another command is writing the folder")
        }
        let made = OutputFolder(target: location.path, partial: partial, descriptor: descriptor)
        try made.removeFiles()
        return made
    }

    private init(target: String, partial: String, descriptor: Int32) {
        (self.target, self.partial, self.descriptor) = (target, partial, descriptor)
    }

    deinit {
        if isThere {
            try? removeFiles()
            unsafe rmdir(partial)
        }
        close(descriptor)
    }

    private static func files(in folder: String) throws(FileFailure) -> [String] {
        try FolderListing.names(in: folder).map(\.text).filter { ![".", ".."].contains($0) }
    }

    private func removeFiles() throws(FileFailure) {
        for name in try Self.files(in: partial) {
            // SAFETY: the path is a string that lives through the call.
            guard unsafe unlink(FileLocation.join(partial, name)) == 0 else { throw FileFailure(errno) }
        }
    }

    /// Writes bytes behind those that a file of the folder has; makes the file where it is not there.
    package func append(_ bytes: borrowing [UInt8], to name: String) throws(FileFailure) {
        let file = try SystemCall.openFile(
            FileLocation.join(partial, name), O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW, mode: 0o644)
        defer { close(file) }
        try FileDescriptor.write(bytes, to: file)
    }

    /// Waits until a file of the folder is on the disk.
    package func synchronize(_ name: String) throws(FileFailure) {
        let file = try SystemCall.openFile(FileLocation.join(partial, name), O_RDONLY | O_NOFOLLOW)
        defer { close(file) }
        guard fsync(file) == 0 else { throw FileFailure(errno) }
    }

    /// Gives the folder its name.
    ///
    /// - Throws: ``FileFailure``, also where a folder has that name by now.
    package mutating func finish() throws(FileFailure) {
        try SystemCall.renameFile(partial, to: target)
        isThere = false
        try FileDescriptor.synchronizeFolder(of: target)
    }
}
