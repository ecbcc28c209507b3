/// The three kinds of capture.
package enum CaptureFormat: String, Hashable, Sendable, CaseIterable {
    /// Device information, as `device -getInfo` prints it.
    case info
    /// Fetches, as `device -getFetches` prints them.
    case fetches
    /// JSON Lines.
    case jsonl
}
