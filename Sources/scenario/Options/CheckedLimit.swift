internal import Documents
internal import Figures
internal import Reports

/// A limit that was set, with its result.
struct CheckedLimit {
    let result: LimitResult
    // The words for standard error.
    private let message: String

    /// - Parameters:
    ///   - figure: The figure.
    ///   - bound: The bound that was set.
    ///   - form: The form of the bound.
    ///   - option: The option that set it.
    ///   - arguments: The typed arguments.
    ///   - confidence: The level at which a share of all devices has to hold; `nil` holds the figure itself against it.
    init(
        _ figure: LimitedFigure, _ bound: Bound, _ form: Bound.Form, _ option: OptionDefinition,
        _ arguments: ParsedArguments, at confidence: ConfidenceLevel? = nil
    ) {
        let origin = arguments.defaults?.origin(of: option) ?? ""
        let name = "\(option.name) \(arguments.value(of: option) ?? "")\(origin)"
        if let confidence, let test = SampledLimit(figure, bound, form, at: confidence) {
            message = test.message("`\(option.name) \(arguments.value(of: option) ?? "")`\(origin)")
            result = LimitResult(
                name: name, finding: test.finding, isExceeded: !test.holds,
                allowance: arguments.value(of: .allowExcess),
                known: figure.known, excess: test.message(name))
            return
        }
        message = figure.excess(form, "`\(option.name)`\(origin)")
        result = LimitResult(
            name: name, finding: figure.text,
            isExceeded: !figure.isWithin(bound, form), allowance: arguments.value(of: .allowExcess),
            known: figure.known, excess: figure.excess(form, name))
    }

    /// The changes of the account that no capture shows, which no limit allows; `nil` where there are none.
    init?(beyondCaptures changes: [String], _ arguments: ParsedArguments) {
        guard !changes.isEmpty else { return nil }
        result = LimitResult(unseen: changes, allowance: arguments.value(of: .allowExcess))
        message = result.excess
    }

    /// Shows that the limit is exceeded, if it is, and how many devices do not count.
    ///
    /// - Returns: True if it is exceeded, and may not be.
    func show(_ console: Console) -> Bool {
        if result.known > 0 {
            console.show(
                warning: "`\(result.name)` does not count \(result.known.counting("device")), which the baseline has")
        }
        if result.isFailure {
            console.show(exceededLimit: message)
        } else if result.isExceeded, let reason = result.allowance {
            console.show(warning: "\(message); allowed: \(reason)")
        }
        return result.isFailure
    }
}
