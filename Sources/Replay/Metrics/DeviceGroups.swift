internal import Figures
internal import PolicyEngine

/// Collects to which groups each device belongs: the flags that it had, and the apps that it attested with.
struct DeviceGroups {
    private var devices: [Entry] = []
    private var apps = MixedNumbers<AppNumbers>(recentBits: 8)
    // Further apps of a device, whose number is in the upper half.
    private var others: Set<UInt64> = []

    private struct Entry: BitwiseCopyable {
        // The bits of a flag set.
        var flags: UInt128 = 0
        // The number of the first app and 1; 0 for none.
        var app: UInt32 = 0
    }

    /// Counts an attestation.
    ///
    /// - Parameters:
    ///   - flags: All its flags.
    ///   - device: Its device.
    ///   - app: The app that it came with.
    @inline(__always)
    mutating func count(_ flags: FlagSet, of device: DeviceIndex, app: AppNumbers) {
        let (device, number) = (device.offset, UInt32(apps.number(of: app)) + 1)
        if device >= devices.count {
            devices.append(contentsOf: repeatElement(Entry(), count: device + 1 - devices.count))
        }
        devices[device].flags |= flags.bits
        if devices[device].app == 0 { devices[device].app = number }
        if devices[device].app != number { others.insert(UInt64(device) << 32 | UInt64(number - 1)) }
    }

    /// Fetches what is kept of devices from memory.
    func prefetch(_ next: [DeviceIndex]) {
        for device in next where device.offset < devices.count { devices.prefetch(device.offset) }
    }

    /// The devices of each group.
    ///
    /// - Parameters:
    ///   - labels: The names of the apps.
    ///   - catalogue: The names of the flags.
    func figures(labels: AppLabels, catalogue: FlagCatalogue) -> GroupDevices {
        var (figures, tally) = (GroupDevices(), BitTally<UInt128>())
        for device in devices { tally.add(device.flags) }
        for (flag, count) in zip(catalogue.flags, tally.all) where count > 0 { figures.flags[flag.name] = count }
        // Devices of one app are counted by its number, since they are many and apps are few.
        var (alone, lists) = (Array(repeating: 0, count: apps.all.count), [[Int]: Int]())
        for device in devices where device.app > 0 { alone[Int(device.app) - 1] += 1 }
        for (device, others) in Dictionary(grouping: others, by: { Int($0 >> 32) }) {
            let first = Int(devices[device].app) - 1
            alone[first] -= 1
            lists[[first] + others.map { Int($0 & 0xFFFF_FFFF) }.sorted(), default: 0] += 1
        }
        for (number, devices) in alone.enumerated() where devices > 0 { lists[[number]] = devices }
        for (numbers, devices) in lists { count(devices, of: numbers.map { apps.all[$0] }, labels, in: &figures) }
        return figures
    }

    // Counts devices that attested with the same apps.
    private func count(_ devices: Int, of seen: [AppNumbers], _ labels: AppLabels, in figures: inout GroupDevices) {
        let names = Set(seen.map { $0.app.map { labels.apps[$0] } })
        for case let name? in names { figures.apps[name, default: 0] += devices }
        for version in Set(seen.compactMap(\.version)) {
            figures.versions[labels.versions[version], default: 0] += devices
        }
        let systems = Set(names.map { $0.flatMap(Self.system) })
        for case let system? in systems { figures.systems[system, default: 0] += devices }
        if systems.contains(nil) { figures.systemless += devices }
    }

    // The system that the name of an app starts with; `nil` for apps that are not counted apart.
    private static func system(ofApp name: String) -> String? {
        name == Figures.otherApp ? nil : name.split(separator: "-", maxSplits: 1).first.map(String.init)
    }
}

extension AppNumbers: Mixed {
    var mixedBits: UInt64 { UInt64(truncatingIfNeeded: (app ?? -1) << 32 ^ (version ?? -1)) }
}
