internal import Figures
internal import PolicyEngine

extension Figures {
    /// Leaves the figures of the other devices.
    ///
    /// - Parameter part: The figures of some devices of these.
    mutating func remove(_ part: Figures) {
        attestations -= part.attestations
        malformed -= part.malformed
        metrics.subtract(part.metrics)
        // Those of all attestations are there even if they are 0.
        for metric in [Metric.pass, .fail] { metrics[metric, default: 0] += 0 }
        lifetimes.subtract(part.lifetimes)
        policies.subtract(part.policies)
        unknownFlags.subtract(part.unknownFlags)
        failingDevices -= part.failingDevices
        if let counted = part.groups { groups?.subtract(counted) }
        devices.unique -= part.devices.unique
        devices.new -= part.devices.new
        devices.banned -= part.devices.banned
        for kind in WindowKind.allCases {
            windows[kind] = Self.difference(windows[kind] ?? [], part.windows[kind] ?? [])
        }
        for (hour, counts) in part.hours {
            hours[hour]?.passed -= counts.passed
            hours[hour]?.failed -= counts.failed
        }
        hours = hours.filter { $0.value.total > 0 }
        for filter in part.filters {
            guard let index = filters.firstIndex(where: { $0.name == filter.name }) else { continue }
            filters[index].matched -= filter.matched
            filters[index].devices -= filter.devices
            filters[index].limitHits -= filter.limitHits
        }
        if let counted = part.reproduced {
            reproduced?.compared -= counted.compared
            reproduced?.agreed -= counted.agreed
        }
        if reproduced?.compared == 0 { reproduced = nil }
    }

    // Windows in which nothing is left stay where something else happened in them.
    private static func difference(_ windows: [Window], _ parts: [Window]) -> [Window] {
        let parts = Dictionary(parts.map { ($0.start, $0) }) { first, _ in first }
        return windows.map { window in
            guard let part = parts[window.start] else { return window }
            var rest = window
            rest.passed -= part.passed
            rest.failed -= part.failed
            rest.counts.subtract(part.counts)
            return rest
        }
    }

    /// Takes over the names of another account, whose own policy decides alike about these devices.
    mutating func rename(policiesAndFiltersOf account: Account) {
        metrics = metrics.filter { if case .policy = $0.key { false } else { true } }
        policies = NamedCounts()
        if attestations > 0 {
            metrics[.policy(ExactText(account.policy.rejection.name))] = attestations
            policies[account.policy.description] = attestations
        }
        let counted = filters
        filters = account.filters.map { filter in
            counted.first { $0.name == filter.name } ?? FilterFigures { $0.name = filter.name }
        }
    }
}

extension Dictionary where Value == Int {
    // Takes away counts; what is then 0 is not there.
    fileprivate mutating func subtract(_ others: [Key: Int]) {
        for (key, count) in others { self[key, default: 0] -= count }
        self = filter { $0.value != 0 }
    }
}

extension GroupDevices {
    fileprivate mutating func subtract(_ others: GroupDevices) {
        flags.subtract(others.flags)
        apps.subtract(others.apps)
        versions.subtract(others.versions)
        systems.subtract(others.systems)
        systemless -= others.systemless
    }
}

extension NamedCounts {
    fileprivate mutating func subtract(_ others: NamedCounts) {
        for (name, count) in others { self[name, default: 0] -= count }
        self = filter { $0.value != 0 }
    }
}
