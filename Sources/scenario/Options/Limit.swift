internal import Documents
internal import Figures
internal import PolicyEngine
internal import Reports
internal import Statistics

/// A limit that a caller may set to a figure: one declaration is behind the option, its value, the check and the message.
struct Limit<Subject>: Sendable {
    /// The option that sets the limit.
    let option: Option<Bound?>
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
        option = Option(name, summary, .bound(form), in: .limits, formerName: formerName, relations: relations)
        (self.form, self.figure) = (form, figure)
    }

    private init(_ option: Option<Bound?>, _ form: Bound.Form, figure: @escaping @Sendable (Subject) -> LimitedFigure) {
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
        guard let bound = arguments[option] else { return nil }
        return CheckedLimit(figure(subject), bound, form, option, arguments, at: confidence)
    }

    /// The test of being within the limit; `nil` where the limit was not set.
    func test(_ arguments: ParsedArguments) -> (@Sendable (Subject) -> Bool)? {
        guard let bound = arguments[option] else { return nil }
        let (figure, form) = (figure, form)
        return { figure($0).isWithin(bound, form) }
    }

    /// The p-value of the hypothesis that the share of all devices is beyond the limit, by an exact one-sided test; `nil`
    /// where no share was set.
    func pValue(_ arguments: ParsedArguments) -> (@Sendable (Subject) -> Double)? {
        guard case .share(let share)? = arguments[option] else { return nil }
        let (figure, form) = (figure, form)
        return { figure($0).pValue(beyond: share, form) }
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
    /// True if what is counted are the units of a sample, so that the figure of all of them follows.
    var isOfSample = false

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
        guard all > 0 else { return "\(text), so that \(name) rests on nothing" }
        return switch form {
        case .most: "\(text), more than \(name) allows"
        case .least: "\(text), less than \(name) asks for"
        }
    }

    /// The share of the sample that counts, at worst; `nil` without units.
    func proportion(_ form: Bound.Form) -> Proportion? { Proportion(form == .most ? worst : count, of: all) }

    /// The p-value of the hypothesis that the share of all units is beyond a bound (Clopper and Pearson): 1 without units.
    func pValue(beyond share: Percentage, _ form: Bound.Form) -> Double {
        guard let proportion = proportion(form) else { return 1 }
        // A least share is a greatest share of the others.
        let (against, limit) = form == .most ? (proportion, share.fraction) : (proportion.others, 1 - share.fraction)
        return limit >= 1 ? 0 : against.pValue(ofAtLeast: limit)
    }

    /// True if the figure keeps a bound. One of nothing keeps none.
    func isWithin(_ bound: Bound, _ form: Bound.Form) -> Bool {
        guard all > 0 else { return false }
        return switch (bound, form) {
        case (.count(let limit), .most): worst <= limit
        case (.share(let share), .most): share.isAtLeast(worst, of: all)
        case (.count(let limit), .least): count >= limit
        case (.share(let share), .least): share.isAtMost(count, of: all)
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
        _ figure: LimitedFigure, _ bound: Bound, _ form: Bound.Form, _ option: any CommandOption,
        _ arguments: ParsedArguments, at confidence: ConfidenceLevel? = nil
    ) {
        let origin = arguments.defaults?.origin(of: option) ?? ""
        let name = "\(option.name) \(arguments.word(of: option) ?? "")\(origin)"
        let isWithin = figure.isWithin(bound, form)
        if isWithin, let confidence, let test = SampledLimit(figure, bound, form, at: confidence) {
            message = test.message("`\(option.name) \(arguments.word(of: option) ?? "")`\(origin)")
            result = LimitResult(
                name: name, finding: test.finding, isExceeded: !test.holds, share: bound.share,
                allowance: arguments[Options.allowExcess],
                known: figure.known, excess: test.message(name))
            return
        }
        message = figure.excess(form, "`\(option.name)`\(origin)")
        result = LimitResult(
            name: name, finding: figure.text,
            isExceeded: !isWithin, share: bound.share, allowance: arguments[Options.allowExcess],
            known: figure.known, excess: figure.excess(form, name))
    }

    /// A limit of which nothing but its result is to be said.
    init(_ result: LimitResult) { (self.result, message) = (result, result.excess) }

    /// The changes of the account that no capture shows, which no limit allows; `nil` where there are none.
    init?(beyondCaptures changes: [String], _ arguments: ParsedArguments) {
        guard !changes.isEmpty else { return nil }
        self.init(LimitResult(unseen: changes, allowance: arguments[Options.allowExcess]))
    }

    /// The changes of the settings that come with the change of the account; `nil` where there are none.
    init?(changedSettings arguments: ParsedArguments) {
        guard let changed = arguments.defaults?.limit(allowance: arguments[Options.allowExcess]) else { return nil }
        self.init(changed)
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

/// A limit of a share that is held against the exact one-sided bound of the share of all devices (Clopper and Pearson).
///
/// The figure of the sample is within it; one that is not exceeds the limit, whatever the sample.
struct SampledLimit {
    /// True if the sample proves that the share of all devices is within the limit.
    let holds: Bool
    /// The figure of the sample, and the bound: `0 of 2,000 devices (0.0 %), at most 0.15 % of all at 95 %, one-sided`.
    let finding: String
    // The end of the message, which says how large a sample would be enough.
    private let advice: String

    /// - Returns: `nil` for limits that are held against the captures themselves.
    init?(_ figure: LimitedFigure, _ bound: Bound, _ form: Bound.Form, at level: ConfidenceLevel) {
        guard figure.isOfSample, case .share(let share) = bound, let proportion = figure.proportion(form) else {
            return nil
        }
        let (isMost, confidence) = (form == .most, level.confidence)
        // A least share is a greatest share of the others.
        let others = isMost ? proportion : proportion.others
        let limit = isMost ? share.fraction : 1 - share.fraction
        holds = figure.pValue(beyond: share, form) <= confidence.significance
        advice = Self.advice(others, limit, confidence, isMost)
        let end = isMost ? proportion.upperBound(at: confidence) : proportion.lowerBound(at: confidence)
        finding =
            "\(figure.text), at \(isMost ? "most" : "least") \(ShareText.share(end, digits: 2)) % of all at "
            + "\(level.text), one-sided"
    }

    /// The message that the limit does not hold.
    ///
    /// - Parameter name: The option with its value.
    func message(_ name: String) -> String { "\(name) is not proved: \(finding); \(advice)" }

    // The sample that would be enough.
    private static func advice(
        _ proportion: Proportion, _ limit: Double, _ confidence: Confidence, _ isMost: Bool
    ) -> String {
        guard limit > 0 else { return "no sample proves that there is \(isMost ? "none" : "no other")" }
        guard let sample = SampleSize.sample(toExclude: limit, observing: proportion, at: confidence) else {
            return "no sample with this share would prove it"
        }
        let devices = "a new sample of \(sample.total.grouped) devices"
        if sample.count == 0 { return "\(devices) \(isMost ? "without one" : "that all count") would prove it" }
        let count = isMost ? sample.count : sample.total - sample.count
        return
            "\(devices), of which at \(isMost ? "most" : "least") \(count.grouped) count, would prove it, and if the "
            + "share of all is that of this sample, about half of such samples do"
    }
}
