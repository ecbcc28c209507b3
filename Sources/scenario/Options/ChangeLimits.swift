internal import Documents
internal import Figures

/// The limits of a change.
enum ChangeLimits {
    /// The figures that the limits hold against.
    struct Subject {
        let changes: ComparisonFigures
        /// An earlier comparison, whose devices do not count.
        let baseline: ComparisonBaseline?
        /// True if limits are about all devices, of which those of the captures are a sample.
        let isOfSample: Bool
        /// True if it is known that the change turns no verdict, whatever the devices are, so that no sample has to prove it.
        let turnsNothing: Bool

        fileprivate init(_ comparison: Comparison, _ baseline: ComparisonBaseline?) {
            (changes, self.baseline, turnsNothing) = (comparison.changes, baseline, comparison.turnsNothing)
            isOfSample = comparison.confidence != nil
        }

        // A device that could not be evaluated counts as changed: no limit is kept by unknown results.
        fileprivate func devices(_ count: Int, known: Int? = nil, isOfSample: Bool) -> LimitedFigure {
            let unevaluated = changes.unevaluated
            return LimitedFigure(
                count: count, all: changes.devices, unit: "devices", unevaluated: unevaluated.devices,
                reasons: unevaluated.reasons.keys, known: known ?? 0, isOfSample: isOfSample)
        }
    }

    /// Limits devices that get no valid tokens any more.
    static let rejected = Limit<Subject>(
        "--max-newly-rejected",
        summary: "Exit with 4 when more devices, or a larger share of them, would or might newly be rejected."
    ) { subject in
        let rejected = subject.changes.rejected
        return subject.devices(
            rejected.devices, known: subject.baseline?.knownRejected(rejected), isOfSample: !subject.turnsNothing)
    }

    /// Limits devices that newly get valid tokens.
    static let accepted = Limit<Subject>(
        "--max-newly-accepted",
        summary: "Exit with 4 when more devices, or a larger share of them, would or might newly be accepted."
    ) { subject in
        let accepted = subject.changes.accepted
        return subject.devices(
            accepted.devices, known: subject.baseline?.knownAccepted(accepted), isOfSample: !subject.turnsNothing)
    }

    /// Limits tokens that name other flags, or their devices, where these are a sample: tokens of one device are none.
    static let annotations = Limit<Subject>(
        "--max-annotations-changed",
        summary:
            "Exit with 4 when the annotations of more tokens, or of a larger share of them, would or might change; with --confidence of a larger share of devices.",
        relations: withoutBaseline("a comparison names no tokens whose annotations change")
    ) { subject in
        let changes = subject.changes
        if subject.isOfSample { return subject.devices(changes.annotations.devices, isOfSample: true) }
        return LimitedFigure(
            count: changes.annotations.events, all: changes.events, unit: "tokens",
            unevaluated: changes.events - changes.evaluatedEvents, reasons: changes.unevaluated.reasons.keys)
    }

    /// Limits devices whose effects are not known: a number, and the number of all.
    static let unevaluated = Limit<(devices: Int, all: Int)>(
        "--max-unevaluated", formerName: "--max-unjudged",
        summary: "Exit with 4 when more devices, or a larger share of them, could not be evaluated."
    ) { LimitedFigure(count: $0.devices, all: $0.all, unit: "devices") }

    /// Limits devices whose requests a backend accepts no longer; of a scenario alone (R19a).
    static let blocked = Limit<Subject>(
        "--max-newly-blocked",
        summary: "Exit with 4 when more devices, or a larger share of them, would have requests no longer accepted.",
        relations: withoutBaseline("a comparison names no devices whose requests are accepted no longer")
    ) { $0.devices($0.changes.newlyBlocked, isOfSample: false) }

    private static func withoutBaseline(_ reason: String) -> [OptionRelation] {
        [.excludes([OptionUse(ComparisonBaseline.name)], hint: reason)]
    }

    private static let all: [Limit<Subject>] = [
        rejected, accepted, blocked, annotations,
        unevaluated.of { ($0.changes.unevaluated.devices, $0.changes.devices) },
    ]

    /// The options, in the order of the help.
    static let options = all.map(\.option)

    /// The options whose limits are about all devices rather than about the captures.
    static let tested = options.filter { $0.name != unevaluated.option.name }

    /// The options for captures.
    static let captureOptions = options.filter { $0.name != blocked.option.name }

    /// The rule of an option that is about limits.
    static let needed = OptionRelation.needs(
        options.map(\.given), as: "a limit", hint: "such as `\(rejected.option.name)`")

    /// The limits that were set, with their results. A change of the account that no capture shows exceeds each of them, and so
    /// does one that comes with looser settings.
    ///
    /// - Parameter baseline: An earlier comparison, whose devices do not count.
    static func check(
        _ comparison: Comparison, _ baseline: ComparisonBaseline?, _ arguments: ParsedArguments
    ) -> [CheckedLimit] {
        let subject = Subject(comparison, baseline)
        let limits = all.compactMap { $0.check(subject, arguments, at: comparison.confidence) }
        let unseen = CheckedLimit(beyondCaptures: comparison.beyondCaptures, arguments)
        let settings = CheckedLimit(changedSettings: arguments)
        return limits.isEmpty ? [] : limits + [unseen, settings].compactMap(\.self)
    }

    /// Refuses a reason for an exception in which nothing can be read.
    static func checkReason(_ arguments: ParsedArguments) throws(CommandFailure) {
        guard let reason = arguments[Options.allowExcess], !reason.hasVisibleContent else { return }
        throw .usage("`\(Options.allowExcess.name)` needs a reason", hint: "the report says it")
    }
}

extension Options {
    /// Lets limits be exceeded this time.
    static let allowExcess = Option(
        "--allow", "Exit with 0 although a limit is exceeded; the report says so, and REASON.", .text("REASON"),
        in: .limits, relations: [ChangeLimits.needed])
}
