internal import Documents
internal import PolicyEngine
internal import Replay
internal import Scenarios

/// `scenario record`: a scenario that pins what a capture shows.
enum RecordCommand: ToolCommand {
    static let definition = CommandDefinition(
        name: "record",
        summary: "Write a scenario that expects the decisions of an account on a capture.",
        operands: .files("CAPTURE", "A capture, plain, .gz or .zst; - is standard input."),
        options: [account, change, nameOption, Options.output, Options.jobs] + Options.captureReading + [
            Options.noProgress
        ],
        discussion: [
            """
            Each device attests at the times of its records, with the flags and attributes of the record, and the scenario \
            expects the verdict and the rejections that the account gives. It was run before it is written, and passes.
            """,
            """
            A device is left out, with a warning, if a simulation gives it another decision: one whose DeviceCheck or \
            SafetyNet the account would do itself, or that has flags no policy knows. Captures of more than 10,000 records \
            are refused. With `--change` the scenario holds the changed account itself.
            """,
        ],
        examples: [
            "scenario record incident.jsonl --account prod.yaml --output Scenarios/incident.yaml":
                "The decisions of that day, as a test of every later change.",
            #"scenario record incident.jsonl --account prod.yaml --change "policy -set default,strict,risk""#:
                "The decisions of the changed account, which the scenario holds.",
        ]
    )

    private static let account = Options.account.described(
        as: "Expect the decisions of the account in FILE, and name the file in the scenario; by default a new one.")

    private static let change = Options.change.described(
        as: "Change the account by a management command first, in the order given.")

    private static let nameOption = Option(
        "--name", "Call the scenario TEXT; by default after the first capture.", .text("TEXT"))

    static func run(_ arguments: ParsedArguments, console: Console) throws(UsageError) -> ExitStatus {
        var request = try CaptureOptions.request(arguments)
        guard let account = AccountOptions.changed(arguments, showing: console)?.after else { return .invalidInput }
        request.account = account
        let kept = console.following(arguments) {
            CaptureRecords(request, keys: ScenarioRecording.keys(account), progress: $0).read()
        }
        console.show(kept.diagnostics)
        guard !kept.diagnostics.hasErrors else { return .invalidInput }
        let records = kept.records
        guard records.count <= ScenarioRecording.limit else {
            console.show(
                error: "\(records.count.grouped) records are more than a scenario takes, which is "
                    + "\(ScenarioRecording.limit.grouped); give a part of the capture")
            return .invalidInput
        }
        guard !records.isEmpty else {
            console.show(error: "nothing to record: there is no attestation")
            return .nothingRan
        }
        return write(records, account, arguments, console)
    }

    private static func write(
        _ records: [KeptRecord], _ account: Account, _ arguments: ParsedArguments, _ console: Console
    ) -> ExitStatus {
        let output = arguments[Options.output].flatMap { $0 == "-" ? nil : $0 } ?? "recorded.yaml"
        let name = arguments[nameOption] ?? usualName(arguments)
        var diagnostics = Diagnostics()
        let source = source(of: account, from: output, arguments, &diagnostics)
        var recording = ScenarioRecording(records, name: name, account: account, source: source ?? .new)
        guard source != nil,
            let left = recording.leaveOutOthers(path: output, diagnostics: &diagnostics)
        else {
            console.show(diagnostics)
            return .invalidInput
        }
        for device in left {
            console.show(
                Diagnostic(
                    severity: .warning, file: "device \(device)",
                    message: "it is left out, because a simulation gives it another decision"))
        }
        guard recording.count > 0 else {
            console.show(error: "nothing to record: a simulation gives every device another decision")
            return .nothingRan
        }
        let isWritten = ReportOutput.write(Array(recording.text.utf8), arguments: arguments, console: console)
        return isWritten ? .success : .invalidInput
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
