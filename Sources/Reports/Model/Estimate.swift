internal import Documents
internal import Figures
internal import PolicyEngine
internal import Statistics

/// A figure of a capture, with the interval in which the figure of all devices is.
struct Estimate: Sendable {
    private let quantity: Quantity
    // Of the capture; `nil` if it has nothing that counts.
    private let estimate: Double?
    // `nil` if there are too few devices, or if it is not known how far those that are not evaluated could change it.
    private let interval: ConfidenceInterval?

    // From 0 to 1, or a difference between two of these.
    private enum Quantity { case share, difference }

    /// A share of devices.
    ///
    /// - Parameters:
    ///   - count: The devices that have a property, of those that are evaluated.
    ///   - all: All devices of the capture.
    ///   - unevaluated: The devices that could not be evaluated: each may have the property or not.
    init(_ count: Int, of all: Int, unevaluated: Int, at confidence: Confidence) {
        (quantity, estimate) = (.share, Proportion(count, of: all)?.share)
        interval = ConfidenceInterval(count, of: all, unevaluated: unevaluated, at: confidence)
    }

    /// The share of devices that have a property after a change, less the share of those that have it before.
    ///
    /// - Parameters:
    ///   - gained: The devices that have it after the change only.
    ///   - lost: Those that have it before the change only.
    ///   - all: All devices of the capture.
    ///   - unevaluated: The devices of which it is not known: each may gain or lose it.
    init(gained: Int, lost: Int, of all: Int, unevaluated: Int, at confidence: Confidence) {
        (quantity, estimate) = (.difference, all > 0 ? Double(gained - lost) / Double(all) : nil)
        interval =
            PairedComparison(gained: gained, lost: lost, of: all - unevaluated)?
            .interval(at: confidence, unknown: unevaluated) ?? ConfidenceInterval(-1, 1)
    }

    /// The figure of the capture in words.
    var text: String {
        guard let estimate else { return "–" }
        return switch quantity {
        case .share: ShareText.share(estimate, digits: 3) + " %"
        case .difference: "\(ShareText.signed(estimate)) points"
        }
    }

    /// The interval as a cell of a table; pages draw that of a share.
    var cell: ReportTable.Cell {
        guard let interval else { return .interval("not known", estimate: nil, nil) }
        return switch quantity {
        case .share: .interval(ShareText.interval(interval, digits: 3), estimate: estimate, interval)
        case .difference:
            .interval(
                "\(ShareText.signed(interval.lower)) to \(ShareText.signed(interval.upper)) points", estimate: nil, nil)
        }
    }

    /// `{"estimate":0.052,"lower":0.0430997,"upper":0.0626179}`
    static let columns = Columns<Estimate>(inOrder: [
        .number("estimate", "The figure of the capture, where shares are from 0 to 1; null of no devices.", \.estimate),
        .number("lower", "The lower end of its interval for all devices; null where it is not known.") {
            $0.interval?.lower
        },
        .number("upper", "The upper end of its interval for all devices; null where it is not known.") {
            $0.interval?.upper
        },
    ])
}

/// The level at which intervals hold together, and on what they rest.
struct JointIntervals {
    let level: ConfidenceLevel
    /// The number of intervals.
    let count: Int
    let assumption: String

    /// `{"level":"95%","count":224,"assumption":"…"}`
    static let columns = Columns<JointIntervals>(inOrder: [
        .field("level", "The level at which all of the intervals hold together.", \.level.name),
        .field("count", "The number of intervals.", \.count),
        .field("assumption", "What the intervals rest on, in a sentence.", \.assumption),
    ])
}

extension Column {
    /// The interval of a figure: an object, its two ends as CSV, and a column for people.
    static func estimate(
        _ key: String, _ description: String, _ title: String, _ read: @escaping Reading<Estimate>
    ) -> Column {
        .object(key, description, Estimate.columns, read).csv(only: ["lower", "upper"]).figure(
            title, drawsIntervals: true
        ) { read($0).cell }
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
