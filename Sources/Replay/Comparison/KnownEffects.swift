/// The effects of a change on attestations that lanes decide about by their tables, once the first with such tokens was
/// compared.
///
/// The tokens of both sides follow from the observed flags and the case of the token on each side (``Lane/tokenCase(_:)``).
struct KnownEffects {
    // By set of flags and cases of both sides, the number of the effect and 1; 0 where it is not known.
    private var numbers: [UInt32] = []

    /// The tokens of an attestation on both sides.
    struct Tokens {
        fileprivate let index: Int

        /// - Parameters:
        ///   - flags: The number of the set of its observed flags.
        ///   - before: The case of its token before the change.
        ///   - after: The case of its token after the change.
        @inline(__always)
        init(flags: UInt32, before: Int, after: Int) {
            index = (Int(flags) * Lane.tokenCases + before) * Lane.tokenCases + after
        }
    }

    /// The number of the effect on attestations with such tokens; `nil` where it is not known.
    @inline(__always)
    subscript(tokens: Tokens) -> Int? {
        guard tokens.index < numbers.count, numbers[tokens.index] > 0 else { return nil }
        return Int(numbers[tokens.index]) - 1
    }

    /// Notes the effect on attestations with such tokens.
    mutating func note(_ effect: Int, of tokens: Tokens) {
        let missing = tokens.index + 1 - numbers.count
        if missing > 0 { numbers.append(contentsOf: repeatElement(0, count: max(missing, numbers.count))) }
        numbers[tokens.index] = UInt32(effect + 1)
    }
}
