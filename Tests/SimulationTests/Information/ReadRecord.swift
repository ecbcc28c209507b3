import PolicyEngine
import Testing

@testable import Simulation

/// A record of a capture, with everything by name.
struct ReadRecord: Equatable {
    let device, time: String
    /// In catalogue order.
    let flags: [String]
    /// What the service decided, where the record tells.
    let passed: Bool?
    /// The bytes of each value by the bytes of its key.
    let attributes: [[UInt8]: [UInt8]]

    /// Reads the records of a capture, all of them sound.
    ///
    /// - Parameters:
    ///   - bytes: The capture.
    ///   - keys: The attributes to read.
    static func read(_ bytes: [UInt8], keys: Set<[UInt8]>) throws -> [ReadRecord] {
        let folder = try TemporaryFolder()
        var symbols = SymbolTable(catalogue: FlagCatalogue())
        for key in keys { _ = symbols.attributes.key(named: String(decoding: key, as: UTF8.self)) }
        let file = try CaptureFile(path: try folder.write(bytes, as: "capture"), format: nil)
        var reader = try RecordReader(file, zones: TimeZones(), attributes: symbols.attributes.keys)
        var record = CaptureRecord(
            attestation: Attestation(time: Instant(secondsSinceEpoch: 0), device: DeviceIndex(offset: 0)))
        var records: [ReadRecord] = []
        while true {
            switch try reader.next(into: &record, symbols: &symbols) {
            case .record: records.append(ReadRecord(record, symbols))
            case .malformed(let problem): Issue.record("\(problem.line): \(problem.message)")
            case .end: return records
            }
        }
    }

    private init(_ record: CaptureRecord, _ symbols: SymbolTable) {
        let attestation = record.attestation
        device = symbols.devices[attestation.device].description
        time = attestation.time.description
        flags = symbols.catalogue.names(of: attestation.flags)
        passed = record.capturedVerdict
        var attributes: [[UInt8]: [UInt8]] = [:]
        for (name, key) in symbols.attributes.keys where attestation.value(of: key) != .absent {
            let value = symbols.attributes.text(of: attestation.value(of: key), for: key)
            attributes[Array(name.utf8)] = Array(value.utf8)
        }
        self.attributes = attributes
    }

    init(device: String, time: String, flags: [String], passed: Bool?, attributes: [[UInt8]: [UInt8]]) {
        (self.device, self.time, self.flags) = (device, time, flags)
        (self.passed, self.attributes) = (passed, attributes)
    }
}
