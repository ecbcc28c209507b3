internal import Accounts
internal import Documents
internal import PolicyEngine
internal import Scenarios

/// `scenario init`: the files of a new project.
extension Command {
    static let start = Command(
        "init", "Begin with a commented account, scenarios, captures and a CI job.",
        .words(
            "bank|backend [DIR]",
            "The purpose: a policy in production, or tests of a backend; and the folder, by default this one.",
            minimum: 1, maximum: 2, completing: .words(Starter.Purpose.allCases.map(\.rawValue))),
        discussion: """
            No file is replaced: if one of them is there already, nothing is written. What is written passes
            `scenario lint` and `scenario run` as it is. The captures of `bank` are generated: two weeks of 2,000
            devices, the same on every machine. The account of `backend` gets a secret of its own.
            """,
        examples: [
            "scenario init bank policy":
                "A bank's project in the folder policy, and a list of questions that it answers."
        ],
        answer: answer)

    private static func answer(_ call: CommandCall) throws(CommandFailure) -> ExitStatus {
        let word = call.operands[0]
        guard let purpose = Starter.Purpose(rawValue: word) else {
            throw .usage("`init` takes `bank` or `backend`, not \(word.asTyped)")
        }
        let starter = Starter(purpose)
        let folder = call.operands.dropFirst().first.map { $0.hasSuffix("/") ? $0 : $0 + "/" } ?? ""
        var diagnostics = Diagnostics()
        let paths = (starter.files.map(\.path) + starter.captures.map(\.path)).map { folder + $0 }
        let taken = paths.filter { FileLocation($0).isThere }
        if let first = taken.first {
            let others = taken.count == 1 ? "" : ", as are \(taken.count - 1) of the others"
            diagnostics.add(
                Diagnostic(
                    file: first, message: "the file is there already\(others), and nothing was written",
                    hint: "`scenario init \(word) DIR` writes into another folder"))
        }
        if !diagnostics.hasErrors { write(starter, to: folder, &diagnostics) }
        if let account = starter.keyedAccount, !diagnostics.hasErrors { makeSecret(of: folder + account, &diagnostics) }
        for capture in starter.captures where !diagnostics.hasErrors { generate(capture, in: folder, &diagnostics) }
        call.console.show(diagnostics)
        guard !diagnostics.hasErrors else { return .invalidInput }
        for path in paths { call.console.output("\(path)\n") }
        let place = folder.isEmpty ? "" : " in \(folder.dropLast())"
        call.console.output("\nTry\(place):\n" + starter.next.map { "  # \($0.question)\n  \($0.command)\n" }.joined())
        if let guide = InstalledExamples.guide(purpose.guide, of: InstalledExamples.program) {
            call.console.output("\nThe guide is \(guide)\n")
        }
        return .success
    }

    private static func write(_ starter: Starter, to folder: String, _ diagnostics: inout Diagnostics) {
        for file in starter.files {
            let path = folder + file.path
            let written: Void? = diagnostics.attempt(in: path) { () throws(FileFailure) in
                try NewFile.write(Array(file.text.utf8), to: path)
            }
            guard written != nil else { return }
        }
    }

    // Gives an account a secret that nobody can derive, in a file beside it, as the management command does.
    private static func makeSecret(of path: String, _ diagnostics: inout Diagnostics) {
        guard let file = AccountFile(path: path, diagnostics: &diagnostics) else { return }
        var account = file.account
        let changed = diagnostics.attempt(in: path) { () throws(CommandError) in
            var context = CommandContext()
            context.chance = .system
            return try ManagementCommand("secret -change").apply(to: &account, in: context)
        }
        guard changed != nil else { return }
        do throws(FileFailure) {
            let lock = try AccountLock(path: path)
            diagnostics.attempt(in: path) { () throws(OutputFile.Failure) in try file.change(to: account, lock: lock) }
        } catch {
            diagnostics.add(Diagnostic(error, in: path))
        }
    }

    private static func generate(_ capture: StarterCapture, in folder: String, _ diagnostics: inout Diagnostics) {
        guard let scenario = ScenarioLoader.load(path: folder + capture.scenario, diagnostics: &diagnostics) else {
            return
        }
        var request = GenerationRequest(count: capture.count)
        request.duration = capture.duration
        request.format = .jsonl
        request.includesVerdicts = true
        request.path = folder + capture.path
        diagnostics.attempt(in: request.path) { () throws(FileFailure) in
            try NewFile.makeFolders(of: request.path)
        }
        do throws(GenerationFailure) {
            try request.generate(from: scenario)
        } catch {
            diagnostics.add(Diagnostic(error, in: request.path))
        }
    }
}
