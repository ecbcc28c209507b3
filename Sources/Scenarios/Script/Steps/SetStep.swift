internal import Accounts
internal import Documents
internal import PolicyEngine

/// The observed properties of the devices change from now on; flags replace, attributes are added.
struct SetStep: GroupAction {
    static let key = "set"
    let group: Int
    let change: DeviceChange
    var groups: [Int] { [group] }
    var reach: Set<AccountPart> { [] }

    static var schema: JSONSchema {
        .object(
            [
                ("flags", .list(of: RuleForms.flag)), ("attributes", .reference(to: "attributes")),
                ("devicecheck", .words(of: DeviceCheckCapability.self)),
                ("safetynet", .words(of: SafetyNetOutcome.self)), ("registered", .boolean), ("dev-key", .text),
                ("client", .reference(to: "client")), ("group", .group),
            ], required: ["group"], atLeast: 2)
    }

    static func load(_ node: Node, _: StepFields, _ loader: inout ScenarioLoader) -> SetStep? {
        guard var fields = loader.reader.mapping(node, "`set`") else { return nil }
        let index = fields.require("group", &loader.reader).flatMap { loader.group($0) }
        let target: DeviceGroup? = index.map { loader.scenario.groups[$0] }
        let catalogue = loader.scenario.accounts[target?.account ?? 0].account.catalogue
        var change = DeviceChange()
        if let node = fields.take("flags") { change.flags = GroupFields.flags(node, catalogue, &loader.reader) }
        if let node = fields.take("attributes") {
            change.attributes = AttributeLoader.load(node, isChecked: loader.isChecked, &loader.reader)
        }
        if let node = fields.take("devicecheck") {
            change.deviceCheck = PlatformLoader.capability(node, os: target?.operatingSystem, &loader.reader)
        }
        if let node = fields.take("safetynet") {
            change.safetyNet = PlatformLoader.outcome(node, os: target?.operatingSystem, &loader.reader)
        }
        if let node = fields.take("registered") { change.isRegistered = loader.reader.boolean(node, "`registered`") }
        if let node = fields.take("dev-key"), let text = loader.reader.text(node, "`dev-key`") {
            // R21.5: the SDK takes a key away again, too.
            change.developmentKey = .some(text == "none" ? nil : text)
        }
        if let node = fields.take("client"), let index {
            // A setting that the new version does not give stays.
            let client = ClientFields.load(
                node, from: loader.clients[index] ?? ClientSettings(), start: loader.scenario.start, &loader.reader)
            (change.client, loader.clients[index]) = (client, client)
        }
        if fields.entries.allSatisfy({ $0.key == "group" }) {
            loader.reader.error(
                "`set` has nothing to set", at: node.position, hint: "it takes `flags`, `attributes` and more")
        }
        fields.finish(&loader.reader)
        return index.map { SetStep(group: $0, change: change) }
    }

    func perform(in run: inout ScenarioRun) -> [String] {
        run.devices.set(group, to: change, step: run.step, at: run.time)
        if let client = change.client { run.requests.update(group, to: client) }
        return ["set \(run.names(groups))"]
    }

    func event(in _: Scenario) -> StepEvent {
        event("R14.2c", "device", "from now on these are different: \(change.keys.joined(separator: ", "))")
    }
}

extension DeviceChange {
    /// The keys that it gives, as steps name them.
    fileprivate var keys: [String] {
        let given = [
            ("flags", flags != nil), ("devicecheck", deviceCheck != nil), ("safetynet", safetyNet != nil),
            ("registered", isRegistered != nil), ("dev-key", developmentKey != nil), ("client", client != nil),
        ]
        return given.filter(\.1).map(\.0) + attributes.map(\.key)
    }
}

/// A change of the devices of a group (formats: Scenario, `set`); a property that is `nil` stays.
struct DeviceChange: Sendable {
    /// Instead of the flags observed so far.
    var flags: FlagSet?
    /// Beside the attributes that are there, or instead of those of the same key.
    var attributes: [DeviceGroup.Attribute] = []
    var deviceCheck: DeviceCheckCapability?
    var safetyNet: SafetyNetOutcome?
    var isRegistered: Bool?
    /// The key by which the app counts as a development version (R21.5); `some(nil)` takes it away.
    var developmentKey: String??
    /// The client settings of a new version of the app; the app is launched then (R18.4).
    var client: ClientSettings?
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
