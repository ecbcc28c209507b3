internal import CLibrary
internal import Documents
internal import PolicyEngine
internal import Replay
internal import Reports

/// The options that several commands take; a command that has more to say of one takes it `described(as:)`.
enum Options {
    static let account = Option(
        "--account", letter: "a", "Replay through the account in FILE; by default a new one, as new says it.",
        .file(.readsAccount), in: .change)
    static let policy = Option(
        "--policy", "Apply this security policy instead of the one of the account.", .text("SPEC", words: .policies),
        in: .change)
    static let change = Option(
        "--change", "Change the account by a management command before the replay, in the order given.",
        .texts("COMMAND"), in: .change)
    static let changes = Option(
        "--changes", "Change the account by the management commands in FILE, one a line; # starts a comment.",
        .file(.reads), in: .change)

    /// The form of a report: one of those that the answer has.
    static func format(
        _ forms: [ReportForm], summary: String = "Write the report in this form; by default text.",
        relations: [OptionRelation] = []
    ) -> Option<ReportForm> {
        Option(
            formatName, letter: "f", summary, .choice(among: forms, usually: .text), in: .output, relations: relations)
    }

    /// The name of the option for the form.
    static let formatName = "--format"

    /// Every form, to read the option of whatever command.
    fileprivate static let form = format(ReportForm.allCases)

    static let output = Option(
        "--output", letter: "o", "Write the report to FILE instead of standard output.", .file(.writes), in: .output)
    /// The paths of reports, each in a form of its own.
    static let outputs = Option(
        output.name, letter: "o",
        "Write the report to FILE instead of standard output, in the form of its ending unless --format names one; "
            + ".gz or .zst behind it compresses the file.", .files(.writes), in: .output)
    static let decisions = Option(
        "--decisions", "Write every decision to FILE as JSON Lines, in input order; - is standard output.",
        .file(.writes), in: .output)
    static let series = Option(
        "--series", "Write the live metrics of every minute into the report, too.", in: .count,
        relations: [
            .needs([OptionUse(formatName, ["json", "html", "csv", "csv-long", "openmetrics"]), OptionUse("--partial")])
        ])
    static let step = Option(
        "--step", "Write a sample each DURATION, by default 1m.",
        .duration(least: 1, usually: OpenMetricsReport.usualStep), in: .output,
        relations: [.needs([OptionUse(formatName, ["openmetrics"])])])
    static let digests = Option(
        "--digests",
        "Name inputs by their SHA-256, whatever their size; without it, up to 48 MiB of them are read again.",
        in: .output)
    static let seed = Option(
        "--seed", "Draw populations from the seed N instead of the one in each scenario.",
        .integer("N", in: 0...UInt64.max), in: .running)
    static let jobs = Option(
        "--jobs", "Work on at most N threads. The results do not depend on it.", .integer("N", in: 1...1024),
        in: .running)
    static let allowOutside = Option(
        "--allow-outside",
        "Let scenarios name account files, and what these name, outside their folder and the folders given.",
        in: .running)
    static let noProgress = Option("--no-progress", "Show no progress, not even on a terminal.", in: .running)
}

/// The options on the reading of captures, whose values `CaptureOptions` reads.
extension Options {
    /// Those of every command that reads captures.
    static let captureReading: [any CommandOption] = [
        skipMalformed, malformed, sort, timezone, rename, inputFormat,
    ]

    static let fetches = Option(
        "--fetches", "Weigh devices by how often they fetch tokens, as FILE lists it.", .file(.reads), in: .count)
    static let skipMalformed = Option(
        "--skip-malformed", "Report on the other records and count malformed ones as fail-bad-request.", in: .records)
    static let malformed = Option("--malformed", "Write malformed records to FILE.", .file(.writes), in: .records)
    static let sort = Option(
        "--sort", "Sort captures that are out of time order instead of refusing them.", in: .records)
    static let timezone = Option(
        "--timezone",
        "Read unknown time zones, and times without one, as this offset from UTC, or as a zone such as Europe/London.",
        .text("±hh:mm|ZONE"), in: .records)
    static let rename = Option(
        "--rename", "Read captures whose keys have other names: device_id=device-id,ts=time.", .text("NAME=KEY,…"),
        in: .records)
    static let inputFormat = Option(
        "--input-format", "Read captures in this form, whatever their content looks like.",
        .choice(of: CaptureFormat.self), in: .records)

    /// The clock of whoever reads what commands print.
    static let shownTimezone = Option(
        "--timezone", "Let commands print local times by this clock: ±hh:mm, BST or Europe/London; by default UTC.",
        .text("ZONE", words: .words(["UTC", "BST"])), in: .output)
}

/// The options that every command has without listing them, and those that may be typed in place of a command.
extension Options {
    static let help = Option("--help", letter: "h", "Show this help.", in: .running)
    static let quiet = Option(
        "--quiet", letter: "q", "Show nothing but results and errors: no warnings, no progress.", in: .running)
    static let version = Option("--version", letter: "V", "Show the version.", in: .running)
    static let dumpHelp = Option("--dump-help", "Write commands and options as JSON, for other programs.", in: .running)
}

extension ParsedArguments {
    /// Which files a scenario may name beside those in its own folder.
    ///
    /// - Parameter fallback: The operand that is assumed if there is none.
    func boundary(fallback: String? = nil) -> FileBoundary {
        if self[Options.allowOutside] { return .anywhere }
        let named = operands.isEmpty ? [fallback].compactMap(\.self) : operands
        return folders == nil ? FileBoundary(namedBy: named) : confined(to: named)
    }

    /// The greatest number of threads: as many as the machine runs at a time, unless one was given.
    var jobs: Int { self[Options.jobs] ?? max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }
}

extension ParsedArguments {
    /// The form of the report, by default text.
    var form: ReportForm { self[Options.form] }
}
