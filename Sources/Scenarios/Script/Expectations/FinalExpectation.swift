internal import Accounts
internal import Documents
internal import Figures
internal import PolicyEngine

/// An expectation about one account at the end of a scenario.
struct FinalExpectation: Sendable {
    /// The account by its index.
    let account: Int
    let checks: [FinalCheck]
    /// True if it may hold because nothing happened.
    let allowsVacuous: Bool

    /// The form of an expectation at the end.
    static var schema: JSONSchema {
        .object(
            FinalCheck.kinds.map { ($0.key, $0.form(.any).schema.described(as: $0.help)) } + [
                ("vacuous", ValueForm.vacuous.schema),
                (
                    "account",
                    .text.naming(.account).described(as: "The account that is meant, if the scenario has several.")
                ),
            ])
    }

    /// Reads an expectation.
    ///
    /// - Parameters:
    ///   - filters: By account, the filters that it has at some time.
    /// - Returns: `nil` after noting an error.
    init?(
        _ node: Node, of scenario: Scenario, in scope: ScenarioScope, filters: [Set<String>],
        _ reader: inout DocumentReader
    ) {
        guard var fields = reader.mapping(node, "`expect`") else { return nil }
        account = scope.account(fields.take("account"), for: "`expect`", at: node.position, &reader)
        let given = FinalCheck.kinds.compactMap { kind in fields.take(kind.key).map { (kind, $0) } }
        allowsVacuous = fields.take("vacuous").flatMap { ValueForm.vacuous.read($0, "`vacuous`", &reader) } ?? false
        fields.finish(&reader)
        let context = FinalContext(scenario: scenario, scope: scope, account: account, filters: filters[account])
        checks = given.flatMap { kind, node in kind.form(context).read(node, kind.key.quoted, &reader) ?? [] }
        if checks.isEmpty, !reader.diagnostics.hasErrors {
            reader.error("`expect` has nothing to check", at: node.position)
        }
    }

    /// The results at the end of a run.
    func results(_ run: ScenarioRun, _ diagnostics: inout Diagnostics) -> [ExpectationResult] {
        checks.compactMap { check in
            check.result(run, &diagnostics)?.reported(
                file: run.scenario.file, position: check.position, message: check.message,
                allowsVacuous: allowsVacuous)
        }
    }
}

/// A check at the end of a scenario.
struct FinalCheck: Sendable {
    let position: SourcePosition
    /// The check and its subject, in words.
    let message: String
    /// The metric that is counted, if it is one.
    var metric: Metric?
    /// The result; `nil` after noting an error, such as for a device that is not there.
    let result: @Sendable (ScenarioRun, inout Diagnostics) -> ExpectationResult?

    /// A check by its key, with a sentence for people and the form of its value.
    typealias Kind = (key: String, help: String, form: @Sendable (FinalContext) -> ValueForm<[FinalCheck]>)

    /// All of them: the only list (formats: Scenario, expectations).
    static let kinds: [Kind] = [
        ("metrics", "The metrics of the service at the end, by name.", metrics),
        ("device-state", "The flags that the service keeps of devices, by group or device, or none.", deviceStates),
        ("requests", "The results of requests at the end, of all groups or by group.", requests),
        ("notifications", "The number of mails about backends without a pin.", notifications),
    ]
}

/// The account that a check at the end is about, and what it may name.
struct FinalContext: Sendable {
    let scenario: Scenario
    let scope: ScenarioScope
    /// The account by its index.
    let account: Int
    /// Every filter that it has at some time.
    let filters: Set<String>

    var catalogue: FlagCatalogue { scenario.accounts[account].account.catalogue }

    /// The context of the schema, which holds for all scenarios.
    static let any = FinalContext(scenario: Scenario(file: ""), scope: .any, account: 0, filters: [])

    /// A group, which has to be of the account; `nil` after noting that there is no such group.
    func group(_ node: Node, _ reader: inout DocumentReader) -> Int? {
        guard let index = scope.group(node, &reader) else { return nil }
        if scope.groups[index].account != account {
            reader.error("group \(scope.groups[index].name.quoted) belongs to another account", at: node.position)
        }
        return index
    }
}

// MARK: Metrics (R13)

extension FinalCheck {
    private static let metrics: @Sendable (FinalContext) -> ValueForm<[FinalCheck]> = { context in
        let schema = JSONSchema.map(of: ValueForm<CountRange>.count.schema, keys: Metric.schema, atLeast: 1)
        return ValueForm(schema) { node, what, reader in
            let (catalogue, apps) = (context.catalogue, context.scenario.appNames(ofAccount: context.account))
            return reader.checkedEntries(node, what).compactMap { entry in
                let check = Metric.check(entry.key, catalogue: catalogue, filters: context.filters, apps: apps)
                if case .unknown(let hint) = check {
                    reader.error("unknown metric \(entry.key.quoted)", at: entry.keyPosition, hint: hint)
                }
                let range = ValueForm.count.read(entry.value, entry.key.quoted, &reader)
                guard let range, case .valid(let metric) = check else { return nil }
                return FinalCheck(position: entry.keyPosition, message: "metric \(metric.name)", metric: metric) {
                    [account = context.account] run, _ in run.result(metric, ofAccount: account, in: range)
                }
            }
        }
    }
}

extension ScenarioRun {
    // The reason for which a check of an account would hold whatever the account decides.
    private func vacuity(ofAccount account: Int) -> String? {
        services[account].hasEvaluated ? nil : "nothing was evaluated"
    }

    fileprivate func result(_ metric: Metric, ofAccount account: Int, in range: CountRange) -> ExpectationResult {
        let service = services[account]
        let found = service.figures.value(
            of: metric, at: end, billingDay: service.engine.history.latest.billingDay)
        var vacuity: String?
        if found == 0 {
            // Clients count without an attestation, too (R13.3).
            let isNobodys = record.fetching.contains(account) ? nil : "nobody fetched"
            if case .client = metric { vacuity = isNobodys } else { vacuity = self.vacuity(ofAccount: account) }
        }
        var result = range.result(found, vacuity: vacuity)
        guard range.isVacuousAtZero else { return result }
        switch metric {
        case .filter(let filter), .rejection(.filter(let filter)):
            result.reaches = [.filter(filter.text, accounts: [account])]
        case .policy(let policy): result.reaches = [.policy(policy.text, account: account)]
        default: break
        }
        return result
    }
}

extension Metric {
    fileprivate static var schema: JSONSchema {
        let windows = windowPrefixes.joined(separator: "|")
        let policies = (RejectionPreset.allCases.map(\.rawValue) + [RejectionPolicy.customName]).joined(separator: "|")
        let systems = "(\(OperatingSystem.allCases.map(\.metricName).joined(separator: "|")))"
        let kinds = [
            fixedNames.joined(separator: "|"), "(pass|fail)-flag-\(RuleForms.name)", "(pass|fail)-app-\(systems)-.+",
            "(pass|fail)-appver-\(systems)-.+-.+", "rejection-flag-\(RuleForms.name)",
            "rejection-filter-[a-z0-9-]+", "policy-(\(policies))", "filter-[a-z0-9-]+", "sdk-.+",
        ]
        return .text(matching: "(\(windows))?(\(kinds.joined(separator: "|")))").naming(.metric)
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

// MARK: The flags that the service keeps of devices (R6.5)

extension FinalCheck {
    fileprivate enum Target {
        case group(Int)
        case device(DeviceID)
    }

    private static let deviceStates: @Sendable (FinalContext) -> ValueForm<[FinalCheck]> = { context in
        let state = JSONSchema.any(of: [.words(["none"]), .list(of: RuleForms.flag)])
        return ValueForm(.map(of: state, atLeast: 1).namingKeys(.groupOrDevice)) { node, what, reader in
            reader.checkedEntries(node, what).compactMap { entry in
                let target: Target? =
                    DeviceID(entry.key).map { .device($0) }
                    ?? context.group(entry.keyNode, &reader).map { .group($0) }
                guard let target else { return nil }
                // `none`: the state must not be set.
                let isNone = entry.value.text == "none"
                let flags =
                    isNone
                    ? nil : ValueForm.flags(context.catalogue, isObserved: false).read(entry.value, what, &reader)
                return FinalCheck(position: entry.keyPosition, message: "device state of \(entry.key)") {
                    [account = context.account] run, diagnostics -> ExpectationResult? in
                    if let result = run.result(of: target, ofAccount: account, flags) { return result }
                    diagnostics.add(
                        Diagnostic(
                            file: run.scenario.file, position: entry.keyPosition,
                            message: "there is no device \(entry.key.quoted)"))
                    return nil
                }
            }
        }
    }
}

extension ScenarioRun {
    // `nil` where there is no device.
    fileprivate func result(
        of target: FinalCheck.Target, ofAccount account: Int, _ flags: FlagSet?
    ) -> ExpectationResult? {
        let service = services[account]
        let devices =
            switch target {
            case .group(let group): self.devices.installs[group].map(\.attestation.device)
            case .device(let id): service.symbols.devices.index(of: id).map { [$0] } ?? []
            }
        guard !devices.isEmpty else { return nil }
        let expected = service.stateText(flags)
        let mismatch = devices.lazy.map { (device: $0, text: service.stateText(of: $0)) }.first { $0.text != expected }
        let actual = mismatch.map { "\($0.text) (device \(service.deviceID(of: $0.device)))" }
        return ExpectationResult(
            passed: mismatch == nil, expected: expected, actual: actual ?? expected,
            vacuity: vacuity(ofAccount: account))
    }
}

// MARK: Figures about the requests of a group, or of all (R19.6)

extension FinalCheck {
    private struct RequestFigure {
        let name: String
        let help: String
        var isTime = false
        let value: @Sendable (RequestFigures) -> Int

        static let all: [RequestFigure] =
            RequestOutcome.allCases.map { outcome in
                RequestFigure(name: outcome.rawValue, help: outcome.help) { $0[outcome] }
            } + [
                RequestFigure(
                    name: "blocked-devices", help: "The number of devices that were ever blocked.",
                    value: \.blockedDevices),
                RequestFigure(
                    name: "still-blocked",
                    help: "The number of devices without an accepted request since they were blocked.",
                    value: \.stillBlocked),
                RequestFigure(
                    name: "longest-blocked",
                    help: "The longest time from a device's first blocked request to its next accepted one.",
                    isTime: true
                ) { $0.longestBlocked ?? 0 },
            ]

        static func named(_ name: String) -> RequestFigure? { all.first { $0.name == name } }

        var form: ValueForm<CountRange> { isTime ? .durations : .count }
    }

    // Figures of all groups, and groups by name with their own.
    private static let requests: @Sendable (FinalContext) -> ValueForm<[FinalCheck]> = { context in
        let figures = RequestFigure.all.map { ($0.name, $0.form.schema.described(as: $0.help)) }
        let schema = JSONSchema.object(figures, atLeast: 1, others: .object(figures, atLeast: 1)).namingKeys(.group)
        return ValueForm(schema) { node, what, reader in
            reader.checkedEntries(node, what).flatMap { entry -> [FinalCheck] in
                if let figure = RequestFigure.named(entry.key) {
                    return [request(figure, entry, of: nil, context, &reader)].compactMap(\.self)
                }
                guard case .mapping = entry.value.content, context.scope.index(ofGroup: entry.key) != nil else {
                    let names = RequestFigure.all.map(\.name) + context.scenario.groups.map(\.name)
                    reader.error(
                        "\(entry.key.quoted) is neither a figure of requests nor a group", at: entry.keyPosition,
                        hint: Suggestion.hint(for: entry.key, among: names))
                    return []
                }
                guard let group = context.group(entry.keyNode, &reader) else { return [] }
                return reader.checkedEntries(entry.value, entry.key.quoted).compactMap { entry in
                    if let figure = RequestFigure.named(entry.key) {
                        return request(figure, entry, of: group, context, &reader)
                    }
                    reader.error(
                        "unknown figure \(entry.key.quoted) of requests", at: entry.keyPosition,
                        hint: Suggestion.hint(for: entry.key, among: RequestFigure.all.map(\.name)))
                    return nil
                }
            }
        }
    }

    // The check of a figure of one group; `nil` is all groups of the account.
    private static func request(
        _ figure: RequestFigure, _ entry: Node.Entry, of group: Int?, _ context: FinalContext,
        _ reader: inout DocumentReader
    ) -> FinalCheck? {
        let all = context.scenario.groups
        let groups = group.map { [$0] } ?? all.indices.filter { all[$0].account == context.account }
        let subject = group.map { all[$0].name } ?? "all"
        return figure.form.read(entry.value, entry.key.quoted, &reader).map { range in
            FinalCheck(position: entry.keyPosition, message: "\(figure.name) of \(subject)") { run, _ in
                let figures = groups.reduce(into: RequestFigures()) { $0.merge(run.requests.figures(of: $1)) }
                return range.result(
                    figure.value(figures), vacuity: figures.total == 0 ? "no request was made" : nil,
                    in: figure.isTime ? DurationText.text : { "\($0)" }
                ).uncorrected
            }
        }
    }
}

// MARK: The number of notifications about problems (R25.2)

extension FinalCheck {
    private static let notifications: @Sendable (FinalContext) -> ValueForm<[FinalCheck]> = { context in
        ValueForm.count.flatMap { count, node, _, _ in
            [
                FinalCheck(position: node.position, message: "notifications") { [account = context.account] run, _ in
                    let monitor = run.mail.monitors.isEmpty ? DomainMonitor() : run.mail.monitors[account]
                    return count.result(
                        monitor.notifications,
                        vacuity: monitor.comparisons == 0 ? "no chain was compared with pins" : nil)
                }
            ]
        }
    }
}
