internal import Documents
internal import PolicyEngine
internal import Replay
internal import Scenarios

/// `scenario record`: a scenario that pins what a capture shows.
extension Command {
    static let record = Command(
        "record", "Write a scenario that expects the decisions of an account on a capture.",
        .files("CAPTURE", "A capture, plain, .gz or .zst; - is standard input."),
        options: [account, change, nameOption, Options.output, Options.jobs] + Options.captureReading + [
            Options.noProgress
        ],
        discussion: """
            Each device attests at the times of its records, with the flags and attributes of the record, and the
            scenario expects the verdict and the rejections that the account gives. It was run before it is written,
            and passes.

            A device is left out, with a warning, if a simulation gives it another decision: one whose DeviceCheck
            or SafetyNet the account would do itself, or that has flags no policy knows. Captures of more than
            10,000 records are refused. With `--change` the scenario holds the changed account itself.
            """,
        examples: [
            "scenario record incident.jsonl --account prod.yaml --output Scenarios/incident.yaml":
                "The decisions of that day, as a test of every later change.",
            #"scenario record incident.jsonl --account prod.yaml --change "policy -set default,strict,risk""#:
                "The decisions of the changed account, which the scenario holds.",
        ],
        answer: answer)

    private static let account = Options.account.described(
        as: "Expect the decisions of the account in FILE, and name the file in the scenario; by default a new one.")
    private static let change = Options.change.described(
        as: "Change the account by a management command first, in the order given.")
    private static let nameOption = Option(
        "--name", "Call the scenario TEXT; by default after the first capture.", .text("TEXT"))

    private static func answer(_ call: CommandCall) throws(CommandFailure) -> ExitStatus {
        var question = try CaptureQuestion(call)
        let account = try question.readAccounts().after
        let kept = try question.ask {
            CaptureRecords($0, keys: ScenarioRecording.keys(account), progress: $1).read()
        }
        try call.require(kept.diagnostics)
        let records = kept.records
        guard records.count <= ScenarioRecording.limit else {
            throw call.failure(
                "\(records.count.grouped) records are more than a scenario takes, which is "
                    + "\(ScenarioRecording.limit.grouped); give a part of the capture")
        }
        guard !records.isEmpty else { throw call.failure("nothing to record: there is no attestation", .nothingRan) }
        let output = call[Options.output].flatMap { $0 == "-" ? nil : $0 } ?? "recorded.yaml"
        let name = call[nameOption] ?? usualName(call.arguments)
        var diagnostics = Diagnostics()
        let source = source(of: account, from: output, call.arguments, &diagnostics)
        var recording = ScenarioRecording(records, name: name, account: account, source: source ?? .new)
        guard source != nil, let left = recording.leaveOutOthers(path: output, diagnostics: &diagnostics) else {
            call.console.show(diagnostics)
            throw .shown(.invalidInput)
        }
        for device in left {
            call.console.show(
                Diagnostic(
                    severity: .warning, file: "device \(device)",
                    message: "it is left out, because a simulation gives it another decision"))
        }
        guard recording.count > 0 else {
            throw call.failure("nothing to record: a simulation gives every device another decision", .nothingRan)
        }
        try call.write(Array(recording.text.utf8))
        return .success
    }

    // A changed account is in no file.
    private static func source(
        of account: Account, from output: String, _ arguments: ParsedArguments, _ diagnostics: inout Diagnostics
    ) -> ScenarioRecording.AccountSource? {
        let file = arguments[self.account] ?? AccountOptions.newAccount
        if arguments.isSet(change) {
            return AccountOptions.text(of: file, saying: account, &diagnostics).map {
                .text(String(decoding: $0, as: UTF8.self))
            }
        }
        return file == AccountOptions.newAccount ? .new : .file(path(to: file, from: output))
    }

    private static func usualName(_ arguments: ParsedArguments) -> String {
        let part = arguments.captures?.part.map { ", \($0)" } ?? ""
        return "Decisions on \(fileName(arguments.operands.first ?? ""))\(part)"
    }

    private static func fileName(_ path: String) -> String {
        path.split(separator: "/").last.map(String.init) ?? path
    }

    // A file as another one names it, from its own folder.
    private static func path(to account: String, from output: String) -> String {
        guard !account.hasPrefix("/") else { return account }
        let folders = output.split(separator: "/").dropLast().filter { $0 != "." }.map(String.init)
        let names = account.split(separator: "/").filter { $0 != "." }.map(String.init)
        guard !output.hasPrefix("/"), !folders.contains("..") else { return account }
        let shared = zip(folders, names.dropLast()).prefix { $0 == $1 }.count
        let up = Array(repeating: "..", count: folders.count - shared)
        return (up + names.dropFirst(shared)).joined(separator: "/")
    }
}
