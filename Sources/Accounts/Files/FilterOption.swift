internal import PolicyEngine

/// An option of a filter by its names: in commands and in account files.
struct FilterOption: Sendable {
    /// The name in commands, without its dash.
    let word: String
    /// The key in account files.
    let key: String
    let option: Filter.Options

    /// All of them, in the order of the manual.
    static let all = [
        FilterOption(word: "newDIDOnly", key: "new-did-only", option: .newDevicesOnly),
        FilterOption(word: "captureDeviceInfo", key: "capture-device-info", option: .captureDeviceInformation),
        FilterOption(word: "reject", key: "reject", option: .reject),
        FilterOption(word: "ban", key: "ban", option: .ban),
        FilterOption(word: "risky", key: "risky", option: .risky),
        FilterOption(
            word: "execFilteredSecPolicy", key: "exec-filtered-sec-policy", option: .executeFilteredPolicy),
    ]
}
