internal import Figures

/// Writes how often attributes have their values as CSV: a row for each value, the commonest of an attribute first.
enum CSVFrequencies {
    /// The frequencies as bytes; equal ones give equal bytes.
    static func bytes(of frequencies: [AttributeFrequency]) -> [UInt8] {
        var output = CSVOutput(columns: [
            "attribute", "value", "attestations", "failed", "devices", "missed-at-most", "missed-devices-at-most",
        ])
        for frequency in frequencies {
            for value in frequency.commonest {
                let counts = [value.attestations, value.failed, value.devices, value.missed, value.missedDevices]
                output.add([.words(frequency.attribute), .words(value.text)] + counts.map { .count($0) })
            }
        }
        return output.bytes
    }
}
