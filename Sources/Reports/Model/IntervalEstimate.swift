internal import Documents
internal import Figures
internal import PolicyEngine
internal import Statistics

/// A figure of a capture, with the interval in which the figure of all devices is.
struct IntervalEstimate: Sendable {
    /// The name in files: `locked-out`.
    let key: String
    /// The subject: `devices that would stop getting valid tokens`.
    let words: String
    private let quantity: Quantity
    /// Of the capture; `nil` if it has nothing that counts.
    let estimate: Double?
    /// `nil` if there are too few devices, or if it is not known how far those that are not evaluated could change it.
    let interval: ConfidenceInterval?

    /// The kinds of figures.
    enum Quantity {
        /// From 0 to 1.
        case share
        /// A difference between two shares.
        case difference
    }

    init(
        _ key: String, _ words: String, _ quantity: Quantity, _ estimate: Double?, _ interval: ConfidenceInterval?
    ) {
        (self.key, self.words, self.quantity) = (key, words, quantity)
        (self.estimate, self.interval) = (estimate, interval)
    }

    /// A share of devices.
    ///
    /// - Parameters:
    ///   - count: The devices that have a property, of those that are evaluated.
    ///   - all: All devices of the capture.
    ///   - unevaluated: The devices that could not be evaluated: each may have the property or not.
    init(
        _ key: String, _ words: String, _ count: Int, of all: Int, unevaluated: Int, at confidence: Confidence
    ) {
        let interval = ConfidenceInterval(count, of: all, unevaluated: unevaluated, at: confidence)
        self.init(key, words, .share, Proportion(count, of: all)?.share, interval)
    }

    /// The share of devices that have a property after a change, less the share of those that have it before.
    ///
    /// - Parameters:
    ///   - gained: The devices that have it after the change only.
    ///   - lost: Those that have it before the change only.
    ///   - all: All devices of the capture.
    ///   - unevaluated: The devices of which it is not known: each may gain or lose it.
    init(
        _ key: String, _ words: String, gained: Int, lost: Int, of all: Int, unevaluated: Int,
        at confidence: Confidence
    ) {
        let interval = PairedComparison(gained: gained, lost: lost, of: all - unevaluated)?
            .interval(at: confidence, unknown: unevaluated)
        self.init(
            key, words, .difference, all > 0 ? Double(gained - lost) / Double(all) : nil,
            interval ?? ConfidenceInterval(-1, 1))
    }

    /// The share as the form of a plot takes it; `nil` for other figures.
    var plotted: (estimate: Double, interval: ConfidenceInterval)? {
        guard case .share = quantity, let estimate, let interval else { return nil }
        return (estimate, interval)
    }

    /// The figure of the capture in words.
    var estimateText: String {
        guard let estimate else { return "–" }
        return switch quantity {
        case .share: ShareText.share(estimate, digits: 3) + " %"
        case .difference: "\(ShareText.signed(estimate)) points"
        }
    }

    /// The interval in words.
    var intervalText: String {
        guard let interval else { return "not known" }
        return switch quantity {
        case .share: ShareText.interval(interval, digits: 3)
        case .difference: "\(ShareText.signed(interval.lower)) to \(ShareText.signed(interval.upper)) points"
        }
    }

    /// Estimate, lower and upper end as fields of six digits; empty where there is none.
    var fields: [String] { [estimate, interval?.lower, interval?.upper].map { $0?.sixDigits ?? "" } }

    /// The interval as a cell of a table.
    var cell: ReportTable.Cell { .interval(intervalText, estimate: plotted?.estimate, plotted?.interval) }

    /// `{"estimate":0.052,"lower":0.0430997,"upper":0.0626179}`
    static let form = ObjectForm<IntervalEstimate>(inOrder: [
        number("estimate") { $0.estimate }, number("lower") { $0.interval?.lower },
        number("upper") { $0.interval?.upper },
    ])

    private static func number(
        _ name: String, _ read: @escaping @Sendable (IntervalEstimate) -> Double?
    ) -> ObjectForm<IntervalEstimate>.Member {
        .value(name, .number.orNull) { read($0).map { .number($0.sixDigits) } ?? .null }
    }

    /// The level at which intervals hold together, their number, and the assumption that they rest on.
    typealias Joint = (level: ConfidenceLevel, count: Int, assumption: String)

    /// `{"level":"95%","count":224,"assumption":"…"}`
    static let joint = ObjectForm<Joint>(inOrder: [
        .field("level") { $0.level.name }, .field("count") { $0.count }, .field("assumption") { $0.assumption },
    ])

    /// The schema of an object with the estimates of some figures.
    ///
    /// - Parameters:
    ///   - names: The figures that are always there.
    ///   - optional: Those that may be missing.
    ///   - members: Other members, which come first.
    static func schema(
        _ names: [String], optional: [String] = [], and members: [JSONSchema.Member] = []
    ) -> JSONSchema {
        .members(members + names.map { ($0, form.schema) }, optional: optional.map { ($0, form.schema) })
    }
}

extension ObjectForm.Member {
    /// The intervals of some figures, by their names; missing where no level was given.
    static func intervals(_ names: [String], _ read: @escaping Reading<[IntervalEstimate]>) -> Self {
        optional("intervals", IntervalEstimate.schema(names)) {
            let intervals = read($0)
            return intervals.isEmpty ? nil : .ordered(intervals.map { ($0.key, IntervalEstimate.form.value(of: $0)) })
        }
    }
}

extension ConfidenceInterval {
    /// The interval of a share of devices.
    ///
    /// - Parameters:
    ///   - count: The devices that have a property, of those that are evaluated.
    ///   - all: All devices of the capture.
    ///   - unevaluated: The devices that could not be evaluated: each may have the property or not.
    init(_ count: Int, of all: Int, unevaluated: Int, at confidence: Confidence) {
        let interval = Proportion(count, of: all - unevaluated)?.interval(at: confidence, unknown: unevaluated)
        self = interval ?? ConfidenceInterval(0, 1)
    }
}

/// Shares of samples in words.
package enum ShareText {
    /// `4.31` for 0.0431: percent with one decimal, or more where the share has fewer digits.
    package static func share(_ share: Double, digits: Int) -> String {
        (share * 100).text(significantDigits: digits, leastDecimals: 1)
    }

    /// `4.3–6.3 %`, `at most 0.15 %` or `at least 99.9 %`.
    static func interval(_ interval: ConfidenceInterval, digits: Int) -> String {
        if interval.lower <= 0, interval.upper < 1 { return "at most \(share(interval.upper, digits: digits)) %" }
        // Of a share near 1 the rest says how many decimals there are.
        if interval.upper >= 1, interval.lower > 0 {
            let rest = share(1 - interval.lower, digits: digits)
            let decimals = rest.split(separator: ".").last?.count ?? 1
            return "at least \((interval.lower * 100).text(decimals: decimals)) %"
        }
        return "\(share(interval.lower, digits: digits))–\(share(interval.upper, digits: digits)) %"
    }

    /// `+4.31` or `-0.20`: a difference in percentage points.
    static func signed(_ difference: Double) -> String {
        let text = (difference * 100).text(decimals: 2)
        return difference > 0 ? "+\(text)" : text
    }
}
