internal import Documents
package import PolicyEngine

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
            part(of: devices[start..<min(start + size, devices.count)], known)
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
