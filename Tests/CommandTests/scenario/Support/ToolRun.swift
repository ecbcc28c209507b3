import Foundation
import Synchronization
import Testing

@testable import Documents
@testable import Reports
@testable import TestSupport
@testable import scenario

/// The result of running the tool.
struct ToolRun {
    let status: scenario.ExitStatus
    /// Standard output and standard error; the paths of the folder are left out.
    let output, error: String

    /// Runs the tool.
    ///
    /// - Parameters:
    ///   - arguments: As typed; `@name` is the path of a file in the folder.
    ///   - folder: The folder of those files.
    ///   - input: The lines that are typed.
    ///   - showsInput: True if a terminal shows what is typed.
    ///   - environment: The variables that are set.
    ///   - columns: The width of the terminal that standard output is; 0 for none.
    init(
        _ arguments: [String], in folder: TemporaryFolder, input: [String] = [], showsInput: Bool = false,
        environment: [String: String] = [:], columns: Int = 0
    ) {
        let (recorder, errors) = (Recorder(input: input), Errors())
        let console = Console(
            output: { recorder.output += $0 }, error: { text in errors.text.withLock { $0 += text } },
            style: TerminalChoice { environment[$0] }.isColoured(columns: columns) ? .coloured : .plain,
            showsProgress: false, reportWidth: TerminalChoice { environment[$0] }.reportWidth(columns: columns),
            input: { recorder.nextLine() }, showsInput: showsInput,
            environment: { environment[$0] })
        let paths = arguments.map { $0.replacing(/(^|=)@/) { "\($0.output.1)\(folder.path)/" } }
        status = ScenarioTool.run(paths, console: console)
        output = Self.without(folder.path + "/", in: recorder.output)
        error = Self.without(folder.path + "/", in: errors.text.withLock { $0 })
    }

    // A page may end a line within a path.
    private static func without(_ path: String, in text: String) -> String {
        let plain = text.replacing(path, with: "")
        guard plain.contains("<wbr>") else { return plain }
        let pattern = path.map { NSRegularExpression.escapedPattern(for: String($0)) + "(?:<wbr>)?" }.joined()
        return plain.replacingOccurrences(of: pattern, with: "", options: .regularExpression)
    }

    /// Runs the tool on files that are there for this run only.
    init(_ arguments: [String], files: [String: String] = [:]) throws {
        self.init(arguments, in: try TemporaryFolder(files))
    }

    /// Runs the tool by a command line, as ``Words`` reads it.
    init(_ command: String, in folder: TemporaryFolder, input: [String] = []) {
        self.init(Words(stringLiteral: command).list, in: folder, input: input)
    }

    /// Runs the tool by such a command line on files that are there for this run only.
    init(_ command: String, files: [String: String] = [:]) throws {
        self.init(command, in: try TemporaryFolder(files))
    }

    /// The same run, which has to have ended so.
    @discardableResult
    func ending(_ expected: scenario.ExitStatus, at location: Testing.SourceLocation = #_sourceLocation) -> ToolRun {
        #expect(status == expected, "\(error)", sourceLocation: location)
        return self
    }

    private final class Recorder {
        var output = ""
        private var input: ArraySlice<String>

        init(input: [String]) {
            self.input = input[...]
        }

        func nextLine() -> String? { input.popFirst() }
    }

    // Words of whatever thread.
    private final class Errors: Sendable {
        let text = Mutex("")
    }
}

/// The words of a command line: as one text, where a space within `'` belongs to a word, or one by one.
struct Words: ExpressibleByStringInterpolation, ExpressibleByArrayLiteral, Sendable {
    let list: [String]

    init(list: [String]) { self.list = list }

    init(stringLiteral text: String) {
        var (words, isQuoted): ([String?], Bool) = ([nil], false)
        for character in text {
            switch character {
            case "'":
                isQuoted.toggle()
                words[words.count - 1] = words[words.count - 1] ?? ""
            case " " where !isQuoted: words.append(nil)
            default: words[words.count - 1] = (words[words.count - 1] ?? "") + String(character)
            }
        }
        list = words.compactMap(\.self)
    }

    init(arrayLiteral words: String...) { list = words }
}

/// A command line and how it ends.
struct ToolRow: LabelledRow {
    let name: String
    let arguments: Words
    let status: scenario.ExitStatus
    /// All that goes to standard error.
    var error = ""

    /// A command line that cannot be understood.
    ///
    /// - Parameter message: The error, without the start and the end of the line that says it.
    static func usage(_ name: String, _ command: Words, _ message: String) -> ToolRow {
        ToolRow(name: name, arguments: command, status: .usage, error: "scenario: error: \(message)\n")
    }

    /// A command line whose input is invalid.
    ///
    /// - Parameter error: All that goes to standard error, without the end of the last line.
    static func invalid(_ name: String, _ command: Words, _ error: String) -> ToolRow {
        ToolRow(name: name, arguments: command, status: .invalidInput, error: "\(error)\n")
    }

    /// Runs the command line on files that are there for this run only, and expects it to end so, without output.
    ///
    /// - Parameter command: The words before the arguments of the row.
    func expectNoOutput(
        command: [String] = [], files: [String: String], at location: Testing.SourceLocation = #_sourceLocation
    ) throws {
        expectNoOutput(of: try ToolRun(command + arguments.list, files: files), at: location)
    }

    /// Expects that a run ended so, without output.
    func expectNoOutput(of run: ToolRun, at location: Testing.SourceLocation = #_sourceLocation) {
        #expect(run.status == status, sourceLocation: location)
        #expect(run.error == error, sourceLocation: location)
        #expect(run.output == "", sourceLocation: location)
    }
}

/// The built tool as a process of its own, for what cannot be seen from inside: locks, signals, kills.
final class ToolProcess {
    private let folder: TemporaryFolder
    private let errorName = ".stderr-\(UUID().uuidString)"
    private let process: pid_t
    // The ends of pipes on this side; negative where they are closed.
    private var input, output: Int32

    /// The tool, which is built beside the tests.
    static let path = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: "scenario")
        .path(percentEncoded: false)

    /// Starts the tool in a folder.
    ///
    /// - Parameters:
    ///   - arguments: As typed.
    ///   - folder: The working folder.
    ///   - launcher: A program and its arguments that start the tool, such as `strace`.
    ///   - path: The path that standard output is written to; by default ``read()`` reads it.
    init(_ arguments: [String], in folder: TemporaryFolder, by launcher: [String] = [], output path: String? = nil)
        throws
    {
        self.folder = folder
        let words =
            // Nothing of a test is remembered for whoever runs it.
            ["/usr/bin/env", "--default-signal=INT,TERM,HUP,PIPE", "-C", folder.path, "XDG_STATE_HOME=/dev/null"]
            + launcher + [Self.path]
            + arguments
        let errors = folder.path(errorName)
        (process, input, output) = try Self.starting.withLock { _ in
            try Self.start(words, output: path, errors: errors)
        }
    }

    // One after another: a pipe that is just being made must not get into another process.
    private static let starting = Mutex(())

    private static func start(
        _ words: [String], output path: String?, errors: String
    ) throws -> (process: pid_t, input: Int32, output: Int32) {
        let (typed, said) = try (pipe(), pipe())
        defer {
            close(typed.read)
            close(said.write)
        }
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_adddup2(&actions, typed.read, STDIN_FILENO)
        unsafe posix_spawn_file_actions_adddup2(&actions, said.write, STDOUT_FILENO)
        if let path { unsafe posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, path, O_WRONLY, 0) }
        unsafe posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, errors, O_WRONLY | O_CREAT, 0o600)
        var pointers = unsafe words.map { unsafe strdup($0) } + [nil]
        defer { for index in unsafe pointers.indices { unsafe free(pointers[index]) } }
        var process: pid_t = 0
        guard unsafe posix_spawn(&process, words[0], &actions, nil, &pointers, environ) == 0
        else {
            throw TestFailure("\(words[0]) cannot be started")
        }
        return (process, typed.write, said.read)
    }

    deinit {
        for descriptor in [input, output] where descriptor >= 0 { close(descriptor) }
        unsafe unlink(folder.path(errorName))
    }

    private static func pipe() throws -> (read: Int32, write: Int32) {
        var ends: [Int32] = [0, 0]
        guard systemPipe(&ends) == 0 else { throw TestFailure("no pipe") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    /// Writes a line of standard input.
    func type(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        unsafe write(input, bytes, bytes.count)
    }

    /// Ends standard input.
    func endInput() {
        close(input)
        input = -1
    }

    /// Waits until standard output says something; empty where it ends. A process that says nothing for five minutes is ended.
    func read() -> String { String(decoding: readBytes(), as: UTF8.self) }

    /// The bytes that ``read()`` is a text of; there may be a part of a character at their end.
    func readBytes() -> [UInt8] {
        var waited = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
        if unsafe poll(&waited, 1, 300_000) == 0 {
            Issue.record("a process says nothing for five minutes")
            send(SIGKILL)
        }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = unsafe SystemCall.readBytes(output, &bytes, bytes.count)
        return Array(bytes.prefix(max(0, count)))
    }

    /// Stops reading standard output.
    func stopReading() {
        close(output)
        output = -1
    }

    /// Sends a signal.
    func send(_ signal: Int32) { kill(process, signal) }

    /// The result of the process: its exit status, or the signal that ended it as a negative number, and its standard
    /// error.
    func end() -> (status: Int32, error: String) {
        if input >= 0 { endInput() }
        var status: Int32 = 0
        while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
        let signal = status & 0x7F
        return (signal == 0 ? status >> 8 & 0xFF : -signal, folder.relative(folder[errorName] ?? ""))
    }

    /// The names of what is in the folder, but for what a running process has there.
    static func names(in folder: TemporaryFolder) -> [String] { folder.names.filter { !$0.hasPrefix(".stderr-") } }
}

extension Tooling {
    /// The path of a program of the folder `Tooling`.
    static func path(of program: String) -> String {
        Repository.root.appending(path: "Tests/CommandTests/scenario/Tooling/\(program)").path(percentEncoded: false)
    }
}

extension TemporaryFolder {
    /// Runs git in the folder; it must succeed.
    func git(_ words: String...) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/git")
        process.arguments =
            ["-C", path, "-c", "user.name=Somebody", "-c", "user.email=somebody@example.com"] + words
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
    }

    /// Commits all that is in the folder under a tag, in a repository that it makes the first time.
    func commit(_ tag: String) throws {
        if !names.contains(".git") { try git("init", "--quiet") }
        try git("add", ".")
        try git("commit", "--quiet", "--allow-empty", "--message", tag)
        try git("tag", tag)
    }
}

// Under a name that no member of the process has.
private func systemPipe(_ ends: inout [Int32]) -> Int32 { unsafe pipe(&ends) }
