package import PolicyEngine

/// Why one attestation of a device was decided as it was.
package struct Explanation: Hashable, Sendable {
    /// The device.
    package var device: DeviceID
    /// When it attested.
    package var time: Instant
    /// True if the token is valid.
    package var passed: Bool
    /// The policy applied.
    package var policy: String
    /// The steps in the order of R10, each in words.
    package var steps: [Step]
    /// The changes that would turn the verdict, if they were made from the start: alternatives, single commands first. One
    /// command for each way there is; if none alone does it, the smallest pairs.
    package var flips: [Flip]

    /// A step of the evaluation and its result.
    package struct Step: Hashable, Sendable {
        /// Its number in R10.
        package var number: Int
        /// The subject of the step.
        package var name: String
        /// Its result, a line each.
        package var lines: [String]
    }

    /// Management commands which together turn the verdict.
    package struct Flip: Hashable, Sendable {
        package var commands: [String]
    }
}
