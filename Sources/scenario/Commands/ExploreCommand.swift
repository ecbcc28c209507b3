internal import CLibrary
internal import CSystem
internal import Documents
internal import Explore
internal import HTTP
internal import PolicyEngine
internal import Replay
internal import Reports

/// `scenario explore`: a page that shows the effect of changes while they are made.
extension Command {
    static let explore = Command(
        "explore", "Serve a page that shows the effect of a change on captured devices while it is made.",
        .files("CAPTURE", "A capture, plain, .gz or .zst; - is standard input. Several must be in the order of time."),
        options: [
            account, LabelOptions.labels, ConfidenceOption.option, portOption, openOption, memoryOption, Options.jobs,
        ] + RedactionOptions.all + readingOfExplorations + [Options.noProgress],
        discussion: """
            The command reads the captures, prints the page's address and runs until you press Ctrl-C. The first
            question about single values reads the captures once more, so leave them unchanged meanwhile. Each
            answer is the JSON report of `scenario diff`, `whatif` or `explain` with the changes of the page.

            Only this machine reaches the page. Its address has a new secret each time, and requests without it are
            refused. The command never writes FILE: the page exports the changes as commands, as a line of `scenario
            diff`, or as an account file.

            \(ConfidenceOption.discussion)
            """,
        examples: [
            "scenario explore day.jsonl.gz --account prod.yaml --open": "Opens the page in the browser.",
            "scenario explore week.arrow --account prod.yaml --labels known.csv --redact":
                "The same with labels, and without the IDs of devices.",
        ],
        takesSettings: true, answer: answer)

    private static let account = Options.account.described(
        as: "The account before the changes, in FILE; required, and new is a new one.")
    private static let portOption = Option(
        "--port", "Listen at port N of 127.0.0.1; by default 0, which takes one that is free.",
        .integer("N", in: 0...UInt16.max, usually: 0))
    private static let openOption = Option("--open", "Open the page in the browser, by xdg-open or open.")
    private static let memoryOption = Option(
        "--memory",
        "Refuse captures whose attestations take more than MIB MiB of memory; by default half of the machine's.",
        .integer("MIB", in: 1...1_048_576), in: .running)

    /// The options by which captures are read; the records that are malformed are in no image.
    static let readingOfExplorations: [any CommandOption] = [
        Options.sort, Options.timezone, Options.rename, Options.inputFormat,
    ]

    // Those that answer, beside the ones that wait for an evaluation.
    private static let threads = 8

    private static func answer(_ call: CommandCall) throws(CommandFailure) -> ExitStatus {
        try serve(ExploreAnswers(try session(call)), call)
    }

    /// Reads the captures.
    static func session(_ call: CommandCall) throws(CommandFailure) -> ExploreSession {
        try AccountOptions.requireAccount(call.arguments)
        _ = try ConfidenceOption.level(call.arguments)
        var question = try CaptureQuestion(call)
        let before = try question.readAccounts().after
        (question.request.attestationOption, question.request.labels) = (explore.name, nil)
        let bound = call[memoryOption].map { MemoryBound(bytes: $0 << 20) } ?? .usual
        let reading = BoundedReading(bound)
        let (image, problems) = try question.ask { request, progress in
            reading.cancellation.ending {
                CaptureImage.evaluating(request, progress: reading.progress(shown: progress))
            }
        }
        if let image { reading.note(Progress.Position(records: image.records, share: 1)) }
        if let excess = reading.excess {
            call.console.show(bound.refusal(excess, of: call.operands, account: call[Options.account] ?? ""))
            throw .shown(.invalidInput)
        }
        call.console.show(problems)
        guard let image else { throw .shown(.invalidInput) }
        guard image.records > 0 else {
            throw call.failure("nothing to evaluate: there is no attestation", .nothingRan)
        }
        return ExploreSession(call.arguments, image, account: before, redactor: call.redactor)
    }

    private static func serve(_ answers: ExploreAnswers, _ call: CommandCall) throws(CommandFailure) -> ExitStatus {
        let signals = EndingSignals()
        let page = ExploreServer(style: "\(PageStyle.base)") { question throws(Refusal) in try answers.answer(question)
        }
        var limits = HTTPServer.Limits()
        limits.threads = threads
        let server = try call.attempt(in: portOption.name) { () throws(ListeningFailure) in
            try HTTPServer(address: "127.0.0.1", port: call[portOption], limits: limits) { page.answer($0) }
        }
        let address = server.url + page.path
        call.console.output("exploring at \(address)\n")
        if call[openOption], !BrowserStart.open(address) {
            call.console.show(warning: "no browser was found that opens the page; open the address above")
        }
        signals.wait()
        page.end()
        server.stop()
        return .success
    }
}

/// Starts the user's browser.
enum BrowserStart {
    #if canImport(Darwin)
        private static let program = "open"
    #else
        private static let program = "xdg-open"
    #endif

    /// Opens an address.
    ///
    /// - Parameter address: The address; whoever may list the processes of this machine sees it while the program runs.
    /// - Returns: False if there is no program for it.
    static func open(_ address: String) -> Bool {
        // SAFETY: the path is a constant that ends with a zero.
        let nowhere = unsafe CLibrary.open("/dev/null", O_WRONLY | O_CLOEXEC)
        guard nowhere >= 0 else { return false }
        defer { close(nowhere) }
        let texts: [String] = [program, address]
        // SAFETY: each copy is freed below, after the call that reads it.
        var words = unsafe texts.map { unsafe strdup($0) } + [nil]
        defer { for index in unsafe words.indices { unsafe free(words[index]) } }
        var settings = unsafe [UnsafeMutablePointer<CChar>?](repeating: nil, count: 1)
        var process: pid_t = 0
        // SAFETY: both lists end with a null pointer, and live through the call with the texts in them.
        return unsafe spawn_program(&words, &settings, nowhere, &process) == 0
    }
}

/// The memory that the attestations of an exploration may take.
struct MemoryBound: Sendable {
    /// In bytes.
    let bytes: Int

    /// The bytes that an attestation takes, beside the values of dictionaries.
    static let bytesByAttestation = 100

    /// Half of the memory of the machine.
    static var usual: MemoryBound {
        let (pages, size) = (sysconf(Int32(_SC_PHYS_PAGES)), sysconf(Int32(_SC_PAGESIZE)))
        return MemoryBound(bytes: pages > 0 && size > 0 ? pages * size / 2 : .max)
    }

    /// The number of attestations that fit.
    var attestations: Int { bytes / Self.bytesByAttestation }

    /// Why captures are refused.
    ///
    /// - Parameters:
    ///   - position: The place in them at which it was noticed.
    ///   - captures: Their paths.
    ///   - account: The path of the account.
    func refusal(_ position: Progress.Position, of captures: [String], account: String) -> Diagnostic {
        let all = position.share.map { $0 > 0 ? Double(position.records) / $0 : 0 } ?? 0
        let parts = max(2, Int((max(all, Double(position.records)) / Double(max(1, attestations))).rounded(.up)))
        let paths = captures.map(Escape.shell(operand:)).joined(separator: " ")
        return Diagnostic(
            file: captures.first ?? "",
            message: "there are more attestations than fit into memory, which are \(attestations.grouped)",
            hint: "explore a sample of the devices: `scenario split \(paths) --shards \(parts) --output sample`, then "
                + "`scenario explore sample/shard-1.arrow \(Escape.shell(option: "--account", account))`")
    }
}

/// Reading that ends once there are more attestations than fit.
final class BoundedReading: Sendable {
    private let bound: MemoryBound
    private let found = Lock<Progress.Position?>(nil)
    /// Asked for once there are too many.
    let cancellation = Cancellation()

    init(_ bound: MemoryBound) { self.bound = bound }

    /// The place at which there were too many; `nil` if they fit.
    var excess: Progress.Position? { found.withLock { $0 } }

    /// A progress that notices that, and is shown as another one.
    func progress(shown: Progress) -> Progress {
        Progress { [self] position in
            note(position)
            shown.show(position)
        }
    }

    /// Notes a place.
    func note(_ position: Progress.Position) {
        guard position.records > bound.attestations else { return }
        found.withLock { if $0 == nil { $0 = position } }
        cancellation.request()
    }
}
