internal import Documents
internal import Figures
internal import PolicyEngine
internal import Replay
internal import Reports

/// Captures that were read before the command that asks about them began.
struct ReadCaptures: Hashable, Sendable {
    /// Their records.
    let image: CaptureImage
    /// The names that reports on them gave devices.
    let names: KeptDeviceNames
    /// Ends the command before it has an answer.
    let cancellation: Cancellation

    static func == (left: ReadCaptures, right: ReadCaptures) -> Bool {
        left.image == right.image && left.cancellation === right.cancellation
    }

    func hash(into hasher: inout Hasher) { hasher.combine(image) }
}

/// The names of devices by the key that was asked for last.
final class KeptDeviceNames: Sendable {
    private let latest = Lock<(key: PseudonymKey, names: DeviceNames)?>(nil)

    /// The names that a key makes.
    func names(by key: PseudonymKey) -> DeviceNames {
        latest.withLock { latest in
            if let latest, latest.key == key { return latest.names }
            let names = DeviceNames(key)
            latest = (key, names)
            return names
        }
    }
}

extension ParsedArguments {
    /// The captures that the operands name, as reports identify them.
    ///
    /// - Parameter limit: The greatest length at which all of a file is read; files that were read before are not read again.
    func captureIdentities(digestedUpTo limit: Int) -> [CaptureIdentity] {
        captures?.image.captures ?? CaptureIdentity.all(operands, digestedUpTo: limit)
    }
}
