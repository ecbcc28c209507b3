internal import Figures

/// Writes how often attributes have their values as CSV: a row for each value, the commonest of an attribute first.
enum CSVFrequencies {
    /// The frequencies as bytes; equal ones give equal bytes.
    static func bytes(of frequencies: [AttributeFrequency]) -> [UInt8] {
        var output = CSVOutput()
        for name in [
            "attribute", "value", "attestations", "failed", "devices", "missed-at-most", "missed-devices-at-most",
        ] { output.plain(name) }
        output.endRow()
        for frequency in frequencies {
            for value in frequency.commonest { write(value, of: frequency.attribute, to: &output) }
        }
        return output.bytes
    }

    private static func write(_ value: AttributeFrequency.Value, of attribute: String, to output: inout CSVOutput) {
        output.field(attribute)
        output.field(value.text)
        for count in [value.attestations, value.failed, value.devices, value.missed, value.missedDevices] {
            output.field(count)
        }
        output.endRow()
    }
}
