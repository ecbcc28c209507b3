internal import PolicyEngine

/// Counts tokens by their lifetime, of which there are three (R11.1).
struct LifetimeTally: Sendable {
    private static var seconds: (usual: Int, risky: Int, short: Int) {
        (TokenLifetime.usual.seconds, TokenLifetime.risky.seconds, TokenLifetime.short.seconds)
    }

    private var usual = 0
    private var risky = 0
    private var short = 0

    /// Counts a token.
    ///
    /// - Parameter seconds: Its lifetime.
    @inline(__always)
    mutating func count(_ seconds: Int) {
        // Which one it is cannot be foreseen, so nothing is jumped over.
        usual &+= seconds == Self.seconds.usual ? 1 : 0
        risky &+= seconds == Self.seconds.risky ? 1 : 0
        short &+= seconds == Self.seconds.short ? 1 : 0
    }

    /// The tokens by their lifetime in seconds, without those that no token has.
    var all: [Int: Int] {
        let counts: [(TokenLifetime, Int)] = [(.usual, usual), (.risky, risky), (.short, short)]
        return Dictionary(uniqueKeysWithValues: counts.filter { $0.1 > 0 }.map { ($0.0.seconds, $0.1) })
    }
}
