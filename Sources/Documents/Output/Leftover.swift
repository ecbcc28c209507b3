internal import CLibrary

/// A file beside one that is being written, `.NAME.ID.partial` and the like. Killed commands leave such files, and the next command
/// that writes the same file removes them.
struct Leftover: Hashable, Sendable {
    /// The purpose of such a file.
    enum Kind: String, CaseIterable, Sendable {
        /// The new content, until it takes the name.
        case partial
        /// The old content under a second name, until all files of a change have their names.
        case undo
        /// Says that there was no such file before.
        case absent
    }

    private let folder: String
    /// The name of the file that is replaced; its beginning where that is long.
    private let target: String
    /// The ID that the files of one change share.
    private let id: String
    private let kind: Kind

    /// The longest name that is taken up whole, in bytes: with the rest of the name, every file system takes it.
    static let longestTarget = 200

    private static let idLength = 13

    /// That of a file.
    ///
    /// - Parameters:
    ///   - path: The file that is replaced.
    ///   - id: The ID that the files of one change share.
    ///   - kind: Its purpose.
    init(of path: String, id: String, _ kind: Kind) {
        let (folder, name) = FileLocation.split(path)
        (self.folder, target, self.id, self.kind) = (folder, Self.beginning(of: name), id, kind)
    }

    // `nil` if the name is that of another file.
    private init?(named name: String, in folder: String) {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count >= 4, parts[0].isEmpty, let last = parts.last, let kind = Kind(rawValue: String(last)),
            parts[parts.count - 2].utf8.count == Self.idLength
        else { return nil }
        target = parts[1..<parts.count - 2].joined(separator: ".")
        (self.folder, id, self.kind) = (folder, String(parts[parts.count - 2]), kind)
    }

    var path: String { FileLocation.join(folder, ".\(target).\(id).\(kind.rawValue)") }

    /// An ID that nobody else has.
    static func newID() -> String {
        let text = String(UInt64.random(in: .min ... .max), radix: 36)
        return String(repeating: "0", count: idLength - text.count) + text
    }

    private static func beginning(of name: String) -> String {
        guard name.utf8.count > longestTarget else { return name }
        var (beginning, count) = (String.UnicodeScalarView(), 0)
        for scalar in name.unicodeScalars {
            count += UTF8.width(scalar)
            if count > longestTarget { break }
            beginning.append(scalar)
        }
        return String(beginning)
    }
}

// MARK: Removing them

extension Leftover {
    /// Removes unfinished files beside some files. A change of several files that was interrupted is undone, unless somebody has
    /// written to one of them since.
    ///
    /// - Parameters:
    ///   - paths: The files, without links on the way.
    ///   - isLocked: True if this process has the lock on their folders; else only unfinished single files are removed.
    static func remove(beside paths: [String], isLocked: Bool) {
        let given = Set(paths.map { beginning(of: FileLocation.split($0).name) })
        var changes: [String: [Leftover]] = [:]
        for folder in Set(paths.map { FileLocation.split($0).folder }) {
            let names = try? FolderListing.names(in: folder) { Leftover(named: $0, in: folder) != nil }
            for left in (names ?? []).compactMap({ Leftover(named: $0.text, in: folder) }) {
                changes[left.id, default: []].append(left)
            }
        }
        for files in changes.values where files.contains(where: { given.contains($0.target) }) {
            // Those by which the others are found go last.
            remove(
                files.filter { !given.contains($0.target) } + files.filter { given.contains($0.target) },
                isLocked: isLocked)
        }
    }

    private static func remove(_ files: [Leftover], isLocked: Bool) {
        let partials = files.filter { $0.kind == .partial }
        let earlier = files.filter { $0.kind != .partial }
        guard isLocked || earlier.isEmpty else { return }
        var locks: [Int32] = []
        defer { for lock in locks { close(lock) } }
        for partial in partials {
            guard let lock = lockOfNobody(partial.path) else { return }
            locks.append(lock)
        }
        // The last file of a change has its name once none is unfinished.
        if !partials.isEmpty, !earlier.contains(where: \.isWorkedOn) {
            for file in earlier where !partials.contains(where: { $0.original == file.original }) { file.undo() }
        }
        // The unfinished ones go last: as long as one is there, the change is undone.
        for file in earlier + partials { unsafe unlink(file.path) }
    }

    // Whoever writes a file holds a lock on it. `nil` where somebody does, or nobody may look.
    private static func lockOfNobody(_ path: String) -> Int32? {
        guard let descriptor = try? SystemCall.openFile(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK) else { return nil }
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return descriptor }
        close(descriptor)
        return nil
    }

    private var original: String { FileLocation.join(folder, target) }

    // True if the file was written after the change began: then its content is somebody's work.
    private var isWorkedOn: Bool {
        guard let file = SystemCall.status(of: original), let note = SystemCall.status(of: path) else { return false }
        return SystemCall.written(file) > SystemCall.changed(note)
    }

    private func undo() {
        if kind == .undo {
            unsafe rename(path, original)
        } else {
            unsafe unlink(original)
        }
    }
}
