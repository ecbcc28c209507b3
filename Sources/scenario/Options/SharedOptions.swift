internal import CLibrary
internal import Documents
internal import PolicyEngine
internal import Replay
internal import Reports

/// The options that several commands take; a command that has more to say of one takes it `described(as:)`.
extension OptionDefinition {
    /// The account.
    static let account = OptionDefinition(
        "--account", letter: "a", "Replay through the account in FILE; by default a new one, as new says it.",
        .file(.readsAccount))

    /// Replaces the policy of the account.
    static let policy = OptionDefinition(
        "--policy", "Apply this security policy instead of the one of the account.",
        .text(placeholder: "SPEC", words: .policies))

    /// Changes the account first.
    static let change = OptionDefinition(
        "--change", "Change the account by a management command before the replay, in the order given.",
        .text(placeholder: "COMMAND"), isRepeatable: true)

    /// Changes the account by a file.
    static let changes = OptionDefinition(
        "--changes", "Change the account by the management commands in FILE, one a line; # starts a comment.",
        .file(.reads))

    /// The form of the result: one of those that the answer has.
    static func format(
        _ forms: [ReportForm], summary: String = "Write the report in this form; by default text.",
        relations: [OptionRelation] = []
    ) -> OptionDefinition { format(.choice(forms.map(\.rawValue)), summary: summary, relations: relations) }

    /// The form of a result, which is no report.
    static func format(
        _ forms: OptionValue, summary: String, relations: [OptionRelation] = []
    ) -> OptionDefinition {
        OptionDefinition(ParsedArguments.formatName, letter: "f", summary, forms, relations: relations)
    }

    /// The option for the path that the result is written to.
    static let output = OptionDefinition(
        "--output", letter: "o", "Write the report to FILE instead of standard output.", .file(.writes))

    /// The option for the paths that a report is written to, each in a form of its own.
    static let outputs = OptionDefinition(
        output.name, letter: output.letter,
        "Write the report to FILE instead of standard output, in the form of its ending unless --format names one; "
            + ".gz or .zst behind it compresses the file.",
        output.value, isRepeatable: true)

    /// The option for the path that the single decisions are written to.
    static let decisions = OptionDefinition(
        "--decisions", "Write every decision to FILE as JSON Lines, in input order; - is standard output.",
        .file(.writes))

    /// Keeps metrics by minute.
    static let series = OptionDefinition(
        "--series", "Write the live metrics of every minute into the report, too.",
        relations: [
            .needs([OptionUse("--format", ["json", "html", "csv", "csv-long", "openmetrics"]), OptionUse("--partial")])
        ])

    /// The option for the time between samples.
    static let step = OptionDefinition(
        "--step", "Write a sample each DURATION, by default 1m.", .duration(least: 1),
        relations: [.needs([OptionUse("--format", ["openmetrics"])])])

    /// Replaces the seed of scenarios.
    static let seed = OptionDefinition(
        "--seed", "Draw populations from the seed N instead of the one in each scenario.",
        .integer(placeholder: "N", in: 0...UInt64.max))

    /// The option for the number of threads.
    static let jobs = OptionDefinition(
        "--jobs", "Work on at most N threads. The results do not depend on it.",
        .integer(placeholder: "N", in: 1...1024))

    /// Lets scenarios name files of other folders.
    static let allowOutside = OptionDefinition(
        "--allow-outside",
        "Let scenarios name account files, and what these name, outside their folder and the folders given.")

    /// Keeps standard error free of progress bars.
    static let noProgress = OptionDefinition("--no-progress", "Show no progress, not even on a terminal.")
}

/// The options on the reading of captures.
extension OptionDefinition {
    /// The options of every command that reads captures; `CaptureOptions` reads their values.
    static let captureReading = [skipMalformed, malformed, sort, timezone, inputFormat]

    /// Weighs devices by how often they fetch; only for commands that report figures.
    static let fetches = OptionDefinition(
        "--fetches", "Weigh devices by how often they fetch tokens, as FILE lists it.", .file(.reads))

    /// Continues after malformed records.
    static let skipMalformed = OptionDefinition(
        "--skip-malformed", "Report on the other records and count malformed ones as fail-bad-request.")

    /// Keeps malformed records.
    static let malformed = OptionDefinition("--malformed", "Write malformed records to FILE.", .file(.writes))

    /// Takes captures out of time order.
    static let sort = OptionDefinition("--sort", "Sort captures that are out of time order instead of refusing them.")

    /// Helps with time zones that have no offset of their own.
    static let timezone = OptionDefinition(
        "--timezone",
        "Read the names of unknown time zones as this offset from UTC, or as a zone such as Europe/London.",
        .text(placeholder: "±hh:mm|ZONE"))

    /// The clock of whoever reads what commands print.
    static let shownTimezone = OptionDefinition(
        "--timezone", "Let commands print local times by this clock: ±hh:mm, BST or Europe/London; by default UTC.",
        .text(placeholder: "ZONE", words: .words(["UTC", "BST"])))

    /// Overrides the form that the content of a capture suggests.
    static let inputFormat = OptionDefinition(
        "--input-format", "Read captures in this form, whatever their content looks like.",
        .choice(of: CaptureFormat.self))
}

extension ParsedArguments {
    /// Which files a scenario may name beside those in its own folder.
    ///
    /// - Parameter fallback: The operand that is assumed if there is none.
    func boundary(fallback: String? = nil) -> FileBoundary {
        if isSet(.allowOutside) { return .anywhere }
        let named = operands.isEmpty ? [fallback].compactMap(\.self) : operands
        return folders == nil ? FileBoundary(namedBy: named) : confined(to: named)
    }

    /// The clock by which commands print times that the manual has in local time.
    ///
    /// - Throws: ``UsageError`` for one that is not known.
    func shownZone() throws(UsageError) -> ClockZone {
        guard let text = value(of: .shownTimezone) else { return .utc }
        if let zone = ClockZone(text) { return zone }
        guard let rules = NamedZone.rules(text) else { throw NamedZone.unknown(text) }
        return ClockZone(name: text, rules: rules)
    }

    /// The greatest number of threads: as many as the machine runs at a time, unless one was given.
    var jobs: Int { integer(of: .jobs) ?? max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }
}

extension Console {
    /// Does something under a line that says how far it is, unless `--no-progress` was given, and removes the line.
    func following<Result>(_ arguments: ParsedArguments, _ work: (Progress) -> Result) -> Result {
        let line = ProgressLine(console: self, isShown: !arguments.isSet(.noProgress))
        defer { line.clear() }
        return work(line.progress)
    }
}

extension ParsedArguments {
    /// The form of the report, by default text.
    var form: ReportForm { value(named: Self.formatName).flatMap(ReportForm.init) ?? .text }
}

/// Writes a report to where it was asked for.
enum ReportOutput {
    /// The style in which a text stresses words: plain if it is written to a file.
    static func style(_ arguments: ParsedArguments, _ console: Console) -> TextStyle {
        arguments.isSet(.output) ? .plain : console.style
    }

    /// Writes the bytes of a report to standard output, or to the file that `--output` names, unless they are samples and
    /// too many.
    ///
    /// - Returns: True if they could be written.
    static func writeSamples(of report: Report, arguments: ParsedArguments, console: Console) -> Bool {
        let step = arguments.seconds(of: .step) ?? OpenMetricsReport.usualStep
        let metrics = OpenMetricsReport(report, step: step)
        guard metrics.sampleCount <= OpenMetricsReport.sampleLimit else {
            console.show(
                error: "the report would have \(metrics.sampleCount.grouped) samples, more than "
                    + "\(OpenMetricsReport.sampleLimit.grouped); a longer `\(OptionDefinition.step.name)` makes fewer")
            return false
        }
        return write(metrics.bytes(), arguments: arguments, console: console)
    }

    /// Writes a report to every file that it is asked for, each in its form. A file that cannot be written leaves the others as
    /// they are meant to be.
    ///
    /// - Parameter write: Writes the report that some arguments ask for, with the redaction of the console.
    /// - Returns: True if all could be written.
    static func writeEach(
        _ arguments: ParsedArguments, of command: CommandDefinition, _ console: Console,
        _ write: (ParsedArguments, Console) -> Bool
    ) -> Bool {
        let written = arguments.reports.map { each in
            var console = console
            console.redaction = console.redaction.flatMap { RedactionOptions.hides(each, $0) ? $0 : nil }
            return write(each, console)
        }
        return written.allSatisfy(\.self)
    }

    /// Writes a report in the form that `--format` names, by default as text.
    ///
    /// - Parameter files: The inputs of the report.
    /// - Returns: True if it could be written.
    static func write(
        _ report: some Answer, _ arguments: ParsedArguments, of command: CommandDefinition, files: [String]? = nil,
        _ console: Console
    ) -> Bool {
        var setting = setting(arguments, console)
        setting.origin = ReportOrigins.origin(
            arguments, of: command, files: files ?? arguments.operands, isNeeded: arguments.form == .html,
            redactor: setting.redactor)
        return write(report.bytes(as: arguments.form, in: setting), arguments: arguments, console: console)
    }

    /// The style of a report and what it hides, without its origin.
    static func setting(_ arguments: ParsedArguments, _ console: Console) -> ReportSetting {
        var setting = ReportSetting()
        setting.style = style(arguments, console)
        setting.redactor = console.redaction?.redactor
        return setting
    }

    /// Writes the bytes of a report to standard output, or to the file that `--output` names.
    ///
    /// - Parameter isSecret: True if nobody but its owner may read the file.
    /// - Returns: True if they could be written.
    static func write(
        _ bytes: [UInt8], isSecret: Bool = false, arguments: ParsedArguments, console: Console
    ) -> Bool {
        let form = arguments.value(named: ParsedArguments.formatName)
        let named = arguments.defaults?.named(in: bytes, as: form) ?? bytes
        let isRedacted = form == ReportForm.github.rawValue
        let bytes = isRedacted ? named : console.redaction?.redactor.bytes(named) ?? named
        guard let path = arguments.value(of: .output), path != "-" else {
            console.output(String(decoding: bytes, as: UTF8.self))
            return true
        }
        return console.attempt(in: path) { () throws(FileFailure) in
            try OutputFile.write(OutputCompression.packed(bytes, for: path), to: path, isSecret: isSecret)
        } != nil
    }
}
