internal import PolicyEngine

/// The form of a generated capture (formats: Captures, 1 and 3).
package enum GeneratedFormat: String, Hashable, Sendable, CaseIterable {
    /// Device information, as `device -getInfo` prints it.
    case info
    /// JSON Lines.
    case jsonl

    /// A key and its value as they stand in a record behind others.
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
