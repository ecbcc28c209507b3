/// The system that a device runs, as metrics name it (R13.1).
package enum OperatingSystem: UInt8, Hashable, Sendable, CaseIterable {
    case android, ios, unknown

    /// The name inside metrics: `and`, `ios` or `unknown`.
    package var metricName: String {
        switch self {
        case .android: "and"
        case .ios: "ios"
        case .unknown: "unknown"
        }
    }

    /// Recognises the system by how the `device` attribute begins.
    ///
    /// - Parameter device: The attribute's bytes.
    package init(deviceAttribute device: Span<UInt8>) {
        // Eight bytes at once, if there are as many: `Android`, or `iOS`.
        if device.count >= 8 {
            let word = device.word(at: 0)
            self =
                word & 0xFF_FFFF_FFFF_FFFF == 0x64_696F_7264_6E41
                ? .android : word & 0xFF_FFFF == 0x53_4F69 ? .ios : .unknown
        } else if device.begins(with: "Android") {
            self = .android
        } else if device.begins(with: "iOS") {
            self = .ios
        } else {
            self = .unknown
        }
    }
}
