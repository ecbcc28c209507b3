internal import Documents
package import Figures
package import PolicyEngine

/// An attestation that both sides of a comparison evaluated.
package struct ComparedAttestation {
    /// Its number among all that are compared, which decides what came first.
    let index: Int
    /// Its device, by a number that is the same on both sides.
    let device: DeviceIndex
    let time: Instant
    /// The observed flags, in the numbers of the side before.
    let flags: FlagSet
    /// The device's system.
    let system: OperatingSystem
    /// True if it is an attestation, on one side at least; a fetch of a scenario may be answered from the cache.
    let isAttested: Bool

    package init(
        index: Int, device: DeviceIndex, time: Instant, flags: FlagSet, system: OperatingSystem, isAttested: Bool = true
    ) {
        self.index = index
        self.device = device
        self.time = time
        self.flags = flags
        self.system = system
        self.isAttested = isAttested
    }
}

/// The answer of one side of a comparison to an attestation, a fetch or a call: a token, a string, or none.
package struct ComparedDecision {
    /// The decision; `nil` where there is none.
    package let decision: Decision?
    /// The result of the fetch or the call for the app.
    package let result: CallResult
    /// True if the app got what it asked for: a valid token, or the string or custom JWT.
    package let isValid: Bool

    /// The annotations of the token, in numbers that both sides share; `nil` where it has none.
    let annotations: FlagSet?

    /// The names of the filters that might have decided otherwise, had their searches not been given up (R7.2).
    let unsearched: [String]

    /// An attestation of a capture.
    ///
    /// - Parameters:
    ///   - annotations: Those of the decision, in numbers that both sides share.
    ///   - unsearched: The names of filters whose searches were given up.
    init(_ decision: Decision, annotations: FlagSet?, unsearched: [String]) {
        self.decision = decision
        self.unsearched = unsearched
        self.annotations = annotations
        (result, isValid) = (.fetch(.success), decision.passed)
    }

    /// A fetch of a simulated client, whose flags both sides number alike.
    ///
    /// - Parameter unsearched: The names of filters whose searches were given up.
    package init(_ result: FetchResult, _ decision: Decision?, unsearched: [String]) {
        (self.result, self.decision, self.unsearched) = (.fetch(result), decision, unsearched)
        annotations = decision?.annotations
        isValid = decision?.passed ?? false
    }

    /// A call of a simulated client beside those for tokens (R21.2, R21.3).
    ///
    /// - Parameters:
    ///   - result: Its result; the app got what it asked for where that is a success.
    ///   - decision: The attestation that was made for it; `nil` where none was.
    ///   - unsearched: The names of filters whose searches were given up.
    package init(call result: CallResult, _ decision: Decision?, unsearched: [String]) {
        (self.result, self.decision, self.unsearched) = (result, decision, unsearched)
        annotations = decision?.annotations
        isValid = result == .fetch(.success)
    }

    /// True if the answer depends on a search that was given up (R7.2).
    package var isUnsearched: Bool { !unsearched.isEmpty }
}

/// One side of a comparison, as far as names are needed for what it decided.
package struct ComparedSide {
    let engine: Engine
    package let symbols: SymbolTable

    package init(engine: Engine, symbols: SymbolTable) {
        self.engine = engine
        self.symbols = symbols
    }
}

/// The effects of a change on an attestation beside its verdict: another lifetime, other annotations. Each has a number.
struct EffectTable {
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
