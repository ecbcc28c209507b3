internal import Figures
internal import PolicyEngine

/// The labels that fit the devices of a stream, as they are found.
///
/// A label fits a device if it is in force at an attestation at which the device shows the value. One such attestation is
/// enough, and holds for the device as a whole. So a device has one label at most: labels that say bad and good contradict
/// each other, whatever their attributes and times are.
struct LabelNotes: Sendable {
    private let labels: Labels
    // By the index of the label: true if it fits a record.
    private var fits: [Bool]
    // By the number of the device.
    private var devices: [Entry] = []

    private struct Entry: BitwiseCopyable {
        // The first label in the file that fits; -1 for none.
        var bad: Int32 = -1
        var good: Int32 = -1
    }

    init(_ labels: Labels) {
        self.labels = labels
        fits = Array(repeating: false, count: labels.rows.count)
    }

    /// Notes the labels of a value that a device shows at an attestation.
    ///
    /// - Parameter group: The number of the labels.
    mutating func note(_ group: UInt32, of device: Int, at time: Instant) {
        guard group > 0 else { return }
        for row in labels.rows(ofGroup: group) where labels.rows[Int(row)].isInForce(at: time) {
            fits[Int(row)] = true
            if device >= devices.count {
                devices.append(contentsOf: repeatElement(Entry(), count: device + 1 - devices.count))
            }
            if labels.rows[Int(row)].label == .bad {
                devices[device].bad = Self.first(devices[device].bad, row)
            } else {
                devices[device].good = Self.first(devices[device].good, row)
            }
        }
    }

    private static func first(_ known: Int32, _ row: Int32) -> Int32 { known < 0 ? row : min(known, row) }

    /// The label of a device.
    subscript(device: Int) -> DeviceLabel {
        guard device < devices.count else { return .unknown }
        return devices[device].bad >= 0 ? .bad : devices[device].good >= 0 ? .good : .unknown
    }

    /// The labels that fit no record, and those that contradict each other.
    ///
    /// - Parameter name: The ID of a device by its number.
    func figures(name: (Int) -> DeviceID) -> LabelFigures {
        LabelFigures {
            $0.labels = labels.rows.count
            $0.unmatched = zip(labels.rows, fits).filter { !$1 }.map { row, _ in
                LabelFigures.Unmatched {
                    ($0.line, $0.attribute, $0.value, $0.label) = (row.line, row.attribute, row.value, row.label)
                }
            }
            $0.contradictions = contradictions(name)
        }
    }

    private func contradictions(_ name: (Int) -> DeviceID) -> [LabelFigures.Contradiction] {
        var found: [LabelFigures.Contradiction] = []
        for (device, entry) in devices.enumerated() where entry.bad >= 0 && entry.good >= 0 {
            let lines = (labels.rows[Int(entry.bad)].line, labels.rows[Int(entry.good)].line)
            found.add([.init { (($0.bad, $0.good), $0.devices, $0.example) = (lines, 1, name(device)) }])
        }
        return found
    }
}
