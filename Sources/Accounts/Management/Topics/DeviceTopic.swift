internal import Documents
package import PolicyEngine

/// The topic `device`: the entries of an account for single devices, and the service's records of devices.
package enum DeviceTopic: ManagementTopic {
    case add(Target, Options)
    case list
    case remove(DeviceID)
    case removeMatching(String)
    case clearDeviceState
    /// A question to the service.
    case query(DeviceQuery)

    /// The device that an entry is added for.
    package enum Target: Hashable, Sendable {
        case id(DeviceID)
        /// The one device that attested in the last two minutes (R6.2).
        case latest
    }

    /// The options of `-add`.
    package struct Options: Hashable, Sendable {
        package var policy: String?
        package var label: String?
        package var pinMode: PinMode?
        package var banMode: BanMode?
        package var probeURL: String?

        package init() {}
    }

    static let name = "device"

    static let actions: [CommandAction] = [
        action(
            "-add", "device ID", for: .developers, changes: true,
            options: [
                CommandOption("-policy", .text), CommandOption("-label", .text), CommandOption("-pinMode", .text),
                CommandOption("-banMode", .text), CommandOption("-probeURL", .text),
            ]
        ) { call throws(CommandError) in
            let target: Target = call.operand == "latest" ? .latest : .id(try call.deviceID())
            return .add(target, try Options(call))
        },
        action("-list", for: .developers) { _ in .list },
        action("-remove", "device ID", for: .developers, changes: true) { call throws(CommandError) in
            .remove(try call.deviceID())
        },
        action("-removeMatching", "user name or label", for: .developers, changes: true) {
            .removeMatching($0.operand)
        },
        action("-clearDeviceState", for: .admins) { _ in .clearDeviceState },
        action("-getDeviceState", "device ID", for: .developers) { call throws(CommandError) in
            .query(.state(try call.deviceID()))
        },
        action(
            "-getInfo", "device ID, `new-did` or `filtered`", for: .developers, options: [CommandOption("-clear")]
        ) { call throws(CommandError) in
            let source: DeviceQuery.InformationSource =
                switch call.operand {
                case "new-did": .newDevices
                case "filtered": .filteredDevices
                default: .device(try call.deviceID())
                }
            return .query(.information(source, clears: call.has("-clear")))
        },
        action(
            "-getFetches", "form, `timed` or `untimed`", for: .developers, options: [CommandOption("-clear")]
        ) { call throws(CommandError) in
            guard ["timed", "untimed"].contains(call.operand) else {
                throw CommandError("`-getFetches` takes `timed` or `untimed`, not \(call.operand.quoted)")
            }
            return .query(.fetches(isTimed: call.operand == "timed", clears: call.has("-clear")))
        },
    ]

    // Manual, Clearing All Device State: the last of its warnings is the usual one.
    private static let clearing: CommandConfirmation = {
        var confirmation = CommandConfirmation.impact(of: "this")
        confirmation.cautions = [
            "clearing device state will require all app installs to redo any DeviceCheck/SafetyNet checks (consider "
                + "SafetyNet API quota limits)",
            "it is not advised to use this option if DeviceCheck autoban (bit availability of both) is being used",
        ]
        return confirmation
    }()

    func apply(
        to account: inout Account, in context: CommandContext, _ effect: inout CommandEffect
    ) throws(CommandError) {
        switch self {
        case .add(let target, let options):
            let id = try Self.id(of: target, latest: context.latest)
            try Self.add(id, options, by: context.userName, &account, &effect)
        case .list: effect.printed = DeviceText.list(of: account)
        case .remove(let id):
            try CommandError.wrapping { () throws(DeviceError) in try account.removeDevice(id) }
            effect.reported = ["successfully removed device \(id)"]
        case .removeMatching(let text): try Self.remove(matching: text, &account, &effect)
        case .clearDeviceState:
            effect.clearsDeviceState = true
            effect.confirmation = Self.clearing
            effect.reported = ["successfully cleared all device state"]
        case .query(let query): effect.query = query
        }
    }

    private static func add(
        _ id: DeviceID, _ options: Options, by user: String, _ account: inout Account, _ effect: inout CommandEffect
    ) throws(CommandError) {
        var entry = DeviceEntry(
            id: id, label: options.label, pinMode: options.pinMode, banMode: options.banMode,
            probeURL: options.probeURL)
        if let text = options.policy {
            entry.policy = try CommandError.wrapping { [account] () throws(PolicyError) in
                try id.isFilteredPolicy ? account.filteredSecurityPolicy(text) : account.securityPolicy(text)
            }
        }
        // R6.1: the user who added it stays if another one changes it.
        entry.user = account.devices.first { $0.id == id }.map(\.user) ?? user
        try CommandError.wrapping { () throws(DeviceError) in try account.set(entry) }
        // Options that are not given stay as they were.
        if !account.devices.contains(entry) { effect.decidedRules.insert(.deviceEntries) }
        effect.warn(AccountWarning.filteredPolicy(entry, of: account))
        effect.reported = ["successfully set device \(id)"]
    }

    // Manual, Removing Multiple Devices: the text is the user's name or the label, and not a part of it.
    private static func remove(
        matching text: String, _ account: inout Account, _ effect: inout CommandEffect
    ) throws(CommandError) {
        let matches = account.devices.filter { entry in
            [entry.user, entry.label].contains { $0?.hasSameBytes(as: text) == true }
        }
        guard !matches.isEmpty else { throw CommandError("no device has the user name or the label \(text.quoted)") }
        effect.confirmation = CommandConfirmation(
            "are you sure you wish to remove these devices", matches: DeviceText.matches(matches, of: account))
        for entry in matches {
            try CommandError.wrapping { () throws(DeviceError) in try account.removeDevice(entry.id) }
        }
        effect.reported = matches.map { "removed \($0.id)" }
    }

    // R6.2.
    private static func id(of target: Target, latest: () -> [DeviceID]) throws(CommandError) -> DeviceID {
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

extension DeviceTopic.Options {
    fileprivate init(_ call: CommandInvocation) throws(CommandError) {
        policy = call.value("-policy")
        label = call.value("-label")
        probeURL = call.value("-probeURL")
        if let probeURL, !DeviceEntry.isProbeURL(probeURL) {
            throw CommandError(DeviceError.invalidProbeURL(probeURL))
        }
        pinMode = try call.word("-pinMode")
        banMode = try call.word("-banMode")
    }
}

/// Device entries in the words of the manual (Listing Your Devices, Removing Multiple Devices).
private enum DeviceText {
    /// The output of `device -list`.
    static func list(of account: Account) -> [String] {
        [ListText.heading(account.devices.count, "device", "devices")]
            + account.devices.map { line(of: $0, policy: account.policy) }
    }

    /// The output of `device -removeMatching` about the entries that it would remove.
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

/// A question of a command about devices that attested; only the service can answer it, not the account.
package enum DeviceQuery: Hashable, Sendable {
    /// `device -getDeviceState id`
    case state(DeviceID)
    /// `device -getInfo new-did|filtered|id [-clear]`
    case information(InformationSource, clears: Bool)
    /// `device -getFetches timed|untimed [-clear]`
    case fetches(isTimed: Bool, clears: Bool)

    /// True if the printed items are discarded then.
    package var clears: Bool {
        switch self {
        case .information(_, let clears), .fetches(_, let clears): clears
        case .state: false
        }
    }

    /// The same question, which discards nothing.
    package var reading: DeviceQuery {
        switch self {
        case .information(let source, _): .information(source, clears: false)
        case .fetches(let isTimed, _): .fetches(isTimed: isTimed, clears: false)
        case .state: self
        }
    }

    /// The answer about a device that the service has not seen.
    package static let noState = "device state has not been set"

    /// The answer of a service at which no device has attested, as for an account that is a file.
    ///
    /// - Throws: ``CommandError`` for a device without an entry of its own, of which nothing would be collected.
    package func answerWithoutDevices(of account: Account) throws(CommandError) -> [String] {
        switch self {
        case .state: return [Self.noState]
        case .information(.device(let id), _):
            guard account.devices.contains(where: { $0.id == id }) else { throw .nothingCollected(on: id) }
            return []
        case .information, .fetches: return []
        }
    }

    /// A source of device information.
    package enum InformationSource: Hashable, Sendable {
        /// The latest new devices.
        case newDevices
        /// The latest devices that matched a filter which captures.
        case filteredDevices
        /// A device with an entry of its own.
        case device(DeviceID)
    }
}

extension CommandError {
    /// Information was asked for on a device that has no entry.
    package static func nothingCollected(on id: DeviceID) -> CommandError {
        CommandError(
            "there is no entry for device \(id.description.quoted), so no information is collected",
            hint: "`device -add` makes one")
    }
}
