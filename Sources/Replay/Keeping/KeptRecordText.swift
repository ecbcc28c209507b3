package import PolicyEngine

/// Writes a record that was kept as a line of a capture.
package enum KeptRecordText {
    /// The record as JSON, newline included.
    package static func line(of record: KeptRecord) -> String {
        line(
            time: record.time, device: record.device, flags: record.flags,
            attributes: record.attributes.map { ($0.key, $0.value) })
    }

    /// A record of a device as JSON, newline included.
    package static func line(
        time: Instant, device: DeviceID, flags: [String], attributes: [(key: String, value: String)]
    ) -> String {
        let members: [(key: String, value: JSONValue)] = [
            ("time", .string(time.description)), ("device-id", .string(device.description)),
            ("public-flags", .string(flags.joined(separator: ","))),
        ]
        let value = JSONValue.ordered(members + attributes.map { ($0.key, .string($0.value)) })
        return String(decoding: value.line, as: UTF8.self)
    }
}
