internal import Documents
internal import Figures
internal import PolicyEngine
internal import Statistics

/// A share of labelled devices with its interval.
struct LabelShare {
    let count: Int
    let total: Int
    /// The ends of the interval in millionths; a device that is not evaluated may be either.
    let interval: ClosedRange<Int>
    private let level: ConfidenceLevel

    /// - Returns: `nil` of no devices.
    init?(_ count: Int, of total: Int, unknown: Int, at level: ConfidenceLevel) {
        guard let share = Proportion(count, of: total) else { return nil }
        let ends = share.interval(at: level.confidence, unknown: unknown)
        (self.count, self.total, self.level) = (count, total, level)
        interval = Self.millionths(ends.lower)...Self.millionths(ends.upper)
    }

    private static func millionths(_ share: Double) -> Int { Int((share * 1_000_000).rounded()) }

    /// The share with its interval: `75.0 % (95 %: 59.8–85.8 %)`.
    var text: String {
        let (lower, upper) = (Self.tenths(interval.lowerBound), Self.tenths(interval.upperBound))
        return "\(count.share(of: total)) (\(level.text): \(lower)–\(upper) %)"
    }

    private static func tenths(_ millionths: Int) -> String {
        let tenths = (millionths + 500) / 1000
        return "\(tenths / 10).\(tenths % 10)"
    }

    /// `{"share":0.750000,"at-least":0.598063,"at-most":0.858125}`.
    var json: JSONValue {
        .ordered([
            ("share", Self.number(count.scaled(by: 1_000_000, over: total))),
            ("at-least", Self.number(interval.lowerBound)), ("at-most", Self.number(interval.upperBound)),
        ])
    }

    private static func number(_ millionths: Int) -> JSONValue {
        .number("\(millionths / 1_000_000).\((millionths % 1_000_000).zeroPadded(to: 6))")
    }
}

extension LabelLane {
    /// Of the bad devices, those that are caught.
    func recall(at level: ConfidenceLevel) -> LabelShare? {
        LabelShare(bad.rejected, of: bad.devices, unknown: bad.unevaluated, at: level)
    }

    /// Of the labelled devices that are rejected, those that are bad.
    func precision(at level: ConfidenceLevel) -> LabelShare? {
        LabelShare(
            bad.rejected, of: bad.rejected + good.rejected, unknown: bad.unevaluated + good.unevaluated, at: level)
    }

    /// Of the good devices, those that are blocked.
    func blockedShare(at level: ConfidenceLevel) -> LabelShare? {
        LabelShare(good.rejected, of: good.devices, unknown: good.unevaluated, at: level)
    }
}
