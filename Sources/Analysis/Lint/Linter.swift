internal import Accounts
package import Documents
package import PolicyEngine
internal import Replay
internal import Scenarios

/// Checks accounts, scenarios and captures: errors as a run finds them, and probable mistakes.
package struct Linter {
    private var accounts: [LintedAccount] = []
    private var scenarios: [LintedScenario] = []
    private var captures: [String] = []
    private var diagnostics = Diagnostics()
    // The findings that comments of the files allow, in the order of files and lines.
    private var allowed: [AllowedFindings] = []

    private let boundary: FileBoundary
    private let keyBoundary: FileBoundary
    private let overlay: FileOverlay
    private let instant: Instant?

    /// Makes a linter that was given no files.
    ///
    /// - Parameters:
    ///   - boundary: Which files scenarios may name beside those in their own folders.
    ///   - keyBoundary: The files among which the key files of accounts must be.
    ///   - overlay: The texts that take the place of files.
    ///   - instant: The instant by which it is decided what has expired; `nil` decides nothing.
    package init(
        within boundary: FileBoundary = FileBoundary(), keysWithin keyBoundary: FileBoundary = .anywhere,
        over overlay: FileOverlay = FileOverlay(), at instant: Instant? = nil
    ) {
        (self.boundary, self.keyBoundary, self.overlay, self.instant) = (boundary, keyBoundary, overlay, instant)
    }

    /// Adds a file; what is wrong with it is noted.
    ///
    /// - Parameter path: An account or a scenario, by its keys, or else a capture.
    package mutating func add(_ path: String) {
        guard ScenarioFiles.isScenario(path) else { return captures.append(path) }
        let read = diagnostics.attempt(in: path) { [overlay] () throws(FileFailure) in
            try overlay.parse(path: path, as: .scenario)
        }
        if let document = read { add(document) }
    }

    /// Adds an account or a scenario that was read already.
    package mutating func add(_ document: ParsedDocument) {
        if Self.isScenario(document) { addScenario(document) } else { addAccount(document) }
    }

    /// The findings of some files.
    package struct Result: Sendable {
        /// Every error and warning, sorted by position.
        package let diagnostics: Diagnostics
        /// The comments that allow findings, which are not among these.
        package let allowed: [AllowedFindings]
    }

    /// Checks everything that was added.
    package mutating func finish() -> Result {
        let replays = captures.flatMap(replays)
        let attributes = replays.reduce(into: Set()) { $0.formUnion($1.outcome.attributes) }
        for index in accounts.indices { accounts[index].attributes.formUnion(attributes) }
        for account in accounts { check(account) }
        for scenario in scenarios { check(scenario) }
        for replay in replays { check(replay) }
        for unused in allowed where unused.findings.isEmpty { checkUnused(unused) }
        return Result(diagnostics: diagnostics, allowed: allowed.filter { !$0.findings.isEmpty })
    }

    /// True for a scenario rather than an account, by its keys.
    package static func isScenario(_ document: ParsedDocument) -> Bool {
        guard let root = document.root, case .mapping(let entries) = root.content else { return false }
        return entries.contains { ["scenario", "steps", "accounts"].contains($0.key) }
    }

    private mutating func addAccount(_ document: ParsedDocument) {
        guard let account = AccountLoader.load(document, within: keyBoundary, diagnostics: &diagnostics) else { return }
        noteAllowances(in: document)
        var linted = LintedAccount(account, in: document.source, at: document.root, isPartOfScenario: false)
        linted.expired = expired(in: document)
        accounts.append(linted)
    }

    private mutating func addScenario(_ document: ParsedDocument) {
        guard
            let scenario = ScenarioLoader.load(
                document, within: boundary, over: overlay, diagnostics: &diagnostics),
            let root = document.root,
            case .mapping(let entries) = root.content
        else { return }
        noteAllowances(in: document)
        scenarios.append(LintedScenario(scenario: scenario, source: document.source))
        var nodes = entries.filter { $0.key == "account" }.map(\.value)
        for entry in entries where entry.key == "accounts" {
            if case .mapping(let accounts) = entry.value.content { nodes += accounts.map(\.value) }
        }
        let expired = expired(in: document)
        for (named, node) in zip(scenario.accounts, nodes) {
            // An account of another file is checked where that file is given.
            guard case .mapping = node.content else { continue }
            var account = LintedAccount(named.account, in: document.source, at: node, isPartOfScenario: true)
            (account.attributes, account.expired) = (scenario.attributes, expired)
            accounts.append(account)
        }
    }

    private mutating func check(_ account: LintedAccount) {
        for check in LintCatalogue.all {
            for finding in check.findings(in: account, among: accounts) { note(finding, of: check, in: account.source) }
        }
    }

    private mutating func check(_ scenario: LintedScenario) {
        for check in LintCatalogue.all {
            for finding in check.findings(in: scenario) { note(finding, of: check, in: scenario.source) }
        }
    }

    // A capture through an account that is given beside it, if one is.
    private struct CheckedReplay {
        let capture: String
        let account: LintedAccount?
        let outcome: ReplaySummary
    }

    // With accounts beside it, a capture shows what their filters would do.
    private func replays(_ capture: String) -> [CheckedReplay] {
        let candidates = accounts.isEmpty ? [nil] : accounts.map(Optional.some)
        return candidates.map { account in
            var request = ReplayRequest(captures: [capture], account: account?.account ?? Account())
            request.sorts = true
            return CheckedReplay(capture: capture, account: account, outcome: request.run())
        }
    }

    private mutating func check(_ replay: CheckedReplay) {
        diagnostics.merge(replay.outcome.diagnostics)
        guard let account = replay.account, let figures = replay.outcome.figures else { return }
        let counted = CountedCapture(capture: replay.capture, figures: figures)
        for check in LintCatalogue.all {
            for finding in check.findings(in: account, counted: counted) {
                note(finding, of: check, in: account.source)
            }
        }
    }

    private mutating func expired(in document: ParsedDocument) -> [LintExpiry] {
        let expiries = LintExpiry.all(in: document, &diagnostics)
        return instant.map { instant in expiries.filter { $0.instant <= instant } } ?? []
    }

    private mutating func noteAllowances(in document: ParsedDocument) {
        for allowance in LintAllowance.all(in: document.source) {
            if let problem = problem(of: allowance) {
                diagnostics.add(
                    Diagnostic(
                        severity: .warning, in: document.source, at: allowance.position, message: problem.message,
                        hint: problem.hint))
            } else {
                allowed.append(AllowedFindings(source: document.source, allowance: allowance))
            }
        }
    }

    private func problem(of allowance: LintAllowance) -> (message: String, hint: String)? {
        guard LintCatalogue.information(on: allowance.code) != nil else {
            let codes = LintCatalogue.reasons.map(\.code)
            return (
                "no check has the code \(allowance.code.quoted)",
                Suggestion.hint(for: allowance.code, among: codes) ?? "`scenario lint --explain` knows the codes"
            )
        }
        guard allowance.reason.isEmpty else { return nil }
        return ("nothing is allowed without a reason", "`# scenario: allow \(allowance.code) because …` gives one")
    }

    // A check that had not all files that it needs says nothing about an allowance.
    private mutating func checkUnused(_ unused: AllowedFindings) {
        let isPossible =
            switch LintCatalogue.information(on: unused.allowance.code)?.needs {
            case .accounts: accounts.count > 1
            case .capture: !captures.isEmpty
            case .instant: instant != nil
            case nil, .some(.none): true
            }
        guard isPossible else { return }
        diagnostics.add(
            Diagnostic(
                severity: .warning, in: unused.source, at: unused.allowance.position,
                message: "\(unused.allowance.code.quoted) finds nothing here, so the comment allows nothing",
                hint: LintAllowance.removalHint))
    }

    // A warning of the loader in the same words is reported once, with the code of the check.
    private mutating func note(_ finding: LintFinding, of check: any LintCheck.Type, in source: SourceFile) {
        let information = check.information
        let position = finding.position ?? SourcePosition(line: 1, column: 1)
        diagnostics.remove(where: { $0.file == source.path && $0.position == position && $0.message == finding.message }
        )
        let found = Diagnostic(
            severity: .warning, in: source, at: position, message: "\(finding.message) [\(information.code)]",
            hint: finding.hint ?? information.why)
        let index = allowed.firstIndex { $0.covers(position, in: source, code: information.code) }
        guard let index else { return diagnostics.add(found) }
        if !allowed[index].findings.contains(found) { allowed[index].findings.append(found) }
    }
}
