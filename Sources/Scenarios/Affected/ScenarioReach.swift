internal import Accounts
internal import Figures
internal import PolicyEngine
internal import Replay

/// The parts of an account that a scenario can reach, as far as that follows from its text: it is not run.
///
/// A part of which that is not known counts as reached.
struct ScenarioReach {
    private let scenario: Scenario
    private let account: Int
    private let seed: UInt64
    // The parts of the account on which its steps and expectations depend.
    private let parts: Set<AccountPart>

    /// The number of device IDs at which they are too many to be drawn and compared.
    private static let idLimit = 200_000

    /// - Parameters:
    ///   - account: Which of its accounts.
    ///   - seed: The seed by which devices are drawn.
    init(_ scenario: Scenario, account: Int, seed: UInt64) {
        (self.scenario, self.account, self.seed) = (scenario, account, seed)
        parts = scenario.steps.reduce(into: []) { parts, step in
            parts.formUnion(step.action.reach)
            for check in step.expectations.flatMap(\.checks) { parts.formUnion(check.expected.reach) }
        }
    }

    /// The groups whose devices are the account's.
    var groups: [Int] { scenario.groups.indices.filter { scenario.groups[$0].account == account } }

    /// True if a group, a command, a cancellation or a final expectation of the scenario belongs to the account.
    var isUsed: Bool {
        !groups.isEmpty || scenario.finalExpectations.contains { $0.account == account }
            || !commands.isEmpty || scenario.actions(CancelStep.self).contains { $0.account == account }
    }

    /// The commands that are given to the account.
    var commands: [ManagementCommand] {
        scenario.actions(CommandStep.self).filter { $0.account == account }.map(\.command)
    }

    /// True if commands change nothing but the security policy, and ask for nothing.
    var changesPolicyOnly: Bool {
        commands.allSatisfy(\.changesPolicyOnly)
    }

    /// True if a step or an expectation depends on a part of the account.
    func reaches(_ part: AccountPart) -> Bool { parts.contains(part) }

    /// True if an app says at some time that it is a development version (R21.5).
    var hasDevelopmentKey: Bool {
        hasGroup { $0.developmentKey != nil }
            || changes.contains { $0.developmentKey != nil }
    }

    // The changes of the account's devices by steps.
    private var changes: [DeviceChange] {
        scenario.actions(SetStep.self).filter { groups.contains($0.group) }.map(\.change)
    }

    /// True if an expectation may name a filter; it can name only filters that the account has.
    func names(_ filter: Filter) -> Bool {
        let (name, rejection) = (ExactText(filter.name), Rejection.filter(ExactText(filter.name)))
        let words = [filter.name, rejection.name]
        let metrics = [Metric.filter(name).name, Metric.rejection(rejection).name]
        let names = scenario.steps.flatMap(\.expectations).flatMap(\.checks).flatMap(\.expected.names)
        return names.contains(where: words.contains)
            || scenario.finalExpectations.flatMap(\.checks).contains { check in
                check.metric.map { metrics.contains($0.name) } ?? false
            }
    }

    /// True if each group of the account has this system, with neither DeviceCheck bits nor shared hardware.
    func isOnly(_ system: OperatingSystem) -> Bool {
        groups.allSatisfy { index in
            let group = scenario.groups[index]
            return group.operatingSystem == system && group.deviceCheckSetting == nil && group.physical == nil
        }
    }

    /// True if a group of the account meets a condition.
    func hasGroup(where condition: (DeviceGroup) -> Bool) -> Bool {
        groups.contains { condition(scenario.groups[$0]) }
    }

    // MARK: Devices

    /// The device IDs that installs may have; `nil` for too many.
    private var ids: Set<DeviceID>? {
        let population = Population(scenario, seed: seed)
        var (ids, count) = (Set<DeviceID>(), 0)
        for index in groups {
            let (group, renewals) = (scenario.groups[index], renewals(of: index))
            let drawn = group.count.multipliedReportingOverflow(by: renewals + 1)
            count += drawn.overflow ? Self.idLimit : min(drawn.partialValue, Self.idLimit)
            guard count < Self.idLimit else { return nil }
            for number in 0..<group.count {
                for generation in 0...renewals {
                    ids.insert(population.deviceID(of: group, number: number, generation: generation))
                }
            }
        }
        return ids
    }

    // The number of times that devices of a group may get another ID.
    private func renewals(of group: Int) -> Int {
        scenario.steps.reduce(0) { sum, step in
            let groups = (step.action as? ReinstallStep)?.groups ?? (step.action as? FactoryResetStep)?.groups
            return groups?.contains(group) == true ? sum + step.times : sum
        }
    }

    /// True if a device may have one of some IDs.
    func mayHave(_ wanted: [DeviceID]) -> Bool {
        if wanted.isEmpty { return false }
        guard let ids else { return true }
        return wanted.contains(where: ids.contains)
    }

    // MARK: Flags

    // The flags that the service or the SDK may set by the rules, whatever is observed.
    private static let ofRules: FlagSet = [
        .appNotRegistered, .pinningTampered, .initialConfigurationOutdated, .deviceBan, .deviceUnban, .newDevice,
        .deviceCheckCompleted, .deviceCheckFailed, .deviceCheckUnavailable, .deviceCheckBan, .deviceCheckMissing,
        .safetyNetCompleted, .safetyNetFailToken, .safetyNetFailIntegrity, .safetyNetFailProfile,
        .safetyNetFailCertificate, .safetyNetUnavailable, .safetyNetMissing, .riskyDevice,
    ]

    /// The flags that devices may have at some time.
    var flags: FlagSet {
        var flags = Self.ofRules
        for index in groups {
            let group = scenario.groups[index]
            flags = group.flagRates.reduce(flags.union(group.flags)) { $0.union([$1.flag]) }
        }
        return changes.reduce(flags) { $0.union($1.flags ?? .empty) }
    }

    // MARK: Filters

    /// True if a filter may match a device, or its search may be given up.
    ///
    /// - Parameter owner: The account that has the filter.
    func mayMatch(_ filter: Filter, of owner: Account) -> Bool {
        switch filter.test {
        case .conjunction(let inputs):
            inputs.allSatisfy { name in
                owner.filters.first { $0.name == name }.map { mayMatch($0, of: owner) } ?? false
            }
        case .exact(let key, let value):
            Self.flagKeys.contains(key)
                ? mayBeFlags(value, owner)
                : mayHave(key, block: { $0.holds(value) }, text: { ExactText($0) == ExactText(value) })
        case .regex(let key, let pattern):
            Self.flagKeys.contains(key)
                ? mayFindFlags(pattern.source, owner)
                : mayHave(key, block: { _ in true }, text: { pattern.mayBeFound(in: $0) })
        }
    }

    private static let flagKeys = ["flags-all", "public-flags"]

    // A list of flags can be of those only that devices may have.
    private func mayBeFlags(_ list: String, _ owner: Account) -> Bool {
        let names = Set(owner.catalogue.names(of: flags))
        return list.split(separator: ",").allSatisfy { names.contains(String($0)) }
    }

    // Only a pattern of words with bars between them can be decided: no word holds a comma.
    private func mayFindFlags(_ source: String, _ owner: Account) -> Bool {
        let words = source.split(separator: "|", omittingEmptySubsequences: false)
        let isPlain = words.allSatisfy { word in
            !word.isEmpty && word.utf8.allSatisfy { $0.isLowercaseLetter || $0.isDigit || $0 == UInt8(ascii: "-") }
        }
        guard isPlain else { return true }
        let names = owner.catalogue.names(of: flags)
        return words.contains { word in names.contains { $0.contains(word) } }
    }

    // True if an attribute may have a value that meets the condition for its form: a block or a text.
    private func mayHave(_ key: String, block: (AddressBlock) -> Bool, text: (String) -> Bool) -> Bool {
        switch key {
        case Self.probeKey: return true
        case Self.idKey:
            guard let ids else { return true }
            if ids.contains(where: { text($0.description) }) { return true }
        case AttestReason.key: if AttestReason.allCases.contains(where: { text($0.rawValue) }) { return true }
        default: break
        }
        return sources(of: key).contains { source in
            source.blocks.contains(where: block)
                || source.texts.contains { text(key == Self.propertyKey ? UserProperty.sent($0) ?? $0 : $0) }
        }
    }

    private static let (idKey, probeKey, propertyKey) = ("device-id", "probe-result", "user-property")

    private func sources(of key: String) -> [AttributeSource] {
        let attributes = groups.flatMap { scenario.groups[$0].attributes } + changes.flatMap(\.attributes)
        return attributes.filter { ExactText($0.key) == ExactText(key) }.map(\.source)
    }
}
