internal import Accounts
internal import Analysis
package import PolicyEngine
package import Replay

/// An account as switches, each with the management command that turns it.
package struct AccountSwitches {
    private let account: Account
    private let devices: DeviceCounts
    private let redactor: Redactor?

    /// - Parameters:
    ///   - account: The account with all changes so far.
    ///   - devices: The devices that showed a flag or matched a filter, under that account.
    ///   - redactor: Hides devices and people, and commands that name some; `nil` shows them.
    package init(_ account: Account, devices: DeviceCounts, redactor: Redactor? = nil) {
        (self.account, self.devices, self.redactor) = (account, devices, redactor)
    }

    /// All of them.
    package var json: JSONValue {
        .ordered([
            ("version", .integer(1)), ("account", .string(account.name)),
            ("policy", .string(account.policy.description)), ("names", .array(names)),
            ("flags", .array(account.catalogue.declaredFlags.map(flag))),
            ("filters", .array(account.filters.map(filter))), ("entries", .array(account.devices.map(entry))),
            ("sampling", sampling),
        ])
    }

    // The line of a command; null if the account refuses it or is the same afterwards, and if the line would show somebody.
    private func line(_ command: ManagementCommand?) -> JSONValue {
        guard let command, command.edited(account) != nil else { return .null }
        let isShown = redactor.map { RedactedCommand.text(command.text, by: $0) == command.text } ?? true
        return isShown ? .string(command.text) : .null
    }

    // MARK: Names of the policy

    private var names: [JSONValue] {
        let policy = account.policy
        let rules = [SecurityPolicy.defaultRules] + account.declaredRules
        return [
            name("rules", policy.rules, rules.map { Choice($0, SecurityPolicy(rules: $0, policy)) }),
            name(
                "rejection", policy.rejection.name,
                RejectionPreset.allCases.map { Choice($0.rawValue, policy.rejecting(by: $0), $0.summary) }),
            name(
                "annotation", policy.annotation.text,
                AnnotationPolicy.presetNames.compactMap { name in
                    guard let annotation = try? AnnotationPolicy(name, catalogue: account.catalogue) else { return nil }
                    return Choice(
                        name, SecurityPolicy(rules: policy.rules, rejection: policy.rejection, annotation: annotation))
                }),
        ]
    }

    // A name that may be set, and the policy with it.
    private struct Choice {
        let name: String
        let policy: SecurityPolicy
        let summary: String

        init(_ name: String, _ policy: SecurityPolicy, _ summary: String = "") {
            (self.name, self.policy, self.summary) = (name, policy, summary)
        }
    }

    private func name(_ part: String, _ value: String, _ choices: [Choice]) -> JSONValue {
        let offered = choices.map { choice in
            JSONValue.ordered([
                ("name", .string(choice.name)), ("command", line(.policy(choice.policy))),
                ("summary", choice.summary.isEmpty ? .null : .string(choice.summary)),
            ])
        }
        return .ordered([("part", .string(part)), ("value", .string(value)), ("choices", .array(offered))])
    }

    // MARK: Flags, filters, entries

    private func flag(_ name: String, _ flag: Flag) -> JSONValue {
        let rejects = account.policy.rejection.anyRejecting.contains(flag)
        return .ordered([
            ("name", .string(name)), ("meaning", .string(account.catalogue.flags[Int(flag.index)].meaning)),
            ("rejects", .boolean(rejects)), ("command", line(.rejectFlag(name, isAdded: !rejects))),
            ("devices", .integer(devices.devices(withFlag: name))),
            ("assumption", assumption("add \(name) to")),
        ])
    }

    // The assumption that a share of the devices has a flag; null for one that the service's decisions bring.
    private func assumption(_ words: String) -> JSONValue {
        let example = try? SignalAssumption("\(words) 1%") { _ in [] }
        return example == nil ? .null : .string("\(words) {share}%")
    }

    private func filter(_ filter: Filter) -> JSONValue {
        let (value, isRegex): (String?, Bool) =
            switch filter.test {
            case .exact(_, let value): (value, false)
            case .regex(_, let pattern): (pattern.source, true)
            case .conjunction: (nil, false)
            }
        let switched = ManagementCommand.edits(of: filter, switching: FilterOption.all.map(\.option)).dropFirst()
        let options = zip(FilterOption.all, switched).map { option, command in
            JSONValue.ordered([
                ("name", .string(option.word)), ("isOn", .boolean(filter.options.contains(option.option))),
                ("command", line(command)),
            ])
        }
        return .ordered([
            ("name", .string(filter.name)), ("key", filter.key.map(JSONValue.string) ?? .null),
            ("value", value.map { .string(shown($0, of: filter.key ?? "")) } ?? .null),
            ("regex", .boolean(isRegex)),
            ("conjunction", filter.inputs.map { .array($0.map(JSONValue.string)) } ?? .null),
            ("options", .array(options)), ("remove", line(.removal(ofFilter: filter.name))),
            ("devices", .integer(devices.devices(ofFilter: filter.name))),
        ])
    }

    private func shown(_ value: String, of key: String) -> String { redactor?.value(value, of: key) ?? value }

    private func entry(_ entry: DeviceEntry) -> JSONValue {
        .ordered([
            ("device", .string(redactor?.name(of: entry.id) ?? entry.id.description)),
            ("label", entry.label.map(JSONValue.string) ?? .null),
            ("policy", entry.policy.map { .string($0.description) } ?? .null),
            ("ban", entry.banMode.map { .string($0.rawValue) } ?? .null),
            ("pin-mode", entry.pinMode.map { .string($0.rawValue) } ?? .null),
            ("remove", line(.removal(ofDevice: entry.id))),
        ])
    }

    private var sampling: JSONValue {
        .ordered([
            ("percentage", .number(String(account.samplingPercentage.description.dropLast()))),
            ("command", .string("filter -setSamplingPercentage {percentage}")),
        ])
    }
}

extension SecurityPolicy {
    // Another one with other rules.
    fileprivate init(rules: String, _ policy: SecurityPolicy) {
        self.init(rules: rules, rejection: policy.rejection, annotation: policy.annotation)
    }
}
