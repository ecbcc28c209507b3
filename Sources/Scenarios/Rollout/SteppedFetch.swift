package import PolicyEngine
internal import Replay

/// A change of an account that is one step of a rollout.
package struct SteppedChange: Sendable {
    /// The account from the step on.
    package let account: Account
    /// When the change is made, in seconds from the start of the rollout.
    package let offset: Int
    /// True if the policy of all devices changes, rather than that of sampled ones.
    package let isComplete: Bool

    package init(account: Account, offset: Int, isComplete: Bool) {
        (self.account, self.offset, self.isComplete) = (account, offset, isComplete)
    }
}

/// The side of a rollout on which an attestation is decided.
package enum RolloutSide: Hashable, Sendable {
    /// Decided by the policy that is rolled out.
    case changed
    /// Decided by the policy of the account as it was.
    case unchanged
    /// Decided by the policy of a device entry, which sampling leaves as it is (R10, step 9), by the failover, which
    /// does not sample (R14.3), or not at all.
    case neither

    /// - Parameters:
    ///   - decision: A decision under an account that is changed step by step, and that has no other filtered policy.
    ///   - changes: The steps, whose accounts are the revisions after the first one.
    package init(of decision: Decision, after changes: [SteppedChange]) {
        let isComplete = decision.revision > 0 && changes[decision.revision - 1].isComplete
        // The account's own policy, then the filtered one where there is one, then those of entries.
        switch decision.policy.offset {
        case 0 where isComplete: self = .changed
        case 0: self = decision.service == .primary ? .unchanged : .neither
        case 1 where decision.revision > 0 && !isComplete: self = .changed
        default: self = .neither
        }
    }
}

/// A fetch, or an attestation of a capture, while an account is changed step by step.
package struct SteppedFetch: Sendable {
    package let time: Instant
    package let device: DeviceIndex
    /// The step that is in force at that time, counted from 0; `nil` before the first.
    package let step: Int?
    /// The side on which its token was decided.
    package let side: RolloutSide
    /// True if the device attested for it; otherwise its token was cached, or it got none.
    package let isAttested: Bool
    /// True if it attested, and the policy rejected it.
    package let isRejected: Bool
    /// True if it brought a valid token.
    package let isValid: Bool
    /// True if it would have brought one without the rollout; `nil` if that was not worked out.
    package let wasValid: Bool?
    /// True if it depends on no search that was given up (R7.2).
    package let isEvaluated: Bool

    /// An attestation of a capture.
    package init(
        _ decision: Decision, wasValid: Bool, after changes: [SteppedChange], isEvaluated: Bool
    ) {
        (time, device) = (decision.time, decision.device)
        step = decision.revision > 0 ? decision.revision - 1 : nil
        side = RolloutSide(of: decision, after: changes)
        (isAttested, isRejected, isValid) = (true, !decision.passed, decision.passed)
        (self.wasValid, self.isEvaluated) = (wasValid, isEvaluated)
    }

    /// A fetch of a simulated client.
    ///
    /// - Parameter other: The same fetch without the rollout, if that was simulated.
    init(
        _ fetch: KeptFetch, other: KeptFetch?, of device: DeviceIndex, at time: Instant, step: Int?,
        after changes: [SteppedChange]
    ) {
        (self.time, self.device, self.step) = (time, device, step)
        let decision = fetch.compared.decision
        side = decision.map { RolloutSide(of: $0, after: changes) } ?? .neither
        isAttested = fetch.isAttested
        isRejected = fetch.isAttested && decision?.passed == false
        isValid = fetch.compared.isValid
        wasValid = other?.compared.isValid
        isEvaluated = !fetch.compared.isUnsearched && other?.compared.isUnsearched != true
    }
}
