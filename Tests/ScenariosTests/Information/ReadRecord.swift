import PolicyEngine
import Testing

@testable import Replay
@testable import TestSupport

/// A record of a capture, with everything by name.
struct ReadRecord: Equatable {
    let device, time: String
    /// In catalogue order.
    let flags: [String]
    /// True if the service passed the device; `nil` if the record does not say.
    let passed: Bool?
    /// The bytes of each value by the bytes of its key.
    let attributes: [[UInt8]: [UInt8]]

    /// Reads the records of a capture, all of them valid.
    ///
    /// - Parameters:
    ///   - bytes: The capture.
    ///   - keys: The attributes to read.
    static func read(_ bytes: [UInt8], keys: Set<[UInt8]>) throws -> [ReadRecord] {
        let folder = try TemporaryFolder()
        let names = keys.map { String(decoding: $0, as: UTF8.self) }.sorted()
        let capture = try ParsedCapture(path: try folder.write(bytes, to: "capture"), attributes: names)
        return capture.entries.compactMap { entry in
            switch entry {
            case .record(let record, _): return ReadRecord(record, capture.catalogue)
            case .malformed(let problem):
                Issue.record("\(problem.line): \(problem.message)")
                return nil
            }
        }
    }

    private init(_ record: ParsedCapture.Record, _ catalogue: FlagCatalogue) {
        device = record.head.id.description
        time = record.head.time.description
        flags = catalogue.names(of: record.flags)
        passed = record.head.capturedVerdict
        attributes = Dictionary(
            uniqueKeysWithValues: record.matches.attributes.map { (Array($0.name.utf8), Array($0.value.utf8)) })
    }

    init(device: String, time: String, flags: [String], passed: Bool?, attributes: [[UInt8]: [UInt8]]) {
        (self.device, self.time, self.flags) = (device, time, flags)
        (self.passed, self.attributes) = (passed, attributes)
    }
}
