internal import Documents
internal import Figures
internal import PolicyEngine
internal import Replay
internal import Reports
internal import Scenarios

/// Reports a comparison: of `diff`, or of parts that `merge` put together.
struct DiffReport {
    private var comparison: Comparison
    private let timeline: ChangeTimeline?
    private let account: String
    private let arguments: ParsedArguments
    private let console: Console
    private let carried: PartialResult.TypedCommand?

    private static let command = DiffCommand.definition

    /// - Parameters:
    ///   - comparison: The result of the comparison.
    ///   - timeline: The timeline of the change in a scenario.
    ///   - account: The digest of the account before.
    ///   - arguments: The arguments that were typed, or would be on a machine that does all parts.
    ///   - console: The console that the report is written to.
    ///   - carried: The files that parts were made from, according to them; `nil` looks at the files.
    init(
        _ comparison: Comparison, _ timeline: ChangeTimeline?, account: String,
        _ arguments: ParsedArguments, _ console: Console, carried: PartialResult.TypedCommand? = nil
    ) throws(UsageError) {
        (self.comparison, self.timeline, self.account) = (comparison, timeline, account)
        (self.arguments, self.console, self.carried) = (arguments, console, carried)
        self.comparison.confidence = try ConfidenceOption.level(arguments, testing: ChangeLimits.tested)
    }

    /// Writes the report, and returns the exit status.
    func finish() throws(UsageError) -> ExitStatus {
        var report = self
        report.comparison.labelCost = try LabelOptions.cost(arguments)
        return try report.written()
    }

    private mutating func written() throws(UsageError) -> ExitStatus {
        guard comparison.comparesAnything else {
            console.show(error: "nothing to compare: there is no attestation\(NarrowingOptions.remainder(arguments))")
            return .nothingRan
        }
        var diagnostics = Diagnostics()
        let identity = try identity()
        let baseline = ComparisonBaseline.read(arguments, against: identity, &diagnostics)
        console.show(diagnostics)
        guard !diagnostics.hasErrors else { return .invalidInput }
        let checked = ChangeLimits.check(comparison, baseline, arguments)
        let unlimited = checked.isEmpty ? [] : DiffCommand.unlimitedChanges(comparison, arguments)
        if !unlimited.isEmpty { comparison.changes.decidedRules.insert(.unlimitedChanges) }
        let isWritten = ReportOutput.writeEach(arguments, of: Self.command, console) {
            write(checked.map(\.result), identity, $0, $1)
        }
        guard isWritten else { return .invalidInput }
        let exceeded = checked.filter { $0.show(console) }
        for warning in unlimited { console.show(warning: warning) }
        if let emptiness = comparison.emptiness {
            console.show(error: "nothing was evaluated: \(emptiness)")
            if exceeded.isEmpty { return .nothingRan }
        }
        return exceeded.isEmpty ? .success : .limitExceeded
    }

    // The identity of the comparison, by which a later one recognizes it; worked out only on request. Input that can be
    // read once only has none.
    private func identity() throws(UsageError) -> ComparisonIdentity? {
        guard
            arguments.reports.contains(where: { $0.form == .json })
                || arguments.isSet(ComparisonBaseline.option)
        else { return nil }
        let budget = ReportOrigins.budget(arguments)
        let captures = carried?.captures ?? arguments.captureIdentities(digestedUpTo: budget)
        let inputs = CaptureIdentity.limiting(captures, to: budget).compactMap(\.text)
        guard inputs.count == captures.count, let key = try RedactionOptions.reproducibleKey(arguments, captures) else {
            return nil
        }
        // Of a scenario, some make other devices, or another time; of captures, others leave devices out.
        let drawn = ([Options.seed, DiffCommand.timeOption] + NarrowingOptions.all).flatMap { option in
            arguments.words(of: option).map { "\(option.name) \($0)" }
        }
        let names = arguments.captures?.names.names(by: key) ?? DeviceNames(key)
        return ComparisonIdentity(inputs: inputs + drawn, account: account, names: names, jobs: arguments.jobs)
    }

    private func write(
        _ limits: [LimitResult], _ identity: ComparisonIdentity?, _ arguments: ParsedArguments, _ console: Console
    ) -> Bool {
        let form = arguments.form
        var setting = ReportOutput.setting(arguments, console)
        // Another report may show them.
        var comparison = comparison
        comparison.hideValues(by: setting.redactor)
        comparison.narrowed = NarrowingOptions.shown(arguments, console)
        setting.origin = ReportOrigins.origin(
            arguments, of: Self.command, files: arguments.operands, carried: carried,
            isNeeded: form == .html || form == .sarif, redactor: setting.redactor,
            explanation: ExplanationLine.beginning(arguments, console.redaction))
        if form == .sarif || form == .github { setting.origin.change = .find(arguments, redactor: setting.redactor) }
        let report = ComparisonReport(comparison, timeline: timeline, limits: limits, identity: identity)
        return ReportOutput.write(report.bytes(as: form, in: setting), arguments: arguments, console: console)
    }
}
