@testable import Statistics

extension Confidence {
    /// 95 %.
    static let usual: Confidence = {
        guard let confidence = Confidence(0.95) else { preconditionFailure("95 % is a level") }
        return confidence
    }()
}
