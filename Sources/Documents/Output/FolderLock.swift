internal import CLibrary

/// An exclusive lock on some folders: the one process that has it may change their files.
///
/// The lock is on the folder and not on a file, since a file is changed by being replaced, and a lock on the old file would not
/// protect the new one. The system releases the lock however the process ends.
package struct FolderLock: ~Copyable {
    private var descriptors: [Int32] = []

    /// The number of attempts to lock a folder, and the microseconds between two of them: a minute in all.
    private static let (attempts, microseconds) = (12_000, 5_000 as UInt32)

    /// Locks the folders of files, and then removes the files that killed commands left beside these.
    ///
    /// - Parameters:
    ///   - paths: The files; links are followed.
    ///   - attempts: The number of attempts for each folder, one every 5 ms.
    /// - Throws: ``FileFailure`` if a folder cannot be opened, another command does not give its lock back, or the file system has
    ///   no locks.
    package init(ofFoldersOf paths: [String], attempts: Int = attempts) throws(FileFailure) {
        var folders: [(identity: [UInt64], descriptor: Int32)] = []
        defer { for folder in folders { close(folder.descriptor) } }
        let targets = paths.map { FileLocation($0).path }
        for target in targets {
            let folder = FileLocation.split(target).folder
            let descriptor: Int32
            do throws(FileFailure) {
                descriptor = try SystemCall.openFile(folder, O_RDONLY | O_DIRECTORY)
            } catch {
                throw .folder(folder, error)
            }
            let status = SystemCall.status(of: descriptor) ?? stat()
            folders.append(([UInt64(status.st_dev), UInt64(status.st_ino)], descriptor))
        }
        // Each command locks folders in the same order, so that no two commands wait for each other.
        folders.sort { $0.identity.lexicographicallyPrecedes($1.identity) }
        while !folders.isEmpty {
            let next = folders.removeFirst()
            descriptors.append(next.descriptor)
            // Several files may be in one folder.
            while folders.first?.identity == next.identity { close(folders.removeFirst().descriptor) }
            try Self.lock(next.descriptor, attempts: attempts)
        }
        Leftover.remove(beside: targets, isLocked: true)
    }

    deinit {
        for descriptor in descriptors { close(descriptor) }
    }

    private static func lock(_ descriptor: Int32, attempts: Int) throws(FileFailure) {
        for _ in 0..<attempts {
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return }
            guard errno == EWOULDBLOCK || errno == EINTR else { throw FileFailure(errno) }
            usleep(microseconds)
        }
        throw FileFailure("another command has been changing files in this folder for too long; try again later")
    }
}

extension FileFailure {
    fileprivate static func folder(_ path: String, _ failure: FileFailure) -> FileFailure {
        FileFailure("the folder \(path.quoted) cannot be locked: \(failure)")
    }
}
