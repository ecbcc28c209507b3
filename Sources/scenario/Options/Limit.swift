internal import Documents
internal import Figures
internal import PolicyEngine
internal import Reports
internal import Statistics

/// A limit that a caller may set to a figure: one declaration is behind the option, its value, the check and the message.
struct Limit<Subject>: Sendable {
    /// The option that sets the limit.
    let option: OptionDefinition
    private let form: Bound.Form
    private let figure: @Sendable (Subject) -> LimitedFigure

    /// - Parameters:
    ///   - name: The name of the option.
    ///   - form: The form of the bound.
    ///   - formerName: The name that the option had before.
    ///   - summary: One sentence for the help.
    ///   - relations: The rules on other options.
    ///   - figure: The figure that the limit holds against.
    init(
        _ name: String, _ form: Bound.Form = .most, formerName: String? = nil, summary: String,
        relations: [OptionRelation] = [], figure: @escaping @Sendable (Subject) -> LimitedFigure
    ) {
        option = OptionDefinition(name, summary, .bound(form), formerName: formerName, relations: relations)
        (self.form, self.figure) = (form, figure)
    }

    private init(_ option: OptionDefinition, _ form: Bound.Form, figure: @escaping @Sendable (Subject) -> LimitedFigure)
    {
        (self.option, self.form, self.figure) = (option, form, figure)
    }

    /// The same limit, held against a part of something else.
    func of<Other>(_ part: @escaping @Sendable (Other) -> Subject) -> Limit<Other> {
        Limit<Other>(option, form) { [figure] in figure(part($0)) }
    }

    /// Checks a figure; `nil` where the limit was not set.
    ///
    /// - Parameter confidence: The level at which a share of all devices has to hold; `nil` holds the figure itself against
    ///   the limit.
    func check(
        _ subject: Subject, _ arguments: ParsedArguments, at confidence: ConfidenceLevel? = nil
    ) -> CheckedLimit? {
        guard let bound = arguments.bound(of: option) else { return nil }
        return CheckedLimit(figure(subject), bound, form, option, arguments, at: confidence)
    }

    /// The test of being within the limit; `nil` where the limit was not set.
    func test(_ arguments: ParsedArguments) -> (@Sendable (Subject) -> Bool)? {
        guard let bound = arguments.bound(of: option) else { return nil }
        let (figure, form) = (figure, form)
        return { figure($0).isWithin(bound, form) }
    }
}

/// A figure that a limit holds against.
struct LimitedFigure {
    /// The number found.
    let count: Int
    /// The number of all.
    let all: Int
    /// The words for what is counted, such as `devices`, or `changes are noticed`.
    let unit: String
    /// The number that could not be evaluated, each of which counts besides, and the reasons why they could not.
    var unevaluated = 0
    var reasons: [String] = []
    /// The number of those that do not count, because an earlier comparison has them.
    var known = 0
    /// The units of the sample from which the figure of all devices follows.
    var sample = Sample.none

    /// The units of a sample, which are independent of each other.
    enum Sample {
        /// The figure is about the captures themselves.
        case none
        /// Those that are counted.
        case units
        /// The devices of what is counted.
        case clusters(ShareMoments)
    }

    /// The greatest number that may count.
    var worst: Int { min(count - known + unevaluated, all) }

    /// The figure in words: `12 of 100 devices (12.0 %)`.
    var text: String {
        let share = all > 0 ? " (\(worst.share(of: all)))" : ""
        let noun = all == 1 && unit.hasSuffix("s") ? String(unit.dropLast()) : unit
        let found = "\(worst.grouped) of \(all.grouped) \(noun)\(share)"
        guard unevaluated > 0 else { return found }
        let why = reasons.map(\.quoted).joined(separator: ", ")
        return "up to \(found), with \(unevaluated.grouped) that could not be evaluated (\(why))"
    }

    /// The message that a limit is exceeded.
    ///
    /// - Parameter name: The option that set it.
    func excess(_ form: Bound.Form, _ name: String) -> String {
        switch form {
        case .most: "\(text), more than \(name) allows"
        case .least: "\(text), less than \(name) asks for"
        }
    }

    /// True if the figure keeps a bound. Of nothing every share is reached.
    func isWithin(_ bound: Bound, _ form: Bound.Form) -> Bool {
        switch (bound, form) {
        case (.count(let limit), .most): worst <= limit
        case (.share(let share), .most): share.isAtLeast(worst, of: all)
        case (.count(let limit), .least): count >= limit
        case (.share(let share), .least): all == 0 || share.isAtMost(count, of: all)
        }
    }
}

/// A limit that was set, with its result.
struct CheckedLimit {
    let result: LimitResult
    // The words for standard error.
    private let message: String

    /// - Parameters:
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

    /// The changes of the settings that come with the change of the account; `nil` where there are none.
    init?(changedSettings arguments: ParsedArguments) {
        guard let changed = arguments.defaults?.limit(allowance: arguments.value(of: .allowExcess)) else { return nil }
        result = changed
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

/// A limit of a share that is held against the greatest share of all devices that a sample does not exclude.
struct SampledLimit {
    /// True if the sample proves that the share of all devices is within the limit.
    let holds: Bool
    /// The figure of the sample, and the bound: `0 of 2,000 devices, at most 0.15 % of all at 95 %`.
    let finding: String
    // The end of the message, which says how large a capture would be enough.
    private let advice: String

    /// - Returns: `nil` for limits that are held against the captures themselves.
    init?(_ figure: LimitedFigure, _ bound: Bound, _ form: Bound.Form, at level: ConfidenceLevel) {
        guard case .share(let share) = bound, form == .most else { return nil }
        let (limit, confidence) = (share.fraction, level.confidence)
        let proportion = Proportion(figure.worst, of: figure.all)
        let upper: Double
        switch figure.sample {
        case .none: return nil
        case .units:
            upper = proportion?.upperBound(at: confidence) ?? 1
            let pValue = proportion?.pValue(ofAtLeast: limit) ?? 1
            holds = share == .hundred || pValue <= confidence.significance
            advice = Self.advice(proportion, limit, confidence)
        case .clusters(let moments):
            upper = moments.upperBound(at: confidence) ?? 1
            holds = share == .hundred || upper <= limit
            advice = "more devices would be needed"
        }
        finding = "\(figure.text), at most \(ShareText.share(upper, digits: 2)) % of all at \(level.text)"
    }

    /// The message that the limit does not hold.
    ///
    /// - Parameter name: The option with its value.
    func message(_ name: String) -> String { "\(name) is not proved: \(finding); \(advice)" }

    // The capture with the same share that would be enough.
    private static func advice(_ proportion: Proportion?, _ limit: Double, _ confidence: Confidence) -> String {
        guard let proportion, limit > 0 else { return "no sample proves that there is none" }
        guard proportion.share < limit else { return "the share of the captures is not below it" }
        if proportion.count == 0, let total = SampleSize.total(toExclude: limit, at: confidence) {
            return "a capture of \(total.grouped) devices without one would prove it"
        }
        let total = SampleSize.total(toExclude: limit, observing: proportion.share, at: confidence)
        return total.map { "a capture of \($0.grouped) devices with the same share would prove it" }
            ?? "no capture would in practice"
    }
}
