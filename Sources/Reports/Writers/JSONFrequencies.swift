internal import Figures
internal import PolicyEngine

/// Writes how often attributes have their values, as JSON (formats: Values by frequency).
enum JSONFrequencies {
    /// The frequencies as a JSON value.
    static func value(of frequencies: [AttributeFrequency]) -> JSONValue { .array(frequencies.map(frequency)) }

    private static func frequency(_ frequency: AttributeFrequency) -> JSONValue {
        .sorted([
            "attribute": .string(frequency.attribute), "exact": .boolean(frequency.isExact),
            "present": .integer(frequency.present), "absent": .integer(frequency.absent),
            "different": frequency.different.map { .integer($0) } ?? .null,
            "others-at-most": .integer(frequency.restAtMost), "values": .array(frequency.commonest.map(value)),
        ])
    }

    private static func value(_ value: AttributeFrequency.Value) -> JSONValue {
        .sorted([
            "value": .string(value.text), "attestations": .integer(value.attestations),
            "failed": .integer(value.failed), "devices": .integer(value.devices),
            "missed-at-most": .integer(value.missed), "missed-devices-at-most": .integer(value.missedDevices),
        ])
    }
}
