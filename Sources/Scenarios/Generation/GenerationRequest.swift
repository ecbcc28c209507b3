internal import Documents
package import PolicyEngine

/// What a capture is to be generated like.
package struct GenerationRequest: Sendable {
    /// How many attestations, up to ``eventLimit``.
    package let count: Int
    /// When the first may come; `nil` for the start of the scenario.
    package var start: Instant?
    /// Seconds from the start up to the end, at least 1.
    package var duration = Self.day
    /// Goes before the scenario's own.
    package var seed: UInt64?
    /// The form of the records.
    package var format = GeneratedFormat.info
    /// Whether they tell what the service rejected devices for.
    package var tellsVerdicts = false
    /// Where the capture goes; `-` is standard output.
    package var path = OutputFile.standardOutput

    /// The most attestations of a capture: 10^12, about half a petabyte.
    package static let eventLimit = 1_000_000_000_000
    private static let day = 86_400

    /// - Parameter count: 1 through ``eventLimit``.
    package init(count: Int) {
        self.count = count
    }
}
