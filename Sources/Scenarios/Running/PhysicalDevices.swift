internal import PolicyEngine

/// Gives the installs of a scenario their hardware (R1.3).
struct PhysicalDevices {
    private var count: UInt32 = 0
    private var named: [Name: PhysicalDevice] = [:]

    private struct Name: Hashable {
        let name: String
        let number: Int
    }

    /// The hardware of an install: its own, or the one that installs of the same number share in groups that name it.
    mutating func device(of group: DeviceGroup, number: Int) -> PhysicalDevice {
        guard let name = group.physical else { return another() }
        let key = Name(name: name, number: number)
        if let known = named[key] { return known }
        let device = another()
        named[key] = device
        return device
    }

    private mutating func another() -> PhysicalDevice {
        count += 1
        return PhysicalDevice(number: count - 1)
    }
}
