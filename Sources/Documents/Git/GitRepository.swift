internal import CLibrary
internal import CSystem

/// Files as a commit of git has them, by the program `git`.
package enum GitRepository {
    /// The bytes of a file.
    ///
    /// No command of the repository is run (``GitProcess``), and nothing is fetched.
    ///
    /// - Parameters:
    ///   - path: The file, as it is in the working tree.
    ///   - reference: A commit: a branch, a tag, `HEAD~1`.
    /// - Throws: ``GitFailure``, if git is missing, the commit is not known or has no such file, or the repository lacks the
    ///   file's content.
    package static func bytes(of path: String, at reference: String) throws(GitFailure) -> [UInt8] {
        let (folder, name) = FileLocation.split(path)
        let commit = try commit(reference, in: folder)
        let content = try GitProcess.run(["cat-file", "blob", "\(commit):./\(name)"], in: folder)
        guard content.status == 0 else {
            let isFile = try entry(name, in: folder, at: commit).split(separator: 0x20).dropFirst().first == Self.blob
            throw isFile ? .notStored(path, reference) : .noFile(path, reference)
        }
        return content.output
    }

    /// True if a commit has a file, also if the repository lacks its content.
    ///
    /// - Throws: ``GitFailure``, if git is missing, the commit is not known, or the repository lacks its folders.
    package static func has(_ path: String, at reference: String) throws(GitFailure) -> Bool {
        let (folder, name) = FileLocation.split(path)
        return try !entry(name, in: folder, at: commit(reference, in: folder)).isEmpty
    }

    private static let blob = ArraySlice("blob".utf8)

    // The line that the folders of a commit have for a name; empty where they have none. The content may be missing.
    private static func entry(_ name: String, in folder: String, at commit: String) throws(GitFailure) -> [UInt8] {
        let listing = try GitProcess.run(
            ["--literal-pathspecs", "ls-tree", "-z", commit, "--", "./\(name)"], in: folder)
        guard listing.status == 0 else { throw .notStored(FileLocation.join(folder, name), commit) }
        return listing.output
    }

    /// The files that are byte for byte as a commit has them.
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
            // A system limits the number of words of a command.
            for start in stride(from: 0, to: members.count, by: Self.filesAtATime) {
                let some = members[start..<min(start + Self.filesAtATime, members.count)]
                let names = some.map { "./" + FileLocation.split($0).name }
                let listing = try GitProcess.run(
                    ["--literal-pathspecs", "ls-tree", "-z", commit, "--"] + names, in: folder)
                let blobs = Self.blobs(in: listing.output)
                for path in some {
                    guard let blob = blobs[FileLocation.split(path).name],
                        let bytes = try? TextFile.secretBytes(path: path),
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
        // A reference that begins with a dash is no option.
        let verify = try GitProcess.run(
            ["rev-parse", "--quiet", "--verify", "--end-of-options", "\(reference)^{commit}"], in: folder)
        guard verify.status == 0 else {
            let isRepository = try GitProcess.run(["rev-parse", "--git-dir"], in: folder).status == 0
            throw isRepository ? .unknownReference(reference) : .noRepository(folder)
        }
        return String(decoding: verify.output.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }
}

/// The reason why a file of a commit could not be read.
package enum GitFailure: DescribedError {
    /// The program cannot be started.
    case cannotRun(FileFailure)
    /// The folder belongs to no repository.
    case noRepository(String)
    /// There is no such commit.
    case unknownReference(String)
    /// The commit has no such file.
    case noFile(String, String)
    /// The commit has the file, or may have it, but the repository lacks an object of it: it was cloned in part.
    case notStored(String, String)

    package var description: String {
        switch self {
        case .cannotRun(let failure): "git cannot be run: \(failure)"
        case .noRepository(let folder): "the folder \(folder.quoted) belongs to no git repository"
        case .unknownReference(let name): "git knows no commit \(name.quoted)"
        case .noFile(let path, let name): "there is no file \(path.quoted) in \(name.quoted)"
        case .notStored(let path, let name): "the repository lacks the content of \(path.quoted) in \(name.quoted)"
        }
    }

    package var hint: String? {
        switch self {
        case .cannotRun: "`--candidate` compares two files without git"
        case .noRepository: nil
        case .unknownReference: "in a clone of one commit, `git fetch` gets others"
        case .noFile: "a file that is not committed there is compared with `--candidate`"
        case .notStored: "nothing is fetched from here; in a clone of a part, `git fetch --refetch` gets the rest"
        }
    }
}

/// Runs `git` in a repository that a stranger may have made, and that must not get anything else to run.
///
/// The commands that are run here only read objects, and need no program of the repository's settings. If an object is missing,
/// git would fetch it from the remote that the repository names, with the programs that it names: that is forbidden in each way
/// that some version of git knows.
enum GitProcess {
    // No transport, also if settings allow a single one; no fetch of missing objects; no questions, and no writing.
    private static let environment = [
        "GIT_ALLOW_PROTOCOL=none", "GIT_NO_LAZY_FETCH=1", "GIT_TERMINAL_PROMPT=0", "GIT_OPTIONAL_LOCKS=0",
    ]

    // Settings that name programs; those of the command line go before the repository's.
    private static let settings = [
        "protocol.allow=never", "core.fsmonitor=false", "core.hooksPath=/dev/null", "core.pager=cat",
        "core.alternateRefsCommand=", "core.sshCommand=false", "core.askPass=", "credential.helper=",
    ]

    /// Runs git.
    ///
    /// Its messages on standard error are dropped: the errors of the callers say more.
    ///
    /// - Parameters:
    ///   - words: The command of git and its arguments.
    ///   - folder: A folder of the repository.
    /// - Returns: The exit status, -1 if a signal ended it, and standard output; of more than a document may have, the beginning,
    ///   as ``TextFile`` reads files.
    /// - Throws: ``GitFailure/cannotRun(_:)``.
    static func run(_ words: [String], in folder: String) throws(GitFailure) -> (status: Int32, output: [UInt8]) {
        var ends: [Int32] = [-1, -1]
        // SAFETY: the array has room for the two ends that the system fills in.
        guard unsafe pipe(&ends) == 0 else { throw .cannotRun(FileFailure(errno)) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let process = try started(
            ["git", "--no-pager"] + settings.flatMap { ["-c", $0] } + ["-C", folder] + words, between: ends)
        let output = try? TextFile.bytes(of: ends[0])
        // If there is more output than is read, git must not wait for ever.
        close(ends[0])
        var status: Int32 = 0
        // SAFETY: the system fills in the status.
        while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
        guard let output else { return (-1, []) }
        if output.count > DocumentLimits.maximumBytes { return (0, output) }
        return (status & 0x7F == 0 ? status >> 8 & 0xFF : -1, output)
    }

    // Closes the end that is written to: only then does reading end. If nothing was started, closes both.
    private static func started(_ words: [String], between ends: [Int32]) throws(GitFailure) -> pid_t {
        defer { close(ends[1]) }
        do throws(GitFailure) {
            return try start(words, writingTo: ends[1])
        } catch {
            close(ends[0])
            throw error
        }
    }

    private static func start(_ words: [String], writingTo output: Int32) throws(GitFailure) -> pid_t {
        // SAFETY: each copy is freed below, after the call that reads it.
        var pointers = unsafe words.map { unsafe strdup($0) } + [nil]
        defer { for index in unsafe pointers.indices { unsafe free(pointers[index]) } }
        var variables = unsafe environment.map { unsafe strdup($0) } + [nil]
        defer { for index in unsafe variables.indices { unsafe free(variables[index]) } }
        var process: pid_t = 0
        let failure = unsafe spawn_program(&pointers, &variables, output, &process)
        guard failure == 0 else { throw .cannotRun(FileFailure(failure)) }
        return process
    }
}
