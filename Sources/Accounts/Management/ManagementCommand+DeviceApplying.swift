internal import Documents
internal import PolicyEngine

extension ManagementCommand {
    /// Carries out a command of the topic `device` that is no question.
    func applyToDevices(
        of account: inout Account, in context: CommandContext, _ effect: inout CommandEffect
    ) throws(CommandError) {
        switch self {
        case .addDevice(let target, let options):
            let id = try Self.id(of: target, latest: context.latest)
            try addDevice(id, options, by: context.userName, &account, &effect)
        case .removeDevice(let id):
            try Self.refusing { () throws(DeviceError) in try account.removeDevice(id) }
            effect.reported = ["successfully removed device \(id)"]
        case .removeDevices(let text): try removeDevices(matching: text, &account, &effect)
        case .clearDeviceState:
            effect.clearsDeviceState = true
            effect.reported = ["successfully cleared all device state"]
        default: break
        }
    }

    private func addDevice(
        _ id: DeviceID, _ options: DeviceOptions, by user: String, _ account: inout Account,
        _ effect: inout CommandEffect
    ) throws(CommandError) {
        var entry = DeviceEntry(
            id: id, label: options.label, pinMode: options.pinMode, banMode: options.banMode,
            probeURL: options.probeURL)
        if let text = options.policy {
            let unchanged = account
            entry.policy = try Self.policy { () throws(PolicyError) in
                try id.isFilteredPolicy ? unchanged.filteredSecurityPolicy(text) : unchanged.securityPolicy(text)
            }
        }
        // R6.1: who added it stays, whoever changes it.
        if !account.devices.contains(where: { $0.id == id }) { entry.user = user }
        try Self.refusing { () throws(DeviceError) in try account.set(entry) }
        effect.warn(AccountWarning.filteredPolicy(entry, of: account))
        effect.reported = ["successfully set device \(id)"]
    }

    // Manual, Removing Multiple Devices: the text is the user's name or the label, and not a part of it.
    private func removeDevices(
        matching text: String, _ account: inout Account, _ effect: inout CommandEffect
    ) throws(CommandError) {
        let matches = account.devices.filter { $0.user == text || $0.label == text }
        guard !matches.isEmpty else { throw CommandError("no device has the user name or the label \(text.quoted)") }
        effect.confirmation?.matches = DeviceText.matches(matches, of: account)
        for entry in matches {
            try Self.refusing { () throws(DeviceError) in try account.removeDevice(entry.id) }
        }
        effect.reported = matches.map { "removed \($0.id)" }
    }

    private static func refusing(_ change: () throws(DeviceError) -> Void) throws(CommandError) {
        do throws(DeviceError) {
            try change()
        } catch {
            throw CommandError(error.description)
        }
    }

    // R6.2.
    private static func id(of target: DeviceTarget, latest: () -> [DeviceID]) throws(CommandError) -> DeviceID {
        if case .id(let id) = target { return id }
        let devices = latest()
        guard let device = devices.first else {
            throw CommandError("no device attested in the last two minutes, so there is no `latest`")
        }
        guard devices.count == 1 else {
            throw CommandError("\(devices.count) devices attested in the last two minutes, so `latest` is not one")
        }
        return device
    }
}
