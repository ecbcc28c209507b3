internal import Figures
internal import Reports

/// The limits of a change, and of the devices that cannot be evaluated.
struct ChangeLimits {
    private let rejected, accepted, blocked, annotations, unevaluated: DeviceLimit?

    /// Limits devices that get no valid tokens any more.
    static let rejectedOption = OptionDefinition(
        name: "--max-newly-rejected",
        value: .text(placeholder: "N|P%"),
        summary: "Exit with 4 when more devices, or a larger share of them, would or might newly be rejected."
    )

    /// Limits devices that newly get valid tokens.
    static let acceptedOption = OptionDefinition(
        name: "--max-newly-accepted",
        value: .text(placeholder: "N|P%"),
        summary: "Exit with 4 when more devices, or a larger share of them, would or might newly be accepted."
    )

    /// Limits tokens that name other flags.
    static let annotationsOption = OptionDefinition(
        name: "--max-annotations-changed",
        value: .text(placeholder: "N|P%"),
        summary: "Exit with 4 when the annotations of more tokens, or of a larger share of them, would or might change."
    )

    /// Limits devices whose requests a backend accepts no longer; of a scenario alone (R19a).
    static let blockedOption = OptionDefinition(
        name: "--max-newly-blocked",
        value: .text(placeholder: "N|P%"),
        summary: "Exit with 4 when more devices, or a larger share of them, would have requests no longer accepted."
    )

    /// The options for captures and scenarios, in the order of the help.
    static let options = [rejectedOption, acceptedOption, annotationsOption, .maximumUnevaluated]

    /// Reads them.
    init(_ arguments: ParsedArguments) throws(UsageError) {
        rejected = try DeviceLimit(Self.rejectedOption, arguments)
        accepted = try DeviceLimit(Self.acceptedOption, arguments)
        blocked = try DeviceLimit(Self.blockedOption, arguments)
        annotations = try DeviceLimit(Self.annotationsOption, arguments)
        unevaluated = try DeviceLimit(.maximumUnevaluated, arguments)
        let needing = [OptionDefinition.allowExcess, ComparisonBaseline.option].first(where: arguments.isSet)
        let limiting = Self.options + [Self.blockedOption]
        if let needing, !limiting.contains(where: arguments.isSet) {
            throw UsageError("`\(needing.name)` needs a limit", hint: "such as `\(Self.rejectedOption.name)`")
        }
        if blocked != nil, arguments.isSet(ComparisonBaseline.option) {
            throw UsageError(
                "`\(ComparisonBaseline.option.name)` cannot be combined with `\(Self.blockedOption.name)`",
                hint: "a comparison names no devices whose requests are accepted no longer")
        }
        if let reason = arguments.value(of: .allowExcess), !reason.unicodeScalars.contains(where: \.isSeen) {
            throw UsageError("`\(OptionDefinition.allowExcess.name)` needs a reason", hint: "the report says it")
        }
    }

    /// The limits that were set, with what was found. A device that could not be evaluated counts as changed: no limit is
    /// kept by unknown results. Where the account changes in what no capture shows, that is a finding of its own.
    ///
    /// - Parameter baseline: An earlier comparison, whose devices do not count.
    func check(
        _ comparison: Comparison, _ baseline: ComparisonBaseline?, _ arguments: ParsedArguments
    ) -> [CheckedLimit] {
        let limits = check(comparison.changes, baseline, arguments)
        let unseen = CheckedLimit(beyondCaptures: comparison.beyondCaptures, arguments)
        return limits.isEmpty ? [] : limits + [unseen].compactMap(\.self)
    }

    private func check(
        _ changes: ComparisonFigures, _ baseline: ComparisonBaseline?, _ arguments: ParsedArguments
    ) -> [CheckedLimit] {
        let unevaluated = changes.unevaluated
        let devices = CheckedLimit.Found(
            all: changes.devices, unit: "devices", unevaluated: unevaluated.devices, reasons: unevaluated.reasons.keys)
        var rejected = devices.counting(changes.rejected.devices)
        var accepted = devices.counting(changes.accepted.devices)
        rejected.known = baseline?.knownRejected(changes.rejected) ?? 0
        accepted.known = baseline?.knownAccepted(changes.accepted) ?? 0
        let tokens = CheckedLimit.Found(
            changes.annotations.events, all: changes.events, unit: "tokens",
            unevaluated: changes.events - changes.evaluatedEvents, reasons: unevaluated.reasons.keys)
        return [
            CheckedLimit(self.rejected, Self.rejectedOption, arguments, rejected),
            CheckedLimit(self.accepted, Self.acceptedOption, arguments, accepted),
            CheckedLimit(
                blocked, Self.blockedOption, arguments, devices.counting(changes.newlyBlocked)),
            CheckedLimit(annotations, Self.annotationsOption, arguments, tokens),
            CheckedLimit(
                self.unevaluated, .maximumUnevaluated, arguments,
                CheckedLimit.Found(unevaluated.devices, all: changes.devices, unit: "devices")),
        ].compactMap(\.self)
    }
}

extension Unicode.Scalar {
    // True if a reader can see the character.
    fileprivate var isSeen: Bool {
        !properties.isWhitespace && !properties.isDefaultIgnorableCodePoint && properties.generalCategory != .control
    }
}
