internal import Documents
package import PolicyEngine

/// The size, the times and the form of a capture that is to be generated.
package struct GenerationRequest: Sendable {
    /// The number of attestations, up to ``eventLimit``.
    package let count: Int
    /// When the first may come; `nil` for the start of the scenario.
    package var start: Instant?
    /// Seconds from the start up to the end, at least 1.
    package var duration = Self.day
    /// Goes before the scenario's own.
    package var seed: UInt64?
    /// The form of the records.
    package var format = GeneratedFormat.info
    /// True if the records have the reasons for which the service rejected devices.
    package var includesVerdicts = false
    /// The path that the capture is written to; `-` is standard output.
    package var path = OutputFile.standardOutput

    /// The most attestations of a capture: 10^12, about half a petabyte.
    package static let eventLimit = 1_000_000_000_000
    private static let day = 86_400

    /// - Parameter count: 1 through ``eventLimit``.
    package init(count: Int) {
        self.count = count
    }
}

/// The form of a generated capture (formats: Captures, 1 and 3).
package enum GeneratedFormat: String, Hashable, Sendable, CaseIterable {
    /// Device information, as `device -getInfo` prints it.
    case info
    /// JSON Lines.
    case jsonl

    /// A key and its value as they are written in a record behind others.
    func field(_ key: String, _ value: String) -> [UInt8] {
        switch self {
        case .info: return Array((InformationText.pair(key, value) + "\n").utf8)
        case .jsonl:
            var json = JSONBytes()
            json.raw(",")
            json.string(key)
            json.raw(":")
            json.string(value)
            return json.bytes
        }
    }
}
