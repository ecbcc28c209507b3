package import PolicyEngine

/// A device that is looked for: by its ID, or by the name that stands for it in a redacted report.
package enum SoughtDevice: Sendable {
    case id(DeviceID)
    /// The name, and the redactor that made it.
    case name(String, Redactor)

    /// True if the device has the ID.
    package func has(_ id: DeviceID) -> Bool {
        switch self {
        case .id(let own): own == id
        case .name(let name, let redactor): redactor.name(of: id) == name
        }
    }
}

extension SoughtDevice: CustomStringConvertible {
    package var description: String {
        switch self {
        case .id(let id): id.description
        case .name(let name, _): name
        }
    }
}

/// The devices whose records are read.
package enum DeviceSelection: Sendable {
    case all
    case devices(Set<DeviceID>)
    case one(SoughtDevice)
}

/// Says for one record after another whether its device is among those that are selected.
struct DeviceSelector {
    private let selection: DeviceSelection
    // A name takes thousands of instructions to make, and a device has many records.
    private var known: [DeviceID: Bool] = [:]

    init(_ selection: DeviceSelection) { self.selection = selection }

    mutating func includes(_ id: DeviceID) -> Bool {
        switch selection {
        case .all: return true
        case .devices(let devices): return devices.contains(id)
        case .one(.id(let device)): return device == id
        case .one(let device):
            if let known = known[id] { return known }
            let isIncluded = device.has(id)
            known[id] = isIncluded
            return isIncluded
        }
    }
}
