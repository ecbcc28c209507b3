/// The effect of the flags, or of the matches, of an attestation; both together are its verdict.
struct Effect: OptionSet, Hashable, Sendable {
    let rawValue: UInt8

    /// The attestation fails.
    static let fails = Effect(rawValue: 1)
    /// It has `risky-device`.
    static let isRisky = Effect(rawValue: 2)
    /// It would fail if it had `risky-device`.
    static let rejectsRisk = Effect(rawValue: 4)
    /// It has `new-did`.
    static let isNew = Effect(rawValue: 8)
    /// It bans its device (R7.5).
    static let bans = Effect(rawValue: 16)
    /// The engine decides about it, since the tables do not say all that matters.
    static let isByEngine = Effect(rawValue: 32)
    /// The filtered policy decides about it (R7.3).
    static let isFiltered = Effect(rawValue: 64)

    /// The effects that a verdict consists of.
    static let ofVerdict: Effect = [.fails, .isRisky, .isByEngine, .isFiltered]

    /// The verdict that follows from both.
    ///
    /// - Parameters:
    ///   - flags: The effect of the flags.
    ///   - matches: The effect of the matches.
    @inline(__always)
    static func verdict(_ flags: Effect, _ matches: Effect) -> Effect {
        let either = (flags.rawValue | matches.rawValue) & ofVerdict.rawValue
        // A risk of a match makes the attestation fail where the flags alone had no `risky-device` to fail by.
        let riskFails = either >> 1 & flags.rawValue >> 2 & fails.rawValue
        return Effect(rawValue: either | riskFails)
    }
}
