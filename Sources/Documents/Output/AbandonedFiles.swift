internal import CLibrary

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
