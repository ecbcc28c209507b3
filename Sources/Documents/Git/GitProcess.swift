internal import CLibrary
internal import CSystem

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
