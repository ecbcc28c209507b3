internal import Accounts
internal import Documents
internal import Figures
internal import PolicyEngine

/// At the end: a metric (R13).
struct MetricCheck: FinalCheck {
    static let key = "metrics"
    let metric: Metric
    let position: SourcePosition
    let count: CountRange

    static var schema: JSONSchema {
        let windows = Metric.windowPrefixes.joined(separator: "|")
        let fixed = Metric.fixedNames.joined(separator: "|")
        let policies = (RejectionPreset.allCases.map(\.rawValue) + [RejectionPolicy.customName]).joined(separator: "|")
        let systems = "(\(OperatingSystem.allCases.map(\.metricName).joined(separator: "|")))"
        let kinds = [
            fixed, "(pass|fail)-flag-\(RuleForms.name)", "(pass|fail)-app-\(systems)-.+",
            "(pass|fail)-appver-\(systems)-.+-.+", "rejection-flag-\(RuleForms.name)",
            "rejection-filter-[a-z0-9-]+", "policy-(\(policies))", "filter-[a-z0-9-]+", "sdk-.+",
        ]
        let name = JSONSchema.text(matching: "(\(windows))?(\(kinds.joined(separator: "|")))").naming(.metric)
        return .map(of: .reference(to: "count"), keys: name, atLeast: 1)
    }

    static func load(_ node: Node, account: Int, _ loader: inout ScenarioLoader) -> [any FinalCheck] {
        let catalogue = loader.scenario.accounts[account].account.catalogue
        let (filters, apps) = (loader.rehearsal.filterNames[account], loader.scenario.appNames(ofAccount: account))
        return loader.checkEntries(node, "`metrics`").compactMap { entry in
            let check = Metric.check(entry.key, catalogue: catalogue, filters: filters, apps: apps)
            if case .unknown(let hint) = check {
                loader.reader.error("unknown metric \(entry.key.quoted)", at: entry.keyPosition, hint: hint)
            }
            let count = CountRange.load(entry.value, entry.key.quoted, &loader.reader)
            guard let count, case .valid(let metric) = check else { return nil }
            return MetricCheck(metric: metric, position: entry.keyPosition, count: count)
        }
    }

    func message(_: Scenario) -> String { "metric \(metric.name)" }

    func result(_ end: ScenarioEnd, account: Int, _: inout Diagnostics) -> CheckResult? {
        let service = end.services[account]
        let found = service.figures.value(of: metric, at: end.time, billingDay: service.billingDay)
        var vacuity: String?
        if found == 0 {
            // Clients count without an attestation, too (R13.3).
            let isNobodys = end.fetching.contains(account) ? nil : "nobody fetched"
            if case .client = metric { vacuity = isNobodys } else { vacuity = end.vacuity(ofAccount: account) }
        }
        var result = count.result(found, vacuity: vacuity)
        guard count.isVacuousAtZero else { return result }
        switch metric {
        case .filter(let filter), .rejection(.filter(let filter)):
            result.reaches = [.filter(filter.text, accounts: [account])]
        case .policy(let policy): result.reaches = [.policy(policy.text, account: account)]
        default: break
        }
        return result
    }
}

extension Scenario {
    /// The apps that devices of an account can come with at some time: what its groups say, and what steps set.
    fileprivate func appNames(ofAccount account: Int) -> AppNames {
        let changes = actions(SetStep.self)
        var names = AppNames()
        for (index, group) in groups.enumerated() where group.account == account {
            let attributes =
                group.attributes + changes.filter { $0.group == index }.flatMap(\.change.attributes)
            func texts(_ key: String) -> [String] { attributes.filter { $0.key == key }.flatMap(\.source.texts) }
            names.add(apps: texts("appid"), versions: texts("app-version"))
        }
        return names
    }
}
