internal import Documents
internal import Figures
internal import PolicyEngine
internal import Reports
internal import Statistics

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
