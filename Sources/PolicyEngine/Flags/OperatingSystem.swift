/// The system that a device runs, as metrics tell it (R13.1).
public enum OperatingSystem: UInt8, Hashable, Sendable, CaseIterable {
    case android, ios, unknown

    /// The name inside metrics: `and`, `ios` or `unknown`.
    public var metricName: String {
        switch self {
        case .android: "and"
        case .ios: "ios"
        case .unknown: "unknown"
        }
    }

    /// Tells the system by how the `device` attribute begins.
    ///
    /// - Parameter device: The attribute's bytes.
    public init(deviceAttribute device: Span<UInt8>) {
        if device.begins(with: "Android") {
            self = .android
        } else if device.begins(with: "iOS") {
            self = .ios
        } else {
            self = .unknown
        }
    }
}
