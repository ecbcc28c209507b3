/// Chance from a seed: SplitMix64, whose numbers are the same on every machine and with every library.
package struct SeededGenerator: Sendable {
    private var state: UInt64

    /// - Parameters:
    ///   - seed: The scenario's seed.
    ///   - path: The purpose of the numbers; other paths give numbers that have nothing to do with these, so that adding a group
    ///     changes no other.
    package init(seed: UInt64, path: String...) {
        var state = seed
        for part in path {
            // FNV-1a, and a step of the generator to spread it.
            let hash = part.utf8.reduce(UInt64(0xCBF2_9CE4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
            state = Self.mix(state &+ 0x9E37_79B9_7F4A_7C15) ^ hash
        }
        self.state = Self.mix(state)
    }

    /// The next number; all 64 bits are equally likely.
    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        return Self.mix(state)
    }

    /// A number from 0 up to a bound; each is equally likely, but for one part in 2^64 divided by the bound.
    ///
    /// - Parameter bound: At least 1.
    package mutating func next(below bound: Int) -> Int {
        Int(truncatingIfNeeded: next().multipliedFullWidth(by: UInt64(bound)).high)
    }

    private static func mix(_ value: UInt64) -> UInt64 {
        var value = value
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
