/// The state of a device before an attestation of a capture: with the attestation, all that a decision depends on.
///
/// Whoever keeps situations beside an engine can ask it about many courses of a device without a memory for each.
package struct DeviceSituation: Hashable, Sendable {
    /// True if the device attested before.
    package var isKnown: Bool
    /// True if a ban was persisted (R6.3).
    package var isBanned: Bool
    /// True if an unban was persisted (R6.4).
    package var isUnbanned: Bool
    /// True if the device is sampled on the day of the attestation (R7.6).
    package var isSampled: Bool

    package init(isKnown: Bool, isBanned: Bool, isUnbanned: Bool, isSampled: Bool) {
        (self.isKnown, self.isBanned, self.isUnbanned) = (isKnown, isBanned, isUnbanned)
        self.isSampled = isSampled
    }
}

extension Engine {
    /// Evaluates an attestation of a capture as if its device were in a situation, whatever it did before.
    ///
    /// - Parameters:
    ///   - attestation: The observations, attributes aside.
    ///   - matches: The result of matching its attributes.
    ///   - situation: The knowledge of the device; becomes that afterwards.
    ///   - service: The service that answers.
    ///   - symbols: The numbering of its device and flags.
    package mutating func attest(
        _ attestation: borrowing Attestation, matches: AttributeMatches, in situation: inout DeviceSituation,
        by service: TokenService = .primary, symbols: borrowing SymbolTable
    ) -> Decision {
        var evaluation = begin(attestation, in: situation)
        var recorder = SilentRecorder()
        let decision = attest(
            attestation, evaluation: &evaluation, matches: matches, by: service, symbols: symbols, recorder: &recorder)
        situation.isKnown = true
        situation.isBanned = evaluation.state.persisted.contains(.deviceBan)
        situation.isUnbanned = evaluation.state.persisted.contains(.deviceUnban)
        return decision
    }

    // The account's settings for the device stay.
    private mutating func begin(_ attestation: borrowing Attestation, in situation: DeviceSituation) -> Evaluation {
        var state = begin(attestation).state
        state.clear()
        state.isKnown = situation.isKnown
        if situation.isBanned { state.persist(.deviceBan) }
        if situation.isUnbanned { state.persist(.deviceUnban) }
        return Evaluation(of: attestation.flags, in: state, isSampled: situation.isSampled)
    }
}
