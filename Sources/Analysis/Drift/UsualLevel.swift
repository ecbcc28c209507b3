package import Figures
internal import PolicyEngine

extension ConfidenceLevel {
    /// The level of intervals that belong to a test, unless another one is asked for: 95 %.
    package static var usual: ConfidenceLevel {
        guard let share = Percentage("95"), let level = ConfidenceLevel(share) else {
            preconditionFailure("95 % is a level")
        }
        return level
    }
}
