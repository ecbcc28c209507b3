package import PolicyEngine

/// The properties of a record that expressions ask for.
package protocol ExpressedRecord {
    /// Whose it is.
    var device: DeviceID { get }
    var time: Instant { get }
    /// True if the service passed it; `nil` where the record does not say.
    var capturedVerdict: Bool? { get }

    /// True if a flag of that name was observed.
    func hasFlag(named name: String) -> Bool

    /// The value of an attribute that was asked for; `nil` where the record lacks it.
    func attribute(_ key: String) -> String?
}

extension ExpressedRecord {
    /// The value of an attribute; the device ID is one, too.
    package func value(of key: String) -> String? { key == "device-id" ? device.description : attribute(key) }

    /// The value of a key, which may be derived.
    package func value(of key: RecordKey) -> String? {
        if key.isTime { return String(decoding: key.value(at: time), as: UTF8.self) }
        guard let value = value(of: key.attribute) else { return nil }
        return key.value(of: Array(value.utf8)).map { String(decoding: $0, as: UTF8.self) }
    }
}

extension KeptRecord: ExpressedRecord {}
