internal import Documents
internal import Scenarios

/// `scenario run --update`: rewrites expectations that are stale.
enum RunUpdate {
    static let option = Option(
        "--update", "Rewrite failing expectations with the actual results; refused if the variable CI is set.",
        relations: [.excludes([RunWatch.option.given], hint: "it would change the watched files")])

    /// Refuses the option where nobody looks at what changes.
    static func check(_ call: CommandCall) throws(CommandFailure) {
        guard call[option], call.console.environment("CI") != nil else { return }
        throw .usage(
            "`\(option.name)` is refused if the variable CI is set",
            hint: "run it where somebody reviews the changes")
    }

    /// Rewrites what fails, and says each thing that it changed.
    ///
    /// - Returns: The exit status; `nil` if no update was asked for or nothing fails.
    static func run(_ results: [ScenarioResult], _ call: CommandCall) throws(CommandFailure) -> ExitStatus? {
        let failed = results.filter { !$0.passed }
        guard call[option], !failed.isEmpty else { return nil }
        var isWhole = true
        for result in failed where try !update(result, call) { isWhole = false }
        return isWhole ? .success : .expectationFailed
    }

    // True if everything that fails was rewritten.
    private static func update(_ result: ScenarioResult, _ call: CommandCall) throws(CommandFailure) -> Bool {
        var diagnostics = Diagnostics()
        guard let document = TextFile.parse(path: result.file, as: .scenario, diagnostics: &diagnostics),
            let update = ExpectationUpdate(document, results: result.expectations)
        else {
            call.console.show(diagnostics)
            throw .shown(.invalidInput)
        }
        for left in update.left {
            call.console.error("\(left.file):\(left.position): not updated: \(left.message)".showingControls() + "\n")
        }
        guard !update.changes.isEmpty else { return false }
        let boundary = call.arguments.boundary(fallback: result.file)
        guard update.holds(at: result.file, within: boundary, seed: call[Options.seed]) else {
            try call.require(
                Diagnostics(
                    Diagnostic(
                        file: result.file,
                        message: "nothing is updated, because the actual results would not hold in another run")))
            return false
        }
        try call.attempt(in: result.file) { () throws(FileFailure) in
            try OutputFile.write(Array(update.text.utf8), to: result.file)
        }
        for change in update.changes { call.console.show(note: words(for: change, in: result.file)) }
        return update.left.isEmpty
    }

    private static func words(for change: ExpectationUpdate.Change, in file: String) -> String {
        "\(file):\(change.position): updated: \(change.message), \(change.before) → \(change.after)".showingControls()
    }
}
