internal import Figures
internal import PolicyEngine

/// The effects of a change on an attestation beside its verdict: another lifetime, other annotations. Each has a number.
struct TokenEffects {
    private var numbers = MixedNumbers<Effect>(recentBits: 8)

    private var effects: [Effect] { numbers.all }

    private struct Effect: Mixed {
        /// In seconds; `nil` where a side gives no token.
        let lifetimes: Lifetimes?
        /// `nil` where they do not differ.
        let annotations: Annotations?
        let isAttested: Bool

        var mixedBits: UInt64 {
            let seconds = lifetimes.map { UInt64(truncatingIfNeeded: $0.before << 24 ^ $0.after << 2 | 2) } ?? 0
            let flags = annotations.map { ($0.before?.bits ?? 0) ^ ($0.after?.bits ?? 0) << 1 } ?? 0
            return seconds ^ UInt64(truncatingIfNeeded: flags ^ flags >> 61) << 8 ^ (isAttested ? 1 : 0)
        }
    }

    private struct Lifetimes: Hashable {
        let before, after: Int
    }

    private struct Annotations: Hashable {
        let before, after: FlagSet?
    }

    /// The number of an effect, given one at first sight.
    ///
    /// - Parameters:
    ///   - lifetimes: The lifetimes of the tokens, in seconds; `nil` where a side gives no token.
    ///   - annotations: The annotations, in numbers that both sides share.
    ///   - isAttested: True if it is an attestation, rather than a fetch that was answered from the cache.
    @inline(__always)
    mutating func number(
        lifetimes: (before: Int, after: Int)?, annotations: (before: FlagSet?, after: FlagSet?), isAttested: Bool
    ) -> Int {
        let isChanged = lifetimes != nil && annotations.before != annotations.after
        return numbers.number(
            of: Effect(
                lifetimes: lifetimes.map { Lifetimes(before: $0.before, after: $0.after) },
                annotations: isChanged ? Annotations(before: annotations.before, after: annotations.after) : nil,
                isAttested: isAttested))
    }

    /// Counts the effects on devices of which it is known what the change does to them.
    ///
    /// - Parameters:
    ///   - devices: The changes of each device.
    ///   - figures: Get the lifetimes, the annotations, and how many attestations are of those devices.
    ///   - catalogue: The flags.
    func count(in devices: DeviceChanges, into figures: inout ComparisonFigures, _ catalogue: FlagCatalogue) {
        for (effect, count) in zip(effects, devices.effectCounts(effects.count)) where count > 0 {
            let attested = effect.isAttested ? count : 0
            figures.evaluatedEvents += count
            if let lifetimes = effect.lifetimes {
                let change = ComparisonFigures.LifetimeChange {
                    ($0.before, $0.after) = (lifetimes.before, lifetimes.after)
                    ($0.events, $0.attestations) = (count, attested)
                }
                figures.lifetimes.add([change])
            }
            guard let change = effect.annotations else { continue }
            figures.annotations.count(change.before, change.after, (count, attested), catalogue)
        }
        figures.annotations.devices = devices.deviceCount(ofEffects: effects.map { $0.annotations != nil })
    }
}
