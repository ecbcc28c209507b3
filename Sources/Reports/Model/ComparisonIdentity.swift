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
