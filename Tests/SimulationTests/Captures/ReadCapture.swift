import PolicyEngine

@testable import Simulation

/// The records of a capture, each as a line that can be compared.
struct ReadCapture: Equatable {
    /// Such as `1: 2020-07-23T10:51:26Z qZka0yfv+ExvOq3PRh6pGw== rooted,xposed`, or `4! what is wrong; hint: …`.
    private(set) var lines: [String] = []
    /// Whether the last line lacks its newline.
    private(set) var lacksFinalNewline = false

    /// Reads a capture.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - format: The kind; told by the content when `nil`.
    ///   - fallback: Seconds ahead of UTC for unknown time zones.
    ///   - attributes: Attributes to tell of each record.
    init(
        path: String, format: CaptureFormat? = nil, fallback: Int? = nil, attributes: [String] = []
    ) throws {
        var symbols = SymbolTable(catalogue: FlagCatalogue())
        for name in attributes { _ = symbols.attributes.key(named: name) }
        let keys = symbols.attributes.keys
        var reader = try RecordReader(
            try CaptureFile(path: path, format: format), zones: TimeZones(fallback: fallback), attributes: keys)
        var record = CaptureRecord(
            attestation: Attestation(time: Instant(secondsSinceEpoch: 0), device: DeviceIndex(offset: 0)))
        while true {
            switch try reader.next(into: &record, symbols: &symbols) {
            case .record: lines.append(Self.line(record, symbols, keys))
            case .malformed(let problem):
                lines.append("\(problem.line)! \(problem.message)" + (problem.hint.map { "; hint: \($0)" } ?? ""))
            case .end:
                lacksFinalNewline = reader.lacksFinalNewline
                return
            }
        }
    }

    /// Reads a capture that is given as bytes.
    init(
        bytes: some Sequence<UInt8>, format: CaptureFormat? = nil, fallback: Int? = nil, attributes: [String] = []
    ) throws {
        let folder = try TemporaryFolder()
        try self.init(
            path: try folder.write(bytes, as: "capture"), format: format, fallback: fallback, attributes: attributes)
    }

    /// Reads a capture that is given as text.
    init(
        _ text: String, format: CaptureFormat? = nil, fallback: Int? = nil, attributes: [String] = []
    ) throws {
        try self.init(bytes: text.utf8, format: format, fallback: fallback, attributes: attributes)
    }

    private static func line(
        _ record: CaptureRecord, _ symbols: SymbolTable, _ keys: [(name: String, key: AttributeKey)]
    ) -> String {
        let attestation = record.attestation
        var parts = [
            "\(record.line): \(attestation.time)", symbols.devices[attestation.device].description,
            symbols.catalogue.names(of: attestation.flags).joined(separator: ","),
        ]
        if let verdict = record.capturedVerdict { parts.append(verdict ? "service:pass" : "service:fail") }
        if record.operatingSystem != .unknown { parts.append("os:\(record.operatingSystem.metricName)") }
        for (name, key) in keys where attestation.value(of: key) != .absent {
            parts.append("\(name)=\(symbols.attributes.text(of: attestation.value(of: key), for: key))")
        }
        return parts.filter { !$0.isEmpty }.joined(separator: " ")
    }
}
