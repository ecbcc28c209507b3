internal import Accounts
internal import Documents
internal import PolicyEngine

/// The fields of a group of devices.
struct GroupFields {
    /// True if a key that the service does not collect gives a warning.
    var isChecked = false
    /// The scenario's start.
    var start = Scenario(file: "").start
    /// The scenario's activity.
    var activity = Activity()
    /// The account of the group.
    var account = Account()

    /// The fields, in the order in which they are read.
    var all: [Field<DeviceGroup>] {
        [
            .value("count", \.count, .integer(in: 1...ScenarioLoader.deviceLimit)),
            .optional("os", \.operatingSystem, .operatingSystem),
            // The account comes before all else.
            Field("account", .text.naming(.account)) { _, _, _ in }, flags, flagRates,
            Field("attributes", .reference(to: "attributes")) { [isChecked] node, group, reader in
                group.attributes = AttributeLoader.load(node, isChecked: isChecked, &reader)
            }, id,
            Field("activity", .reference(to: "activity")) { [activity] node, group, reader in
                group.activity = ActivityFields.load(node, otherwise: activity, &reader)
            }, .optional("physical", \.physical, .text), registered,
            Field("devicecheck", PlatformLoader.schema) { [start] node, group, reader in
                PlatformLoader.load(deviceCheck: node, into: &group, start: start, &reader)
            },
            Field("safetynet", .words(of: SafetyNetOutcome.self)) { node, group, reader in
                group.safetyNet = PlatformLoader.outcome(node, os: group.operatingSystem, &reader)
            },
            Field("client", .reference(to: "client")) { [start] node, group, reader in
                group.client = ClientFields.load(node, start: start, &reader)
            }, .optional("dev-key", \.developmentKey, .text),
            .value("pinning", \.hasCompromisedPinning, .compromised),
        ]
    }

    private var flags: Field<DeviceGroup> {
        Field("flags", .list(of: RuleForms.flag)) { [catalogue = account.catalogue] node, group, reader in
            group.flags = Self.flags(node, catalogue, &reader)
        }
    }

    private var flagRates: Field<DeviceGroup> {
        Field("flag-rates", .map(of: .percentage, keys: RuleForms.flag)) { [catalogue = account.catalogue] in
            for entry in $2.mapping($0, "`flag-rates`")?.entries ?? [] {
                let flag = FlagLoader.flag(entry.key, at: entry.keyPosition, catalogue, &$2)
                let rate = $2.percentage(entry.value, entry.key.quoted)
                if let flag, let rate { $1.flagRates.append((flag, rate)) }
            }
        }
    }

    private var id: Field<DeviceGroup> {
        Field("id", RuleForms.deviceID) { node, group, reader in
            group.id = DeviceLoader.id(node, &reader)
            if group.count > 1 {
                reader.error(
                    "`id` needs `count: 1`, but group \(group.name.quoted) has \(group.count)", at: node.position)
            }
            if group.id?.isFilteredPolicy == true {
                reader.error("`\(DeviceID.filteredPolicyText)` is not a device", at: node.position)
            }
        }
    }

    private var registered: Field<DeviceGroup> {
        Field("registered", .boolean) { [isListed = account.registrations != nil] node, group, reader in
            guard let isRegistered = reader.boolean(node, "`registered`") else { return }
            group.isRegistered = isRegistered
            if isListed {
                reader.warning(
                    "`registered` has no effect, because the account lists registrations", at: node.position,
                    hint: "`app-sig`, `appid` and `app-version` decide")
            }
        }
    }

    /// A list of flags that exist.
    ///
    /// - Parameter isObserved: True if they are flags of devices, rather than expected ones.
    static func flags(
        _ node: Node, _ catalogue: FlagCatalogue, isObserved: Bool = true, _ reader: inout DocumentReader
    ) -> FlagSet {
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

extension ValueForm<Bool> {
    fileprivate static var compromised: ValueForm {
        let words = ["sound", "compromised"]
        return ValueForm(.words(words)) { $2.choice($0, $1, from: words).map { $0 == "compromised" } }
    }
}

extension ValueForm<OperatingSystem> {
    fileprivate static var operatingSystem: ValueForm {
        let words = ["android", "ios"]
        return ValueForm(.words(words)) { node, what, reader in
            reader.choice(node, what, from: words).map { $0 == "ios" ? .ios : .android }
        }
    }
}
