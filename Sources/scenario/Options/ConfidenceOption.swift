internal import Figures
internal import PolicyEngine

/// The option for intervals that say what a capture proves about all devices.
enum ConfidenceOption {
    /// Adds intervals to a report, and lets limits test them.
    static let option = option("Report intervals for all devices at this level, such as 95%, and test limits by them.")

    /// The same for the reports of replays, of which some forms have metrics alone.
    static let ofReplays = option("Report intervals for all devices at this level, such as 95%.", relations: [hasPlace])

    /// Replaces the level of parts.
    static let ofParts = option(
        "Report intervals at this level; by default at that of the parts.",
        relations: [hasPlace])

    private static let hasPlace = OptionRelation.excludes(
        [OptionUse("--format", ["openmetrics", "summary-mail"])], reason: ", which has metrics alone")

    private static func option(_ summary: String, relations: [OptionRelation] = []) -> Option<Bound?> {
        Option("--confidence", summary, .bound(.least), in: .count, relations: relations)
    }

    /// The meaning of the option, for the help.
    static let discussion = """
        --confidence says that the devices of the captures are a random sample of all devices: each had the same chance to be \
        among them, whatever the others were. A ring of -getInfo holds the latest devices, and a capture of one day \
        those of one day: of other days no interval says anything. Without the option the figures are those of the captures alone.
        """

    /// The level; `nil` where none was given.
    static func level(_ arguments: ParsedArguments) throws(CommandFailure) -> ConfidenceLevel? {
        guard case .share(let share)? = arguments[option] else { return nil }
        guard let level = ConfidenceLevel(share) else {
            throw .usage(
                "`\(option.name)` takes a level of 50 % or more, and less than 100 %, not "
                    + (arguments.word(of: option) ?? "").asTyped, hint: "such as `95%`")
        }
        return level
    }

    /// The level, and no limit that says nothing of all devices.
    ///
    /// - Parameter limits: The limits of the command that are tested.
    static func level(
        _ arguments: ParsedArguments, testing limits: [Option<Bound?>]
    ) throws(CommandFailure) -> ConfidenceLevel? {
        guard let level = try level(arguments) else { return nil }
        for limit in limits {
            guard case .count? = arguments[limit] else { continue }
            throw .usage(
                "`\(limit.name) \(arguments.word(of: limit) ?? "")` cannot be combined with `\(option.name)`: a number of "
                    + "devices of a sample is no number of all devices",
                hint: "a share is one of both, such as `\(limit.name) 0.1%`")
        }
        return level
    }

    /// The limit of an option as a share; `nil` where it was not given, or is none.
    static func share(of limit: Option<Bound?>, _ arguments: ParsedArguments) -> Percentage? {
        guard case .share(let share)? = arguments[limit] else { return nil }
        return share
    }
}
