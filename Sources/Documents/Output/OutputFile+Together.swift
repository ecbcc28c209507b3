internal import CLibrary

/// Several files that change together or not at all.
extension OutputFile {
    /// One of the files.
    package struct Change: Sendable {
        /// The path; links are followed.
        let path: String
        /// The content that it must still have; `nil` if it must not be there.
        let expected: [UInt8]?
        /// The new content; `nil` if it stays.
        let content: [UInt8]?
        /// True if only its owner may read it.
        let isSecret: Bool

        package init(path: String, expected: [UInt8]?, content: [UInt8]?, isSecret: Bool = false) {
            (self.path, self.expected, self.content, self.isSecret) = (path, expected, content, isSecret)
        }
    }

    /// The reason why the files were not changed.
    package struct Failure: DescribedError, Hashable {
        /// The path of the file that caused it.
        package let path: String
        /// The problem with this file, in words.
        package let description: String
        /// The state of the files after the failure.
        package fileprivate(set) var hint: String? = "nothing was changed"

        package init(path: String, description: String) { (self.path, self.description) = (path, description) }
    }

    /// Replaces files, whose folders the caller has locked.
    ///
    /// All new content is on the disk before the first file changes. If the process is killed in between, the next ``FolderLock``
    /// for one of the files undoes the unfinished change.
    ///
    /// - Parameters:
    ///   - changes: The files; the last one decides: once it has its new content, all have.
    ///   - lock: The lock on their folders.
    /// - Throws: ``Failure``; no file has changed then, unless it says so.
    package static func replace(_ changes: [Change], lock: borrowing FolderLock) throws(Failure) {
        let located = changes.map { (change: $0, target: FileLocation($0.path).path) }
        let id = Leftover.newID()
        // The last file first: as long as something unfinished is there, so is something beside it, by which it is found.
        var prepared: [Prepared] = []
        for (change, target) in located.reversed() where change.content != nil {
            try failing(at: change.path) { () throws(FileFailure) in
                prepared.append(try Prepared(change, at: target, id: id))
            }
        }
        // As late as can be: a program that takes no lock may have written while the content was prepared.
        for change in changes { try check(change) }
        try carryOut(prepared)
    }

    private static func check(_ change: Change) throws(Failure) {
        let isThere = SystemCall.status(of: change.path) != nil
        let found = try failing(at: change.path) { () throws(FileFailure) -> [UInt8]? in
            isThere ? try TextFile.secretBytes(path: change.path) : nil
        }
        guard found == change.expected else {
            throw Failure(path: change.path, description: FileFailure.changedMeanwhile.description)
        }
    }

    private static func failing<Value>(
        at path: String, _ step: () throws(FileFailure) -> Value
    ) throws(Failure) -> Value {
        do throws(FileFailure) {
            return try step()
        } catch {
            throw Failure(path: path, description: error.description)
        }
    }

    private static func carryOut(_ prepared: [Prepared]) throws(Failure) {
        var (held, before) = (sigset_t(), sigset_t())
        // SAFETY: the system fills in the sets. A signal that comes between two files waits for the second.
        unsafe sigfillset(&held)
        unsafe pthread_sigmask(SIG_BLOCK, &held, &before)
        // SAFETY: the set was filled in above.
        defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
        var done: [Prepared] = []
        for file in prepared.reversed() {
            do throws(FileFailure) {
                try file.keepEarlier()
                try file.new.put()
                done.append(file)
                try FileDescriptor.synchronizeFolder(of: file.new.target)
            } catch {
                throw undone(done, of: prepared, after: Failure(path: file.path, description: error.description))
            }
        }
        for file in prepared { file.forgetEarlier() }
    }

    private static func undone(_ done: [Prepared], of prepared: [Prepared], after failure: Failure) -> Failure {
        var failure = failure
        for file in done.reversed() where !file.putBack() {
            let kept = file.wasThere ? "; what it held is in \(file.earlier.quoted)" : ""
            failure.hint = "\(file.path.quoted) was changed, and could not be changed back\(kept)"
            return failure
        }
        for file in prepared { file.forgetEarlier() }
        return failure
    }
}

/// The new content of one of the files, and the place for what the file held before.
// A class, because an array holds nothing that cannot be copied.
private final class Prepared {
    let path: String
    var new: OutputFile
    let wasThere: Bool
    // The second name of the old content, or a note that there is none.
    let earlier: String

    init(_ change: OutputFile.Change, at target: String, id: String) throws(FileFailure) {
        guard FileLocation.split(target).name.utf8.count <= Leftover.longestTarget else {
            throw FileFailure(ENAMETOOLONG)
        }
        (path, wasThere) = (change.path, change.expected != nil)
        earlier = Leftover(of: target, id: id, wasThere ? .undo : .absent).path
        new = try OutputFile.replacing(target, id: id, isSecret: change.isSecret)
        try new.write(change.content ?? [])
        try new.complete()
    }

    func keepEarlier() throws(FileFailure) {
        if wasThere {
            // SAFETY: both paths are strings that live through the call.
            guard unsafe link(new.target, earlier) == 0 else { throw FileFailure(errno) }
        } else {
            close(try SystemCall.openFile(earlier, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600))
        }
    }

    /// Gives the file its old content again, and says whether that succeeded.
    func putBack() -> Bool {
        // SAFETY: the paths are strings that live through the calls.
        unsafe wasThere ? rename(earlier, new.target) == 0 : unlink(new.target) == 0
    }

    func forgetEarlier() {
        // SAFETY: the path is a string that lives through the call.
        unsafe unlink(earlier)
    }
}

extension FileFailure {
    fileprivate static let changedMeanwhile = FileFailure(
        "the file was changed by somebody else after the command had read it; give the command again")
}
