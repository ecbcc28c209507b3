package import Figures
package import PolicyEngine

/// The identity of a comparison: digests of the inputs and of the account before, and names that stand for devices. A later
/// comparison recognizes known devices by it.
package struct ComparisonIdentity: Sendable {
    /// Digests of the captures, in their order; of a scenario, also what draws its devices.
    package let inputs: [String]
    /// The digest of the account before.
    package let account: String
    private let key: PseudonymKey

    /// - Parameters:
    ///   - inputs: Digests of the captures.
    ///   - account: The digest of the account before.
    ///   - key: The key that names of devices are made with.
    package init(inputs: [String], account: String, key: PseudonymKey) {
        (self.inputs, self.account, self.key) = (inputs, account, key)
    }

    /// A name that stands for the key, and says nothing of it.
    package var keyName: String { key.name(for: [UInt8](), kind: "key") }

    /// The name that stands for a device; whoever lacks the key learns nothing else from it.
    package func name(of device: DeviceID) -> String { key.name(for: device.description.utf8, kind: Self.kind) }

    /// The names of some devices, sorted; `nil` where there are too many.
    package func names(of devices: ChangeFigures.KnownDevices) -> [String]? {
        devices.all.map { key.sortedNames(for: $0.lazy.map { Array($0.description.utf8) }, kind: Self.kind) }
    }

    private static let kind = "known"
}
