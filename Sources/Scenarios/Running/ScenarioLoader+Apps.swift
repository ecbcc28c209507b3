internal import PolicyEngine
internal import Replay

extension ScenarioLoader {
    /// The apps that devices of an account can come with at some time: what its groups say, and what steps set.
    func appNames(ofAccount place: Int) -> AppNames {
        var names = AppNames()
        let changes = attributeChanges
        for (number, group) in scenario.groups.enumerated() where group.account == place {
            let attributes = group.attributes + (changes[number] ?? [])
            names.add(
                apps: Self.texts(of: "appid", in: attributes),
                versions: Self.texts(of: "app-version", in: attributes))
        }
        return names
    }

    // By group: the attributes that steps give its devices.
    private var attributeChanges: [Int: [DeviceGroup.Attribute]] {
        scenario.steps.reduce(into: [:]) { changes, step in
            if case .set(let group, let change) = step.action { changes[group, default: []] += change.attributes }
        }
    }

    private static func texts(of key: String, in attributes: [DeviceGroup.Attribute]) -> [String] {
        attributes.filter { $0.key == key }.flatMap(\.source.texts)
    }
}
