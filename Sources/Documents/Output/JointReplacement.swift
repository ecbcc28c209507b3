internal import CLibrary

/// Several files that change together or not at all.
package enum JointReplacement {
    /// One of the files.
    package struct File: Sendable {
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
    package struct Failure: Error, Hashable, Sendable {
        /// The path of the file that caused it.
        package let path: String
        /// The problem with this file.
        package let reason: FileFailure
        /// The state of the files after the failure.
        package var result = "nothing was changed"
    }

    /// Replaces files, whose folders the caller has locked.
    ///
    /// All new content is on the disk before the first file changes. If the process is killed in between, the next ``FolderLock``
    /// for one of the files undoes the unfinished change.
    ///
    /// - Parameters:
    ///   - files: The files; the last one decides: once it has its new content, all have.
    ///   - lock: The lock on their folders.
    /// - Throws: ``Failure``; no file has changed then, unless it says so.
    package static func replace(_ files: [File], lock: borrowing FolderLock) throws(Failure) {
        let located = files.map { (file: $0, target: FileLocation($0.path).path) }
        let id = WorkingName.newID()
        var step = JointStep(id: id)
        // The last file first: as long as something unfinished is there, so is something beside it, by which it is found.
        for (file, target) in located.reversed() where file.content != nil {
            try failing(at: file.path) { () throws(FileFailure) in try step.prepare(file, at: target) }
        }
        // As late as can be: a program that takes no lock may have written while the content was prepared.
        for file in files { try check(file) }
        try step.carryOut()
    }

    private static func check(_ file: File) throws(Failure) {
        let isThere = SystemCall.status(of: file.path) != nil
        let found = try failing(at: file.path) { () throws(FileFailure) -> [UInt8]? in
            isThere ? try TextFile.secretBytes(path: file.path) : nil
        }
        guard found == file.expected else { throw Failure(path: file.path, reason: .changedMeanwhile) }
    }

    fileprivate static func failing<Value>(
        at path: String, _ step: () throws(FileFailure) -> Value
    ) throws(Failure) -> Value {
        do throws(FileFailure) {
            return try step()
        } catch {
            throw Failure(path: path, reason: error)
        }
    }
}

/// The new contents of one change, prepared and then put under their names one after another.
private struct JointStep: ~Copyable {
    let id: String
    private var replacements: [Entry] = []

    // A class, because an array holds nothing that cannot be copied.
    private final class Entry {
        let path: String
        var replacement: FileReplacement
        let wasThere: Bool

        init(path: String, replacement: consuming FileReplacement, wasThere: Bool) {
            self.path = path
            self.replacement = replacement
            self.wasThere = wasThere
        }
    }

    init(id: String) {
        self.id = id
    }

    mutating func prepare(_ file: JointReplacement.File, at target: String) throws(FileFailure) {
        guard FileLocation.split(target).name.utf8.count <= WorkingName.longestTarget else {
            throw FileFailure(ENAMETOOLONG)
        }
        var replacement = try FileReplacement.make(of: target, id: id, isSecret: file.isSecret)
        try replacement.write(file.content ?? [])
        try replacement.close()
        replacements.append(Entry(path: file.path, replacement: replacement, wasThere: file.expected != nil))
    }

    func carryOut() throws(JointReplacement.Failure) {
        var (held, before) = (sigset_t(), sigset_t())
        // SAFETY: the system fills in the sets. A signal that comes between two files waits for the second.
        unsafe sigfillset(&held)
        unsafe pthread_sigmask(SIG_BLOCK, &held, &before)
        // SAFETY: the set was filled in above.
        defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
        var done: [Entry] = []
        for entry in replacements.reversed() {
            do throws(FileFailure) {
                try keepEarlier(entry)
                try entry.replacement.put()
                done.append(entry)
                try FileDescriptor.synchronizeFolder(of: entry.replacement.target)
            } catch {
                throw undone(done, after: JointReplacement.Failure(path: entry.path, reason: error))
            }
        }
        for entry in replacements { forgetEarlier(entry) }
    }

    // Gives the old content a second name, or notes that there is none.
    private func keepEarlier(_ entry: Entry) throws(FileFailure) {
        let path = earlier(entry)
        if entry.wasThere {
            // SAFETY: both paths are strings that live through the call.
            guard unsafe link(entry.replacement.target, path) == 0 else { throw FileFailure(errno) }
        } else {
            close(try SystemCall.openFile(path, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600))
        }
    }

    private func undone(_ done: [Entry], after failure: JointReplacement.Failure) -> JointReplacement.Failure {
        var failure = failure
        for entry in done.reversed() {
            let (target, earlier) = (entry.replacement.target, earlier(entry))
            // SAFETY: the paths are strings that live through the calls.
            let isUndone = unsafe entry.wasThere ? rename(earlier, target) == 0 : unlink(target) == 0
            if !isUndone {
                let kept = entry.wasThere ? "; what it held is in \(earlier.quoted)" : ""
                failure.result = "\(entry.path.quoted) was changed, and could not be changed back\(kept)"
                return failure
            }
        }
        for entry in replacements { forgetEarlier(entry) }
        return failure
    }

    private func forgetEarlier(_ entry: Entry) {
        // SAFETY: the path is a string that lives through the call.
        unsafe unlink(earlier(entry))
    }

    private func earlier(_ entry: Entry) -> String {
        let (folder, name) = FileLocation.split(entry.replacement.target)
        return FileLocation.join(folder, WorkingName(for: name, id: id, kind: entry.wasThere ? .undo : .absent).text)
    }
}

extension FileFailure {
    fileprivate static let changedMeanwhile = FileFailure(
        "the file was changed by somebody else after the command had read it; give the command again")
}
