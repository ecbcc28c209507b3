import PolicyEngine

/// Every single management command that may affect a verdict, whether or not it has a chance to.
enum SingleCommands {
    /// The commands on an account.
    static func all(of account: Account, devices: [String]) -> [String] {
        let flags = account.catalogue.declaredNames
        let presets = RejectionPreset.allCases.map(\.rawValue)
        let policies = account.rules.flatMap { rules in presets.map { "\(rules),\($0),default" } }
        var commands = flags.flatMap { ["policy -addRejectFlag \($0)", "policy -removeRejectFlag \($0)"] }
        commands += policies.map { "policy -set \($0)" }
        for device in devices + ["++FilteredSecPolicy++w=="] {
            commands += policies.map { "device -add \(device) -policy \($0)" }
            commands += ["device -remove \(device)"] + ["ban", "unban"].map { "device -add \(device) -banMode \($0)" }
        }
        for device in devices {
            commands += options.map { "filter -add new -key device-id -matchValue \(device) -\($0)" }
        }
        commands += account.filters.map { "filter -remove \($0.name)" }
        commands += account.filters.flatMap(withOtherOptions)
        commands += ["0", "25", "50", "75", "100"].map { "filter -setSamplingPercentage \($0)" }
        return commands
    }

    private static let options = ["reject", "ban", "risky", "execFilteredSecPolicy"]

    private static let all: [(word: String, option: Filter.Options)] = [
        ("reject", .reject), ("ban", .ban), ("risky", .risky), ("execFilteredSecPolicy", .executeFilteredPolicy),
        ("newDIDOnly", .newDevicesOnly), ("captureDeviceInfo", .captureDeviceInformation),
    ]

    // The filter with one option more or less, for each option.
    private static func withOtherOptions(_ filter: Filter) -> [String] {
        let test =
            switch filter.test {
            case .exact(let key, let value): "-key \(key) -matchValue '\(value)'"
            case .regex(let key, let pattern): "-key \(key) -matchValue '\(pattern.source)' -regex"
            case .conjunction(let inputs): "-conjunction \(inputs.joined(separator: "+"))"
            }
        return all.map { turned in
            let words = all.filter { filter.options.contains($0.option) != ($0.option == turned.option) }.map(\.word)
            return "filter -add \(filter.name) \(test)" + words.map { " -\($0)" }.joined()
        }
    }
}
