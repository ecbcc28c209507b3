internal import CLibrary
internal import Documents
internal import PolicyEngine
internal import Replay

/// The options that several commands take; a command that has more to say of one takes it `described(as:)`.
extension OptionDefinition {
    /// The account.
    static let account = OptionDefinition(
        name: "--account", letter: "a",
        value: .file(.readsAccount),
        summary: "Replay through the account in FILE; by default a new one, as new says it."
    )

    /// Replaces the policy of the account.
    static let policy = OptionDefinition(
        name: "--policy",
        value: .text(placeholder: "SPEC", words: .policies),
        summary: "Apply this security policy instead of the one of the account."
    )

    /// Changes the account first.
    static let change = OptionDefinition(
        name: "--change",
        value: .text(placeholder: "COMMAND"),
        summary: "Change the account by a management command before the replay, in the order given.",
        isRepeatable: true
    )

    /// Changes the account by a file.
    static let changes = OptionDefinition(
        name: "--changes",
        value: .file(.reads),
        summary: "Change the account by the management commands in FILE, one a line; # starts a comment."
    )

    /// The form of the result: one of the words of an enumeration.
    static func format<Format: CaseIterable & RawRepresentable<String>>(
        _ type: Format.Type, summary: String = "Write the report in this form; by default text.",
        relations: [OptionRelation] = []
    ) -> OptionDefinition {
        OptionDefinition(
            name: "--format", letter: "f", value: .choice(of: type), summary: summary, relations: relations)
    }

    /// The option for the path that the result is written to.
    static let output = OptionDefinition(
        name: "--output", letter: "o",
        value: .file(.writes),
        summary: "Write the report to FILE instead of standard output."
    )

    /// The option for the paths that a report is written to, each in a form of its own.
    static let outputs = OptionDefinition(
        name: output.name, letter: output.letter, value: output.value,
        summary:
            "Write the report to FILE instead of standard output, in the form of its ending unless --format names one; "
            + ".gz or .zst behind it compresses the file.",
        isRepeatable: true
    )

    /// The option for the path that the single decisions are written to.
    static let decisions = OptionDefinition(
        name: "--decisions",
        value: .file(.writes),
        summary: "Write every decision to FILE as JSON Lines, in input order; - is standard output."
    )

    /// Keeps metrics by minute.
    static let series = OptionDefinition(
        name: "--series",
        summary: "Write the live metrics of every minute into the report, too.",
        relations: [
            .needs([OptionUse("--format", ["json", "html", "csv", "csv-long", "openmetrics"]), OptionUse("--partial")])
        ]
    )

    /// The option for the time between samples.
    static let step = OptionDefinition(
        name: "--step",
        value: .duration(least: 1),
        summary: "Write a sample each DURATION, by default 1m.",
        relations: [.needs([OptionUse("--format", ["openmetrics"])])]
    )

    /// Replaces the seed of scenarios.
    static let seed = OptionDefinition(
        name: "--seed",
        value: .integer(placeholder: "N", in: 0...UInt64.max),
        summary: "Draw populations from the seed N instead of the one in each scenario."
    )

    /// The option for the number of threads.
    static let jobs = OptionDefinition(
        name: "--jobs",
        value: .integer(placeholder: "N", in: 1...1024),
        summary: "Work on at most N threads. The results do not depend on it."
    )

    /// Lets scenarios name files of other folders.
    static let allowOutside = OptionDefinition(
        name: "--allow-outside",
        summary: "Let scenarios name account files, and what these name, outside their folder and the folders given."
    )

    /// Keeps standard error free of progress bars.
    static let noProgress = OptionDefinition(
        name: "--no-progress",
        summary: "Show no progress, not even on a terminal."
    )
}

/// The options on the reading of captures.
extension OptionDefinition {
    /// The options of every command that reads captures; `CaptureOptions` reads their values.
    static let captureReading = [skipMalformed, malformed, sort, timezone, inputFormat]

    /// Weighs devices by how often they fetch; only for commands that report figures.
    static let fetches = OptionDefinition(
        name: "--fetches",
        value: .file(.reads),
        summary: "Weigh devices by how often they fetch tokens, as FILE lists it."
    )

    /// Continues after malformed records.
    static let skipMalformed = OptionDefinition(
        name: "--skip-malformed",
        summary: "Report on the other records and count malformed ones as fail-bad-request."
    )

    /// Keeps malformed records.
    static let malformed = OptionDefinition(
        name: "--malformed",
        value: .file(.writes),
        summary: "Write malformed records to FILE."
    )

    /// Takes captures out of time order.
    static let sort = OptionDefinition(
        name: "--sort",
        summary: "Sort captures that are out of time order instead of refusing them."
    )

    /// Helps with time zones that have no offset of their own.
    static let timezone = OptionDefinition(
        name: "--timezone",
        value: .text(placeholder: "±hh:mm|ZONE"),
        summary: "Read the names of unknown time zones as this offset from UTC, or as a zone such as Europe/London."
    )

    /// The clock of whoever reads what commands print.
    static let shownTimezone = OptionDefinition(
        name: "--timezone",
        value: .text(placeholder: "ZONE", words: .words(["UTC", "BST"])),
        summary: "Let commands print local times by this clock: ±hh:mm, BST or Europe/London; by default UTC."
    )

    /// Overrides the form that the content of a capture suggests.
    static let inputFormat = OptionDefinition(
        name: "--input-format",
        value: .choice(of: CaptureFormat.self),
        summary: "Read captures in this form, whatever their content looks like."
    )
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
