import PolicyEngine

@testable import Replay

/// The records of a capture, each as a line that can be compared.
struct ReadCapture: Equatable {
    /// Such as `1: 2020-07-23T10:51:26Z qZka0yfv+ExvOq3PRh6pGw== rooted,xposed`, or `4! what is wrong; hint: …`.
    private(set) var lines: [String] = []
    /// True if the last line lacks its newline.
    private(set) var lacksFinalNewline = false

    /// Reads a capture.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - format: The kind; found by the content if `nil`.
    ///   - fallback: Seconds ahead of UTC for unknown time zones.
    ///   - attributes: Attributes to list of each record.
    init(
        path: String, format: CaptureFormat? = nil, fallback: Int? = nil, attributes: [String] = []
    ) throws {
        let capture = try ParsedCapture(path: path, format: format, fallback: fallback, attributes: attributes)
        for entry in capture.entries {
            switch entry {
            case .record(let record, let line): lines.append(Self.line(record, at: line, capture.catalogue))
            case .malformed(let problem):
                lines.append("\(problem.line)! \(problem.message)" + (problem.hint.map { "; hint: \($0)" } ?? ""))
            }
        }
        lacksFinalNewline = capture.lacksFinalNewline
    }

    /// Reads a capture that is given as bytes.
    init(
        bytes: some Sequence<UInt8>, format: CaptureFormat? = nil, fallback: Int? = nil, attributes: [String] = []
    ) throws {
        let folder = try TemporaryFolder()
        try self.init(
            path: try folder.write(bytes, to: "capture"), format: format, fallback: fallback, attributes: attributes)
    }

    /// Reads a capture that is given as text.
    init(
        _ text: String, format: CaptureFormat? = nil, fallback: Int? = nil, attributes: [String] = []
    ) throws {
        try self.init(bytes: text.utf8, format: format, fallback: fallback, attributes: attributes)
    }

    private static func line(_ record: ParsedCapture.Record, at line: Int, _ catalogue: FlagCatalogue) -> String {
        var parts = [
            "\(line): \(record.head.time)", record.head.id.description,
            catalogue.names(of: record.flags).joined(separator: ","),
        ]
        if let verdict = record.head.capturedVerdict { parts.append(verdict ? "service:pass" : "service:fail") }
        let system = record.matches.system
        if system != .unknown { parts.append("os:\(system.metricName)") }
        for (name, value) in record.matches.attributes { parts.append("\(name)=\(value)") }
        return parts.filter { !$0.isEmpty }.joined(separator: " ")
    }
}
