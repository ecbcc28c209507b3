internal import CSpawn

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// Files as a commit of git has them, by the program `git`.
package enum GitRepository {
    /// The bytes of a file.
    ///
    /// Neither filters nor hooks of the repository are run.
    ///
    /// - Parameters:
    ///   - path: The file, as it is in the working tree.
    ///   - reference: A commit: a branch, a tag, `HEAD~1`.
    /// - Throws: ``GitFailure``, where git is missing, the commit is not known, or has no such file.
    package static func bytes(of path: String, at reference: String) throws(GitFailure) -> [UInt8] {
        let (folder, name) = FileLocation.split(path)
        let commit = try commit(reference, in: folder)
        let content = try run(["git", "-C", folder, "cat-file", "blob", "\(commit):./\(name)"])
        guard content.status == 0 else { throw .noFile(path, reference) }
        return content.output
    }

    /// Whether a commit has a file.
    ///
    /// - Throws: ``GitFailure``, where git is missing, or the commit is not known.
    package static func has(_ path: String, at reference: String) throws(GitFailure) -> Bool {
        let (folder, name) = FileLocation.split(path)
        let commit = try commit(reference, in: folder)
        return try run(["git", "-C", folder, "cat-file", "-e", "\(commit):./\(name)"]).status == 0
    }

    /// Which files are byte for byte as a commit has them.
    ///
    /// - Parameters:
    ///   - paths: Files, as they are in the working tree. One that the commit lacks, that is a link, that cannot be read, or
    ///     that lies in another repository is not among those returned.
    ///   - reference: A commit: a branch, a tag, `HEAD~1`.
    /// - Throws: ``GitFailure/cannotRun(_:)``.
    /// - Complexity: Two processes for each folder, and reading every file once.
    package static func unchanged(_ paths: some Sequence<String>, since reference: String) throws(GitFailure) -> Set<
        String
    > {
        var unchanged: Set<String> = []
        for (folder, members) in Dictionary(grouping: paths, by: { FileLocation.split($0).folder }).sorted(by: {
            $0.key < $1.key
        }) {
            let commit: String
            do throws(GitFailure) {
                commit = try self.commit(reference, in: folder)
            } catch {
                guard case .cannotRun = error else { continue }
                throw error
            }
            // A system takes only so many words.
            for start in stride(from: 0, to: members.count, by: Self.filesAtATime) {
                let some = members[start..<min(start + Self.filesAtATime, members.count)]
                let names = some.map { "./" + FileLocation.split($0).name }
                let listing = try run(
                    ["git", "--literal-pathspecs", "-C", folder, "ls-tree", "-z", commit, "--"] + names)
                let blobs = Self.blobs(in: listing.output)
                for path in some {
                    guard let blob = blobs[FileLocation.split(path).name], let bytes = try? TextFile.bytes(path: path),
                        FileDigest.blobName(of: bytes, digits: blob.utf8.count) == blob
                    else { continue }
                    unchanged.insert(path)
                }
            }
        }
        return unchanged
    }

    private static let filesAtATime = 500

    // Lines such as `100644 blob 8ab686…<tab>name`, each with a zero at its end.
    private static func blobs(in listing: [UInt8]) -> [String: String] {
        var blobs: [String: String] = [:]
        for line in listing.split(separator: 0) {
            let parts = line.split(separator: UInt8(ascii: "\t"), maxSplits: 1)
            let words = parts[0].split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
            guard parts.count == 2, words.count == 3, words[0].hasPrefix("100"), words[1] == "blob" else { continue }
            blobs[String(decoding: parts[1], as: UTF8.self)] = words[2]
        }
        return blobs
    }

    private static func commit(_ reference: String, in folder: String) throws(GitFailure) -> String {
        let start = ["git", "-C", folder]
        // A reference that begins with a dash is no option.
        let verify = try run(start + ["rev-parse", "--quiet", "--verify", "--end-of-options", "\(reference)^{commit}"])
        guard verify.status == 0 else {
            let isRepository = try run(start + ["rev-parse", "--git-dir"]).status == 0
            throw isRepository ? .unknownReference(reference) : .noRepository(folder)
        }
        return String(decoding: verify.output.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }

    // What git says on standard error is said better by the errors here.
    private static func run(_ words: [String]) throws(GitFailure) -> (status: Int32, output: [UInt8]) {
        var ends: [Int32] = [-1, -1]
        // SAFETY: the array has room for the two ends that the system fills in.
        guard unsafe pipe(&ends) == 0 else { throw .cannotRun(FileFailure(errno)) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer { close(ends[0]) }
        let process = try started(words, writingTo: ends[1])
        let output = try? TextFile.bytes(of: ends[0])
        var status: Int32 = 0
        // SAFETY: the system fills in the status.
        while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
        let code = status & 0x7F == 0 ? status >> 8 & 0xFF : -1
        return (output == nil ? -1 : code, output ?? [])
    }

    // Closes the end that is written to: only then does reading end.
    private static func started(_ words: [String], writingTo output: Int32) throws(GitFailure) -> pid_t {
        defer { close(output) }
        return try start(words, writingTo: output)
    }

    private static func start(_ words: [String], writingTo output: Int32) throws(GitFailure) -> pid_t {
        // SAFETY: each copy is freed below, after the call that reads it.
        var pointers = unsafe words.map { unsafe strdup($0) } + [nil]
        defer { for index in unsafe pointers.indices { unsafe free(pointers[index]) } }
        var process: pid_t = 0
        let failure = unsafe spawn_program(&pointers, output, &process)
        guard failure == 0 else { throw .cannotRun(FileFailure(failure)) }
        return process
    }
}

/// Why a file of a commit could not be read.
package enum GitFailure: DescribedError {
    /// The program cannot be started.
    case cannotRun(FileFailure)
    /// The folder belongs to no repository.
    case noRepository(String)
    /// There is no such commit.
    case unknownReference(String)
    /// The commit has no such file.
    case noFile(String, String)

    package var description: String {
        switch self {
        case .cannotRun(let failure): "git cannot be run: \(failure)"
        case .noRepository(let folder): "the folder \(folder.quoted) belongs to no git repository"
        case .unknownReference(let name): "git knows no commit \(name.quoted)"
        case .noFile(let path, let name): "there is no file \(path.quoted) in \(name.quoted)"
        }
    }

    package var hint: String? {
        switch self {
        case .cannotRun: "`--candidate` compares two files without git"
        case .noRepository: nil
        case .unknownReference: "in a clone of one commit, `git fetch` gets others"
        case .noFile: "a file that is not committed there is compared with `--candidate`"
        }
    }
}
