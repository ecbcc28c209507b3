internal import Documents
internal import Figures
package import PolicyEngine

/// The identity of a comparison: digests of the inputs and of the account before, and names that stand for devices. A later
/// comparison recognizes known devices by it.
package struct ComparisonIdentity: Sendable {
    /// Digests of the captures, in their order; of a scenario, also what draws its devices.
    package let inputs: [String]
    /// The digest of the account before.
    package let account: String
    private let names: DeviceNames
    private let jobs: Int

    /// - Parameters:
    ///   - inputs: Digests of the captures.
    ///   - account: The digest of the account before.
    ///   - names: The names that stand for devices.
    ///   - jobs: The maximum number of threads that make names at a time.
    package init(inputs: [String], account: String, names: DeviceNames, jobs: Int = 1) {
        (self.inputs, self.account, self.names, self.jobs) = (inputs, account, names, jobs)
    }

    /// A name that stands for the key, and says nothing of it.
    package var keyName: String { names.keyName }

    /// The name that stands for a device; whoever lacks the key learns nothing else from it.
    package func name(of device: DeviceID) -> String { names.name(of: device) }

    /// The names of some devices as a sorted list, or null where there are too many.
    func list(of devices: ChangeFigures.KnownDevices) -> JSONValue {
        guard let devices = devices.all else { return .null }
        var list = JSONBytes()
        list.raw("[")
        for (index, name) in names.sorted(of: devices, jobs: jobs).enumerated() {
            list.raw(index == 0 ? "\"" : ",\"")
            name.append(to: &list.bytes)
            list.raw("\"")
        }
        list.raw("]")
        return .written(list)
    }
}

/// The names that stand for devices in comparisons. Those that were made are kept, for whoever asks about the same devices again.
package final class DeviceNames: Sendable {
    private let key: PseudonymKey
    private let known = Lock<[DeviceID: Pseudonym]>([:])

    private static let kind = "known"

    /// - Parameter key: The key that names are made with.
    package init(_ key: PseudonymKey) { self.key = key }

    /// A name that stands for the key, and says nothing of it.
    package var keyName: String { key.name(for: [UInt8](), kind: "key") }

    /// The name that stands for a device; whoever lacks the key learns nothing else from it.
    package func name(of device: DeviceID) -> String { key.name(for: device.description.utf8, kind: Self.kind) }

    /// The names of some devices, sorted.
    ///
    /// - Parameters:
    ///   - devices: The devices.
    ///   - jobs: The maximum number of threads at a time.
    func sorted(of devices: [DeviceID], jobs: Int) -> [Pseudonym] {
        let known = known.withLock { $0 }
        let size = max(Self.leastPart, (devices.count + jobs - 1) / jobs)
        let starts = Array(stride(from: 0, to: devices.count, by: size))
        let parts = Workers.map(starts, jobs: jobs) { start, _ in
            self.part(of: devices[start..<min(start + size, devices.count)], known)
        }
        let made = parts.flatMap(\.made)
        if !made.isEmpty { self.known.withLock { $0.merge(made) { first, _ in first } } }
        // Runs that are in order already take one pass.
        return parts.flatMap(\.names).sorted()
    }

    // Devices for which another thread is not worth its start.
    private static let leastPart = 1_000

    private struct Part {
        let names: [Pseudonym]
        let made: [(DeviceID, Pseudonym)]
    }

    private func part(of devices: ArraySlice<DeviceID>, _ known: [DeviceID: Pseudonym]) -> Part {
        var (names, unknown) = ([Pseudonym](), [DeviceID]())
        names.reserveCapacity(devices.count)
        for device in devices {
            if let name = known[device] { names.append(name) } else { unknown.append(device) }
        }
        let new = key.names(for: unknown.lazy.map { Array($0.description.utf8) }, kind: Self.kind)
        return Part(names: (names + new).sorted(), made: Array(zip(unknown, new)))
    }
}
