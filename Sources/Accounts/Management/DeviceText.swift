internal import PolicyEngine

/// Device entries in the words of the manual (Listing Your Devices, Removing Multiple Devices).
enum DeviceText {
    /// What `device -list` prints.
    static func list(of account: Account) -> [String] {
        [ListText.heading(account.devices.count, "device", "devices")]
            + account.devices.map { line(of: $0, policy: account.policy) }
    }

    /// What `device -removeMatching` prints of the entries that it would remove.
    static func matches(_ entries: [DeviceEntry], of account: Account) -> [String] {
        [ListText.heading(entries.count, "matched device", "matched devices")]
            + entries.map { line(of: $0, policy: account.policy) }
    }

    // The policy applied: without one of its own, a device follows the account's.
    private static func line(of entry: DeviceEntry, policy: SecurityPolicy) -> String {
        let columns = [(entry.pinMode ?? .pin).rawValue, entry.user, entry.label].compactMap(\.self)
        return " \(entry.id) \(entry.policy ?? policy)" + columns.map { "  \($0)" }.joined()
    }
}
