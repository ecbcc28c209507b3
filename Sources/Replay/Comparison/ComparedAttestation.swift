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
