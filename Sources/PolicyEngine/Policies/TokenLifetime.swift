/// How long a token serves, in seconds (R11.1).
public enum TokenLifetime: Sendable {
    case usual, risky, short

    /// The lifetime without the grace period.
    public var seconds: Int {
        switch self {
        case .usual: 300
        case .risky: 120
        case .short: 45
        }
    }

    /// The grace that goes with the short lifetime; the others take the account's (R11.2).
    public static let shortGrace = 15
}
