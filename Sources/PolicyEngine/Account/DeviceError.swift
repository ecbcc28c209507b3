/// Why a device entry cannot be.
public enum DeviceError: Error, Hashable, Sendable {
    /// Not the text of a device ID (R1.1).
    case invalidID(String)
    /// The pseudo device takes no pin mode and no ban mode (R1.2).
    case modeOnFilteredPolicy(String)
    /// Not a URL with `https` (R6.1).
    case invalidProbeURL(String)
    /// Two entries of that device in one list (R7.1).
    case duplicate(DeviceID)
    /// It would be the 26th entry (R6.1).
    case limitReached(DeviceID)
    /// No entry of that device.
    case unknown(DeviceID)
}

extension DeviceError: CustomStringConvertible {
    /// The error in words: lower case, no final period, what the user wrote in backticks.
    public var description: String {
        switch self {
        case .invalidID(let text):
            "`\(text)` is not a device ID; it has 22 characters of A–Z a–z 0–9 + / and then `==`"
        case .modeOnFilteredPolicy(let mode):
            "`\(DeviceID.filteredPolicyText)` is not a device and takes no \(mode) mode"
        case .invalidProbeURL(let text):
            "`\(text)` is not a probe URL; it has `https`, such as `https://shapes.approov.io:443`"
        case .duplicate(let id): "device `\(id)` is there already"
        case .limitReached(let id):
            "device `\(id)` is one too many; an account has at most \(AccountLimits.devices) device entries"
        case .unknown(let id): "there is no entry for device `\(id)`"
        }
    }
}
