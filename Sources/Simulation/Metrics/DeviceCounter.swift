internal import PolicyEngine

/// Counts the devices that attested, and those that were new.
struct DeviceCounter {
    private var marks: [Mark] = []
    private var unique = 0
    private var new = 0

    private struct Mark: OptionSet {
        let rawValue: UInt8
        static let seen = Mark(rawValue: 1)
        static let new = Mark(rawValue: 2)
    }

    mutating func count(_ decision: Decision) {
        let device = decision.device.offset
        if device >= marks.count {
            marks.append(contentsOf: repeatElement([], count: device + 1 - marks.count))
        }
        if !marks[device].contains(.seen) {
            marks[device].insert(.seen)
            unique += 1
        }
        if decision.isNewDevice, !marks[device].contains(.new) {
            marks[device].insert(.new)
            new += 1
        }
    }

    func figures(banned: Int) -> Figures.Devices {
        Figures.Devices(unique: unique, new: new, banned: banned)
    }
}
