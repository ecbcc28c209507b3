internal import Accounts
internal import Documents
internal import PolicyEngine

/// At the end: the flags that the service keeps of devices.
struct DeviceStateCheck: FinalCheck {
    static let key = "device-state"
    private let target: Target
    /// As it was named.
    let name: String
    let position: SourcePosition
    /// The persisted flags; `nil` when the state must not be set (R6.5).
    let flags: FlagSet?

    private enum Target {
        case group(Int)
        case device(DeviceID)
    }

    static var schema: JSONSchema {
        .map(of: .any(of: [.words(["none"]), .list(of: RuleForms.flag)]), atLeast: 1).namingKeys(.groupOrDevice)
    }

    static func load(_ node: Node, account: Int, _ loader: inout ScenarioLoader) -> [any FinalCheck] {
        let catalogue = loader.scenario.accounts[account].account.catalogue
        return loader.checkEntries(node, "`device-state`").compactMap { entry in
            let target: Target? =
                DeviceID(entry.key).map { .device($0) } ?? loader.group(entry.keyNode).map { .group($0) }
            guard let target else { return nil }
            var flags: FlagSet?
            if case .scalar("none", _) = entry.value.content {
                flags = nil
            } else {
                flags = GroupFields.flags(entry.value, catalogue, isObserved: false, &loader.reader)
            }
            if case .group(let group) = target { loader.check(group, isOfAccount: account, at: entry.keyPosition) }
            return DeviceStateCheck(target: target, name: entry.key, position: entry.keyPosition, flags: flags)
        }
    }

    func message(_: Scenario) -> String { "device state of \(name)" }

    func result(_ end: ScenarioEnd, account: Int, _ diagnostics: inout Diagnostics) -> CheckResult? {
        let service = end.services[account]
        let devices =
            switch target {
            case .group(let group): end.installs[group].map(\.attestation.device)
            case .device(let id): service.symbols.devices.index(of: id).map { [$0] } ?? []
            }
        guard !devices.isEmpty else {
            diagnostics.add(
                Diagnostic(
                    file: end.scenario.file, position: position, message: "there is no device \(name.quoted)"))
            return nil
        }
        let expected = service.stateText(flags)
        let mismatch = devices.lazy.map { (device: $0, text: service.stateText(of: $0)) }.first { $0.text != expected }
        let actual = mismatch.map { "\($0.text) (device \(service.deviceID(of: $0.device)))" }
        return CheckResult(
            expected: expected, actual: actual ?? expected, passed: mismatch == nil,
            vacuity: end.vacuity(ofAccount: account))
    }
}
