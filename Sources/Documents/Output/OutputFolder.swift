internal import CLibrary

/// A folder that is written as a whole or not at all: under another name first, then renamed.
///
/// Its maker holds a lock on it. The folder that a killed command left is removed by the next one that makes the same folder.
package struct OutputFolder: ~Copyable {
    private let target: String
    private let partial: String
    private let descriptor: Int32
    private let isSecret: Bool
    private var isThere = true

    /// Makes an empty folder beside another name.
    ///
    /// - Parameters:
    ///   - path: The folder; must not be there yet, unless it is empty.
    ///   - isSecret: True if only its owner may enter it, and read its files.
    package static func make(_ path: String, isSecret: Bool = false) throws(FileFailure) -> OutputFolder {
        let location = FileLocation(path)
        guard !location.isRegularFile else { throw FileFailure(EEXIST) }
        if location.isFolder, try !Self.files(in: location.path).isEmpty {
            throw FileFailure("the folder exists already, and is not empty")
        }
        let (folder, name) = FileLocation.split(location.path)
        let partial = FileLocation.join(folder, ".\(name).partial")
        // SAFETY: the path is a string that lives through the call.
        if unsafe mkdir(partial, isSecret ? 0o700 : 0o755) != 0, errno != EEXIST { throw FileFailure(errno) }
        let descriptor = try SystemCall.openFile(partial, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK else {
            close(descriptor)
            throw FileFailure("another command is writing the folder")
        }
        let made = OutputFolder(target: location.path, partial: partial, descriptor: descriptor, isSecret: isSecret)
        try made.removeFiles()
        return made
    }

    private init(target: String, partial: String, descriptor: Int32, isSecret: Bool) {
        (self.target, self.partial, self.descriptor, self.isSecret) = (target, partial, descriptor, isSecret)
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
            FileLocation.join(partial, name), O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW,
            mode: isSecret ? 0o600 : 0o644)
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

/// The contents of a folder.
package enum FolderListing {
    /// The name of something in a folder.
    package struct Name {
        /// The name; bytes that are not UTF-8 are replaced.
        package let text: String
        package let isUTF8: Bool
    }

    /// Makes a folder that only its owner may enter, and those that lead to it.
    ///
    /// - Returns: True if it is there.
    package static func make(_ path: String) -> Bool {
        // Each folder on the way is a call within a call; the system takes no longer path.
        guard path.utf8.count < Int(PATH_MAX) else { return false }
        if let status = SystemCall.status(of: path) { return status.isKind(S_IFDIR) }
        let parent = FileLocation.split(path).folder
        guard parent != path, make(parent) else { return false }
        return unsafe mkdir(path, 0o700) == 0 || errno == EEXIST
    }

    /// The names in the order of their bytes, on every file system.
    ///
    /// - Parameter isWanted: True for the names to return. Most names of a folder may be of no interest, and sorting costs.
    /// - Throws: ``FileFailure`` when the folder cannot be read to its end.
    package static func names(
        in folder: String, where isWanted: (String) -> Bool = { _ in true }
    ) throws(FileFailure) -> [Name] {
        guard let stream = unsafe opendir(folder) else { throw FileFailure(errno) }
        defer { unsafe closedir(stream) }
        var names: [Name] = []
        while true {
            // Only this distinguishes the end from a failure.
            errno = 0
            guard let entry = unsafe readdir(stream) else { break }
            // SAFETY: the name is a string that ends with a zero inside the entry, and is copied here.
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) { start in
                    unsafe Name(text: String(cString: start), isUTF8: String(validatingCString: start) != nil)
                }
            }
            if isWanted(name.text) { names.append(name) }
        }
        guard errno == 0 else { throw FileFailure(errno) }
        return names.sorted { $0.text.utf8.lexicographicallyPrecedes($1.text.utf8) }
    }
}

/// The files that killed commands left beside others.
enum AbandonedFiles {
    private struct Entry {
        let name: WorkingName
        let folder: String
        var path: String { FileLocation.join(folder, name.text) }
        var target: String { FileLocation.join(folder, name.target) }
    }

    /// Removes unfinished files beside some files. A change of several files that was interrupted is undone, unless somebody has
    /// written to one of them since.
    ///
    /// - Parameters:
    ///   - targets: The files, without links on the way.
    ///   - isLocked: True if this process has the lock on their folders; else only unfinished single files are removed.
    static func remove(beside targets: [String], isLocked: Bool) {
        let names = Set(targets.map { FileLocation.split($0).name })
        var groups: [String: [Entry]] = [:]
        for folder in Set(targets.map { FileLocation.split($0).folder }) {
            for name in (try? FolderListing.names(in: folder) { WorkingName($0) != nil }) ?? [] {
                guard let working = WorkingName(name.text) else { continue }
                groups[working.id, default: []].append(Entry(name: working, folder: folder))
            }
        }
        for entries in groups.values
        where entries.contains(where: { entry in names.contains(where: entry.name.isBeside) }) {
            let isGiven = { (entry: Entry) in names.contains(where: entry.name.isBeside) }
            // Those by which the others are found go last.
            remove(entries.filter { !isGiven($0) } + entries.filter(isGiven), isLocked: isLocked)
        }
    }

    private static func remove(_ entries: [Entry], isLocked: Bool) {
        let partials = entries.filter { $0.name.kind == .partial }
        let earlier = entries.filter { $0.name.kind != .partial }
        guard isLocked || earlier.isEmpty else { return }
        var locks: [Int32] = []
        defer { for lock in locks { close(lock) } }
        for partial in partials {
            guard let lock = lockOfNobody(partial.path) else { return }
            locks.append(lock)
        }
        // The last file of a change has its name once none is unfinished.
        if !partials.isEmpty, !earlier.contains(where: isWorkedOn) {
            for entry in earlier where !partials.contains(where: { $0.target == entry.target }) { undo(entry) }
        }
        // The unfinished ones go last: as long as one is there, the change is undone.
        for entry in earlier + partials { unsafe unlink(entry.path) }
    }

    // Whoever writes a file holds a lock on it. `nil` where somebody does, or nobody may look.
    private static func lockOfNobody(_ path: String) -> Int32? {
        guard let descriptor = try? SystemCall.openFile(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK) else { return nil }
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return descriptor }
        close(descriptor)
        return nil
    }

    // True if the file was written after the change began: then its content is somebody's work.
    private static func isWorkedOn(_ entry: Entry) -> Bool {
        guard let file = SystemCall.status(of: entry.target), let note = SystemCall.status(of: entry.path) else {
            return false
        }
        return SystemCall.written(file) > SystemCall.changed(note)
    }

    private static func undo(_ entry: Entry) {
        if entry.name.kind == .undo {
            unsafe rename(entry.path, entry.target)
        } else {
            unsafe unlink(entry.target)
        }
    }
}
