internal import Accounts
internal import Documents
internal import PolicyEngine

/// The observed properties of the devices change from now on; flags replace, attributes are added.
struct SetStep: GroupAction {
    static let key = "set"
    static let help = "Changes what is observed on the devices from now on."
    let group: Int
    private(set) var change = DeviceChange()
    // The keys that it gives, in words.
    private var keys: [String] = []
    var groups: [Int] { [group] }
    var reach: Set<AccountPart> { [] }

    private init(_ group: Int) { self.group = group }

    // The fields of a step that is about a group; `nil` where that is wrong.
    private static func fields(_ group: Int?, _ scope: ScenarioScope) -> [Field<SetStep>] {
        let target = group.map { scope.groups[$0] }
        let (account, system) = (scope.account(of: target), target?.operatingSystem)
        // A setting that the new version does not give stays.
        let client = ClientSettings.form(group.map { scope.clients[$0] } ?? ClientSettings(), start: scope.start)
        return [
            .optional("flags", \.change.flags, .flags(account.catalogue), "The flags in place of those before."),
            .list(
                "attributes", \.change.attributes, .attributes(isChecked: scope.isChecked), DeviceChange.Help.attributes
            ),
            .optional("devicecheck", \.change.deviceCheck, .deviceCheck(on: system), DeviceChange.Help.deviceCheck),
            .optional("safetynet", \.change.safetyNet, .safetyNet(on: system), DeviceChange.Help.safetyNet),
            .optional("registered", \.change.isRegistered, .boolean, DeviceChange.Help.registered),
            // R21.5: the SDK takes a key away again, too.
            .optional(
                "dev-key", \.change.developmentKey, ValueForm.text.map { $0 == "none" ? nil : $0 },
                DeviceChange.Help.developmentKey),
            .optional(
                "client", \.change.client, client.described(by: .reference(to: "client")), DeviceChange.Help.client),
        ]
    }

    static func form(_ scope: ScenarioScope) -> ValueForm<SetStep> {
        let keys = fields(nil, scope).map { (name: $0.key, schema: $0.schema) }
        let schema = JSONSchema.object(
            keys + [("group", .group.described(as: StepHelp.group))], required: ["group"], atLeast: 2)
        return ValueForm(schema) { node, what, reader in
            guard var mapping = reader.mapping(node, what) else { return nil }
            let group = mapping.require("group", &reader).flatMap { scope.group($0, &reader) }
            var step = fields(group, scope).read(from: &mapping, SetStep(group ?? 0), &reader)
            if mapping.entries.allSatisfy({ $0.key == "group" }) {
                reader.error(
                    "\(what) has nothing to set", at: node.position, hint: "it takes `flags`, `attributes` and more")
            }
            mapping.finish(&reader)
            let given = keys.map(\.name).filter { $0 != "attributes" && node[$0] != nil }
            let attributes = step?.change.attributes.map(\.key) ?? []
            step?.keys = given + attributes
            return group.flatMap { _ in step }
        }
    }

    func perform(in run: inout ScenarioRun) -> [String] {
        run.devices.set(group, to: change, step: run.step, at: run.time)
        if let client = change.client { run.requests.update(group, to: client) }
        return ["set \(run.names(groups))"]
    }

    func event(in _: Scenario) -> StepEvent {
        event("R14.2c", "device") { _ in "from now on these are different: \(keys.joined(separator: ", "))" }
    }
}

/// A change of the devices of a group (formats: Scenario, `set`); a property that is `nil` stays.
struct DeviceChange: Sendable {
    /// The flags that replace those observed so far.
    var flags: FlagSet?
    /// The attributes that are added, or replace those of the same key.
    var attributes: [DeviceGroup.Attribute] = []
    var deviceCheck: DeviceCheckCapability?
    var safetyNet: SafetyNetOutcome?
    var isRegistered: Bool?
    /// The key by which the app counts as a development version (R21.5); `some(nil)` takes it away.
    var developmentKey: String??
    /// The client settings of a new version of the app; the app is launched then (R18.4).
    var client: ClientSettings?

    /// The sentences on the keys that groups have and steps change.
    enum Help {
        static let attributes = "The attributes of the devices, such as ip or app-version."
        static let registered = "With false, the app of the devices is not registered."
        static let deviceCheck = "The answer of the devices to Apple's DeviceCheck."
        static let safetyNet = "The answer of the devices to Google's SafetyNet."
        static let client = "How the app uses the SDK, and makes its connections."
        static let developmentKey = "The key by which the app counts as a development version."
    }
}

extension Install {
    /// Takes over what changes about the device, beside its attributes.
    mutating func apply(_ change: DeviceChange) {
        attestation.flags = change.flags ?? attestation.flags
        evidence.isRegistered = change.isRegistered ?? evidence.isRegistered
        evidence.developmentKey = change.developmentKey ?? evidence.developmentKey
        if let client = change.client { update(to: client) }
        applyToPhone(change)
        // Another SDK may sign messages, or no longer.
        epoch &+= 1
    }

    // The app of another version keeps what was stored.
    private mutating func update(to client: ClientSettings) {
        if let builtIn = client.builtIn { configuration.builtIn = builtIn }
        (configuration.handling, configuration.reading) = (client.handling, client.reading)
    }

    /// Takes over what changes about the phone, on which other installs may be (R14.2c).
    mutating func applyToPhone(_ change: DeviceChange) {
        evidence.deviceCheck = change.deviceCheck ?? evidence.deviceCheck
        evidence.safetyNet = change.safetyNet ?? evidence.safetyNet
    }
}
