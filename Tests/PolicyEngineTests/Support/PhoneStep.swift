@testable import PolicyEngine

/// A step in a story of a ``Phone``: an event, or a check.
enum PhoneStep: Sendable {
    /// An attestation: every flag that it carries, and the rejections.
    case attests([String], rejecting: [String] = [])
    /// The persisted flags of the device ID; `nil` if its state has not been set.
    case keeps([String]?)
    /// Apple's setting, such as `1 of 2020-07`.
    case apple(String?)
    case launch
    case reinstall
    case reinstallKeepingID
    case ban
    case unban
    case removeEntry
    case clear
    case wait(months: Int)
    case nextDay
    case deviceCheck(DeviceCheckSettings.Bits?)
    case safetyNet(String?)
    /// From now on the device answers so.
    case answers(DeviceCheckCapability)
    case comesTo(SafetyNetOutcome)
    /// The account gets a filter that matches everything and bans, or loses it.
    case banningFilter(Bool)
    /// The account gets an app signing certificate, or loses it.
    case certificate(Bool)
}
