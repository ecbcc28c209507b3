internal import Documents
internal import Scenarios

/// `scenario run --update`: rewrites expectations that are stale.
enum RunUpdate {
    static let option = Option(
        "--update", "Rewrite failing expectations with the actual results; refused if the variable CI is set.",
        relations: [.excludes([RunWatch.option.given], hint: "it would change the watched files")])

    /// Refuses the option where nobody looks at what changes.
    static func check(_ arguments: ParsedArguments, _ console: Console) throws(UsageError) {
        guard arguments.isSet(option), console.environment("CI") != nil else { return }
        throw UsageError(
            "`\(option.name)` is refused if the variable CI is set",
            hint: "run it where somebody reviews the changes")
    }

    /// Rewrites what fails, and says each thing that it changed.
    ///
    /// - Returns: The exit status; `nil` if no update was asked for or nothing fails.
    static func run(_ results: [ScenarioResult], _ arguments: ParsedArguments, _ console: Console) -> ExitStatus? {
        let failed = results.filter { !$0.passed }
        guard arguments.isSet(option), !failed.isEmpty else { return nil }
        var status = ExitStatus.success
        for result in failed {
            switch update(result, arguments, console) {
            case nil: return .invalidInput
            case false?: status = .expectationFailed
            case true?: break
            }
        }
        return status
    }

    // True if everything that fails was rewritten; `nil` after showing why the file is unchanged.
    private static func update(_ result: ScenarioResult, _ arguments: ParsedArguments, _ console: Console) -> Bool? {
        var diagnostics = Diagnostics()
        guard let document = TextFile.parse(path: result.file, as: .scenario, diagnostics: &diagnostics),
            let update = ExpectationUpdate(document, results: result.expectations)
        else {
            console.show(diagnostics)
            return nil
        }
        for left in update.left {
            console.error("\(left.file):\(left.position): not updated: \(left.message)".showingControls() + "\n")
        }
        guard !update.changes.isEmpty else { return false }
        let seed = arguments[Options.seed]
        guard update.holds(at: result.file, within: arguments.boundary(fallback: result.file), seed: seed) else {
            console.show(
                Diagnostic(
                    file: result.file,
                    message: "nothing is updated, because the actual results would not hold in another run"))
            return nil
        }
        let written: Void? = console.attempt(in: result.file) { () throws(FileFailure) in
            try OutputFile.write(Array(update.text.utf8), to: result.file)
        }
        guard written != nil else { return nil }
        for change in update.changes { console.show(note: words(for: change, in: result.file)) }
        return update.left.isEmpty
    }

    private static func words(for change: ExpectationUpdate.Change, in file: String) -> String {
        "\(file):\(change.position): updated: \(change.message), \(change.before) → \(change.after)".showingControls()
    }
}
