package import PolicyEngine
internal import Scenarios

/// Why one attestation was decided as it was.
package struct Explanation: Hashable, Sendable {
    /// When the device attested.
    package var time: Instant
    /// Whether the token is valid.
    package var passed: Bool
    /// The policy applied.
    package var policy: String
    /// The steps in the order of R10, each in words.
    package var steps: [Step]
    /// What would turn the verdict, had it been so from the start: alternatives, single commands first. One command for
    /// each way there is; where none alone does it, the smallest pairs.
    package var flips: [Flip]

    /// A step and what it came to.
    package struct Step: Hashable, Sendable {
        /// Its number in R10.
        package var number: Int
        /// What it is about.
        package var name: String
        /// What it came to, a line each.
        package var lines: [String]
    }

    /// Management commands which together turn the verdict.
    package struct Flip: Hashable, Sendable {
        package var commands: [String]
    }
}
