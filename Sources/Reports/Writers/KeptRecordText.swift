internal import PolicyEngine
package import Replay

/// Writes a record that was kept as a line of a capture.
package enum KeptRecordText {
    /// The record as JSON, newline included.
    package static func line(of record: KeptRecord) -> String {
        var output = JSONBytes()
        let members: [(key: String, value: JSONValue)] = [
            ("time", .string(record.time.description)), ("device-id", .string(record.device.description)),
            ("public-flags", .string(record.flags.joined(separator: ","))),
        ]
        JSONValue.ordered(members + record.attributes.map { ($0.key, .string($0.value)) }).write(to: &output)
        return String(decoding: output.bytes, as: UTF8.self) + "\n"
    }
}
