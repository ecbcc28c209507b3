internal import Accounts
internal import Documents
internal import PolicyEngine

extension DeviceGroup {
    /// The fields of a group of devices, in the order in which they are read.
    static func fields(of account: Account, in scope: ScenarioScope, _ activity: Activity) -> [Field<DeviceGroup>] {
        [
            .value(
                "count", \.count, .integer(in: 1...ScenarioLoader.deviceLimit), "The number of devices in the group."),
            .optional(
                "os", \.operatingSystem, ValueForm.word(["android", "ios"]).map { $0 == "ios" ? .ios : .android },
                "The system of the devices; by default the one that their attribute device names."),
            // The account comes before all else.
            Field("account", .text.naming(.account), "The account of the devices, if the scenario has several.") {
                _, _, _ in
            },
            .value(
                "flags", \.flags, .flags(account.catalogue),
                "The flags that the service observes on every device of the group."), flagRates(account.catalogue),
            .list("attributes", \.attributes, .attributes(isChecked: scope.isChecked), DeviceChange.Help.attributes),
            id,
            .value(
                "activity", \.activity, Activity.form(otherwise: activity).described(by: .reference(to: "activity")),
                "The frequency and the times of the group's attestations, in place of the scenario's."),
            .optional(
                "physical", \.physical, .text, "The name of hardware that several groups share, install by install."),
            registered(isListed: account.registrations != nil),
            deviceCheck(from: scope.start),
            Field("safetynet", ValueForm.safetyNet(on: nil).schema, DeviceChange.Help.safetyNet) {
                node, group, reader in
                group.safetyNet = ValueForm.safetyNet(on: group.operatingSystem).read(node, "`safetynet`", &reader)
            },
            .value(
                "client", \.client, ClientSettings.form(start: scope.start).described(by: .reference(to: "client")),
                DeviceChange.Help.client),
            .optional("dev-key", \.developmentKey, .text, DeviceChange.Help.developmentKey),
            .value(
                "pinning", \.hasCompromisedPinning, ValueForm.words("sound", "compromised").map { !$0 },
                "With compromised, an attacker has switched off the app's pinning."),
        ]
    }

    private static func flagRates(_ catalogue: FlagCatalogue) -> Field<DeviceGroup> {
        Field(
            "flag-rates", .map(of: .percentage, keys: RuleForms.flag),
            "Flags, each with the share of devices on which it is observed; each device draws once."
        ) { node, group, reader in
            for entry in reader.mapping(node, "`flag-rates`")?.entries ?? [] {
                let flag = FlagLoader.flag(entry.key, at: entry.keyPosition, catalogue, &reader)
                let rate = reader.percentage(entry.value, entry.key.quoted)
                if let flag, let rate { group.flagRates.append((flag, rate)) }
            }
        }
    }

    private static let id = Field<DeviceGroup>("id", RuleForms.deviceID, "The ID of the device, if the group has one.")
    { node, group, reader in
        group.id = DeviceLoader.id(node, &reader)
        if group.count > 1 {
            reader.error("`id` needs `count: 1`, but group \(group.name.quoted) has \(group.count)", at: node.position)
        }
        if group.id?.isFilteredPolicy == true {
            reader.error("`\(DeviceID.filteredPolicyText)` is not a device", at: node.position)
        }
    }

    private static func registered(isListed: Bool) -> Field<DeviceGroup> {
        .value(
            "registered", \.isRegistered,
            ValueForm.boolean.flatMap { isRegistered, node, what, reader in
                if isListed {
                    reader.warning(
                        "\(what) has no effect, because the account lists registrations", at: node.position,
                        hint: "`app-sig`, `appid` and `app-version` decide")
                }
                return isRegistered
            }, DeviceChange.Help.registered)
    }

    // A state alone, or with the bits that Apple has, which were changed at the scenario's start unless a month is said.
    private static func deviceCheck(from start: Instant) -> Field<DeviceGroup> {
        let keys = AppleSetting.fields(on: nil, from: start).map { (name: $0.key, schema: $0.schema) }
        let schema = JSONSchema.any(of: [ValueForm.deviceCheck(on: nil).schema, .object(keys, required: ["state"])])
        return Field("devicecheck", schema, DeviceChange.Help.deviceCheck) { node, group, reader in
            let (what, system) = ("`devicecheck`", group.operatingSystem)
            guard node.isMapping else {
                group.deviceCheck = ValueForm.deviceCheck(on: system).read(node, what, &reader)
                return
            }
            if node["state"] == nil { reader.error("`state` is missing from \(what)", at: node.position) }
            let fields = AppleSetting.fields(on: system, from: start)
            guard let setting = fields.read(node, what, from: AppleSetting(), &reader) else { return }
            if let changed = node["changed"], setting.bits == nil {
                reader.error("`changed` needs `bits`", at: changed.position)
            }
            group.deviceCheck = setting.state
            group.deviceCheckSetting = setting.bits.map {
                DeviceCheckSetting(bits: UInt8($0), changed: setting.changed ?? CalendarMonth(of: start))
            }
        }
    }
}

/// The answer of a group's devices to DeviceCheck, with what Apple has of them at the start.
private struct AppleSetting {
    var state: DeviceCheckCapability?
    var bits: Int?
    var changed: CalendarMonth?

    static func fields(on system: OperatingSystem?, from start: Instant) -> [Field<AppleSetting>] {
        let month = ValueForm.text.described(by: .text(matching: "[0-9]{4}-(0[1-9]|1[0-2])"))
            .flatMap { text, node, what, reader -> CalendarMonth? in
                guard let month = CalendarMonth(text) else {
                    reader.error("\(text.quoted) is not a month", at: node.position, hint: "such as 2018-03")
                    return nil
                }
                if month > CalendarMonth(of: start) {
                    reader.error("\(what) lies after the scenario's start", at: node.position)
                }
                return month
            }
        return [
            .optional(
                "state", \.state, .deviceCheck(on: system),
                "The answer of the devices to DeviceCheck, such as available."),
            .optional(
                "bits", \.bits, .integer(in: 0...Int(DeviceCheckSetting.maximum)),
                "The bits that Apple keeps for the devices at the start."),
            .optional("changed", \.changed, month, "The month in which the bits were changed."),
        ]
    }
}

// The values that groups have and steps change.

extension ValueForm<FlagSet> {
    /// A list of flags that exist; those of devices, unless they are expected ones.
    static func flags(_ catalogue: FlagCatalogue, isObserved: Bool = true) -> ValueForm {
        ValueForm(.list(of: RuleForms.flag)) { node, _, reader in
            var flags = FlagSet.empty
            for (name, position) in reader.texts(node, "`flags`") ?? [] {
                if ["new-did", "risky-device"].contains(name), isObserved {
                    reader.warning("\(name.quoted) is derived; it need not be given", at: position)
                }
                if let flag = FlagLoader.flag(name, at: position, catalogue, &reader) { flags.insert(flag) }
            }
            return flags
        }
    }
}

extension ValueForm<DeviceCheckCapability> {
    /// The answer to DeviceCheck, on iOS.
    static func deviceCheck(on system: OperatingSystem?) -> ValueForm {
        ValueForm(word.schema) { node, what, reader in
            if system == .android {
                reader.error("\(what) is for iOS, but these devices run Android", at: node.position)
            }
            return reader.word(node, what)
        }
    }
}

extension ValueForm<SafetyNetOutcome> {
    /// The answer to SafetyNet, on Android.
    static func safetyNet(on system: OperatingSystem?) -> ValueForm {
        ValueForm(word.schema) { node, what, reader in
            if system == .ios { reader.error("\(what) is for Android, but these devices run iOS", at: node.position) }
            return reader.word(node, what)
        }
    }
}
