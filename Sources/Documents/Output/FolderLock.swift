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
        let targets = paths.map { FileLocation($0).path }
        descriptors = try Self.opened(targets.map { FileLocation.split($0).folder })
        for descriptor in descriptors { try Self.lock(descriptor, attempts: attempts) }
        Leftover.remove(beside: targets, isLocked: true)
    }

    deinit {
        for descriptor in descriptors { close(descriptor) }
    }

    // Opens folders, each once whatever its names, in the order in which each command locks them: no two wait for each other.
    private static func opened(_ paths: [String]) throws(FileFailure) -> [Int32] {
        var folders: [(identity: [UInt64], descriptor: Int32)] = []
        for path in paths {
            do throws(FileFailure) {
                let descriptor = try SystemCall.openFile(path, O_RDONLY | O_DIRECTORY)
                let status = SystemCall.status(of: descriptor) ?? stat()
                let identity = [UInt64(status.st_dev), UInt64(status.st_ino)]
                let isOpen = folders.contains { $0.identity == identity }
                if isOpen { close(descriptor) } else { folders.append((identity, descriptor)) }
            } catch {
                for folder in folders { close(folder.descriptor) }
                throw .folder(path, error)
            }
        }
        return folders.sorted { $0.identity.lexicographicallyPrecedes($1.identity) }.map(\.descriptor)
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
