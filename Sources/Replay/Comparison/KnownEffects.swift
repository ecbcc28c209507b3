/// The effects of a change on attestations that lanes decide about by their tables, once the first of a kind was compared.
///
/// The tokens of both sides follow from the observed flags and the case of the token on each side (``Lane/tokenCase(_:)``).
struct KnownEffects {
    // By set of flags and cases of both sides, the number of the effect and 1; 0 where it is not known.
    private var numbers: [UInt32] = []

    /// The kind of an attestation.
    struct Kind {
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

    /// The number of the effect on attestations of a kind; `nil` where it is not known.
    @inline(__always)
    subscript(kind: Kind) -> Int? {
        guard kind.index < numbers.count, numbers[kind.index] > 0 else { return nil }
        return Int(numbers[kind.index]) - 1
    }

    /// Notes the effect on attestations of a kind.
    mutating func note(_ effect: Int, of kind: Kind) {
        let missing = kind.index + 1 - numbers.count
        if missing > 0 { numbers.append(contentsOf: repeatElement(0, count: max(missing, numbers.count))) }
        numbers[kind.index] = UInt32(effect + 1)
    }
}
