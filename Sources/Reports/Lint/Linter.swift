internal import Accounts
package import Documents
internal import PolicyEngine
internal import Replay
internal import Scenarios

/// Checks accounts, scenarios and captures: errors as a run finds them, and what is legal and hardly ever meant.
package struct Linter {
    private var accounts: [LintedAccount] = []
    private var captures: [String] = []
    private var diagnostics = Diagnostics()

    package init() {}

    /// Adds a file; what is wrong with it is noted.
    ///
    /// - Parameter path: An account or a scenario, by its keys, or else a capture.
    package mutating func add(_ path: String) {
        guard path.hasSuffix(".yaml") || path.hasSuffix(".yml") else { return captures.append(path) }
        do throws(FileFailure) {
            let document = try TextFile.parse(path: path)
            if Self.isScenario(document) { addScenario(document) } else { addAccount(document) }
        } catch {
            diagnostics.add(Diagnostic(file: path, message: error.description))
        }
    }

    /// Checks everything that was added.
    ///
    /// - Returns: Every error and warning, sorted by place.
    package mutating func finish() -> Diagnostics {
        for account in accounts { check(account) }
        for capture in captures { check(capture) }
        return diagnostics
    }

    private static func isScenario(_ document: ParsedDocument) -> Bool {
        guard let root = document.root, case .mapping(let entries) = root.content else { return false }
        return entries.contains { ["scenario", "steps", "accounts"].contains($0.key) }
    }

    private mutating func addAccount(_ document: ParsedDocument) {
        guard let account = AccountLoader.load(document, diagnostics: &diagnostics) else { return }
        accounts.append(LintedAccount(account, in: document.source, at: document.root, isPartOfScenario: false))
    }

    private mutating func addScenario(_ document: ParsedDocument) {
        guard let scenario = ScenarioLoader.load(document, diagnostics: &diagnostics), let root = document.root,
            case .mapping(let entries) = root.content
        else { return }
        var nodes = entries.filter { $0.key == "account" }.map(\.value)
        for entry in entries where entry.key == "accounts" {
            if case .mapping(let accounts) = entry.value.content { nodes += accounts.map(\.value) }
        }
        for (named, node) in zip(scenario.accounts, nodes) {
            // An account of another file is checked where that file is given.
            guard case .mapping = node.content else { continue }
            accounts.append(LintedAccount(named.account, in: document.source, at: node, isPartOfScenario: true))
        }
    }

    private mutating func check(_ account: LintedAccount) {
        for check in LintCatalogue.all {
            let (code, why) = (check.information.code, check.information.why)
            for finding in check.findings(in: account, among: accounts) {
                note(finding, code: code, why: why, in: account.source)
            }
        }
    }

    // With accounts beside it, a capture tells what their filters would do.
    private mutating func check(_ capture: String) {
        let judges = accounts.isEmpty ? [nil] : accounts.map(Optional.some)
        for account in judges {
            var request = ReplayRequest(captures: [capture], account: account?.account ?? Account())
            request.sorts = true
            let outcome = request.run()
            diagnostics.merge(outcome.diagnostics)
            guard let account, let figures = outcome.figures else { continue }
            for finding in RejectingShare.findings(in: account, figures, capture: capture) {
                note(finding, code: RejectingShare.code, why: RejectingShare.why, in: account.source)
            }
        }
    }

    // What the loader warned of in the same words is told once, with its code.
    private mutating func note(_ finding: LintFinding, code: String, why: String, in source: SourceFile) {
        let position = finding.position ?? SourcePosition(line: 1, column: 1)
        diagnostics.remove(where: { $0.file == source.path && $0.position == position && $0.message == finding.message }
        )
        diagnostics.add(
            Diagnostic(
                severity: .warning, in: source, at: position, message: "\(finding.message) [\(code)]", hint: why))
    }
}
