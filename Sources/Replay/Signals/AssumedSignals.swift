internal import PolicyEngine

/// Assumptions with the devices that they are about: the records of these devices as one account of a replay sees them.
package struct AssumedSignals: Sendable {
    /// The account that sees them, by its index among those of the replay.
    let account: Int
    private let changes: [SignalChange]
    // By device, the changes of its records, in their order.
    private let byDevice: [DeviceID: [Int]]

    /// - Parameters:
    ///   - account: The account that sees them, by its index among those of the replay.
    ///   - changes: The changes in their order, each with the devices of whose records it is one.
    init(account: Int, _ changes: [(change: SignalChange, devices: Set<DeviceID>)]) {
        self.account = account
        self.changes = changes.map(\.change)
        var byDevice: [DeviceID: [Int]] = [:]
        for (index, change) in changes.enumerated() {
            for device in change.devices { byDevice[device, default: []].append(index) }
        }
        self.byDevice = byDevice
    }

    /// The same for another account of the replay.
    func seen(by account: Int) -> AssumedSignals {
        AssumedSignals(account: account, changes: changes, byDevice: byDevice)
    }

    private init(account: Int, changes: [SignalChange], byDevice: [DeviceID: [Int]]) {
        (self.account, self.changes, self.byDevice) = (account, changes, byDevice)
    }

    /// The catalogue of a stream with the flags that are added.
    func catalogue(extending catalogue: FlagCatalogue) -> FlagCatalogue {
        var catalogue = catalogue
        // One that has no number is refused where records are.
        for case .add(let name) in changes { _ = try? catalogue.intern(observed: name) }
        return catalogue
    }

    /// The flags of a record of a device.
    ///
    /// - Parameters:
    ///   - flags: Those that were observed.
    ///   - catalogue: The flags by name.
    func flags(_ flags: FlagSet, of device: DeviceID, by catalogue: FlagCatalogue) -> FlagSet {
        guard let indices = byDevice[device] else { return flags }
        return indices.reduce(into: flags) { flags, index in
            switch changes[index] {
            case .add(let name): if let flag = catalogue.flag(named: name) { flags.insert(flag) }
            case .remove(let name): if let flag = catalogue.flag(named: name) { flags.remove(flag) }
            case .set: break
            }
        }
    }

    /// The values that attributes of a device have in place of their own, by key; empty for a device without such.
    func values(of device: DeviceID) -> [ExactText: [UInt8]] {
        guard let indices = byDevice[device] else { return [:] }
        return indices.reduce(into: [:]) { values, index in
            if case .set(let key, let value) = changes[index] { values[ExactText(key)] = Array(value.utf8) }
        }
    }

    /// True if an attribute of some device has another value.
    var setsValues: Bool { changes.contains { if case .set = $0 { true } else { false } } }
}
