package import PolicyEngine
package import Statistics

/// The confidence level of the intervals of a report, as it was asked for.
package struct ConfidenceLevel: Hashable, Sendable {
    package let confidence: Confidence
    /// As options have it: `95%`.
    package let name: String

    /// As sentences have it: `95 %`.
    package var text: String { "\(name.dropLast()) %" }

    /// - Returns: `nil` for less than 50 %, where the interval would be more often wrong than right, and for 100 %, which no sample gives.
    package init?(_ share: Percentage) {
        let whole = Percentage.hundred.billionths
        guard share.billionths * 2 >= whole,
            let confidence = Confidence(significance: Double(whole - share.billionths) / Double(whole))
        else { return nil }
        self.confidence = confidence
        let unit = whole / 100
        var digits = String(String(unit + share.billionths % unit).dropFirst())
        while digits.last == "0" { digits.removeLast() }
        name = "\(share.billionths / unit)\(digits.isEmpty ? "" : ".")\(digits)%"
    }

    /// The level of intervals that belong to a comparison, unless another one is asked for: 95 %.
    package static var usual: ConfidenceLevel {
        guard let share = Percentage("95"), let level = ConfidenceLevel(share) else {
            preconditionFailure("95 % is a level")
        }
        return level
    }
}
