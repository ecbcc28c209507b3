package import Figures
package import PolicyEngine

/// The labels of the devices of kept records.
package struct LabelledDevices: Sendable {
    /// The labels that fit no record, and those that contradict each other; there are no verdicts.
    package let figures: LabelFigures
    private let labels: [DeviceID: DeviceLabel]

    /// - Parameters:
    ///   - labels: The labels.
    ///   - records: The records, with the attributes that the labels name.
    package init(_ labels: Labels, _ records: [KeptRecord]) {
        var (notes, devices) = (LabelNotes(labels), Numbering<DeviceID>())
        for record in records {
            let number = devices.number(of: record.device)
            notes.note(labels.group(of: record.device), of: number, at: record.time)
            for (key, name) in labels.keys.enumerated() {
                guard let text = record.attribute(name) else { continue }
                let value = Array(text.utf8)
                let group = labels.group(of: value.span, range: value.indices, key: key)
                notes.note(group, of: number, at: record.time)
            }
        }
        figures = notes.figures { devices[$0] }
        self.labels = Dictionary(uniqueKeysWithValues: devices.keys.enumerated().map { ($1, notes[$0]) })
    }

    /// The label of a device.
    package subscript(device: DeviceID) -> DeviceLabel { labels[device] ?? .unknown }

    /// The devices with a label.
    package func devices(_ label: DeviceLabel) -> Set<DeviceID> { Set(labels.filter { $0.value == label }.keys) }
}
