internal import Documents
internal import Figures
internal import PolicyEngine
internal import Scenarios

extension Report {
    /// The parts of the page of a run: failed scenarios first, each with its reasons; then those that passed.
    ///
    /// - Parameter isVerbose: True if every step of a scenario is shown.
    func runPage(isVerbose: Bool) -> Parts {
        let (failed, passed) = (scenarios.filter { !$0.passed }, scenarios.filter(\.passed))
        // Without an order of their own those that passed keep that of the files.
        let slowest = passed.enumerated().sorted { first, second in
            (second.element.duration ?? .zero, first.offset) < (first.element.duration ?? .zero, second.offset)
        }
        var successes = ReportSection(
            .title("Passed scenarios"),
            table: table(of: slowest.map(\.element)) { isVerbose ? [$0.steps] : [] })
        if passed.count > Self.openScenarios { successes.fold = "\(passed.count.grouped) scenarios" }
        var failures = ReportSection(.title("Failed scenarios"), table: table(of: failed) { _ in [] })
        if failed.count > Self.failureLimit {
            failures.sentences = ["the expectations of the first \(Self.failureLimit) follow"]
        }
        return (
            subject, scenarios.count == 1 ? SpanWords.scope(of: figures.hours) : [], card(failed: failed.count),
            [failures] + failed.prefix(Self.failureLimit).map { failure($0, isVerbose: isVerbose) } + [successes]
                + otherSections(isVerbose: isVerbose)
        )
    }

    // The expectations of a scenario that failed, and the reasons why its attestations were rejected.
    private func failure(_ scenario: ScenarioResult, isVerbose: Bool) -> ReportSection {
        // Most of them have the same command.
        var commands: [String] = []
        for command in scenario.failures.compactMap({ explanation(of: $0.result) }) where !commands.contains(command) {
            commands.append(command)
        }
        let explained = commands.isEmpty ? [] : [ReportList(head: "to explain:", items: commands, isOutput: true)]
        return ReportSection(
            .title(scenario.name),
            lists: (isVerbose ? [scenario.steps] : [])
                + scenario.failures.flatMap { explanation(of: $0, hasCommand: false) } + explained
                + scenario.rejections, place: .below)
    }

    // The number of failed scenarios whose expectations are shown.
    private static let failureLimit = 50

    // The greatest number of scenarios that passed and are shown at once.
    private static let openScenarios = 20

    // The scenario, or how many of which folder.
    private var subject: String {
        if scenarios.count == 1 { return scenarios[0].name }
        let folders = Set(scenarios.map { $0.file.split(separator: "/").dropLast().last.map(String.init) ?? "" })
        let folder = folders.count == 1 ? folders.first ?? "" : ""
        return (folder.isEmpty ? "" : "\(folder): ") + "\(scenarios.count.grouped) scenarios"
    }

    private func card(failed: Int) -> ReportCard {
        let all = scenarios.count
        guard all > 0 else { return ReportCard(facts: [.init("0", "scenarios are affected by the change")]) }
        let expectations = scenarios.flatMap(\.expectations)
        var facts = [
            ReportCard.Fact((all - failed).grouped, "of \(all.counting("scenario")) passed", .good),
            .init(expectations.count(where: \.passed).grouped, "of \(expectations.count.counting("expectation")) held"),
        ]
        if failed > 0 { facts.insert(.init(failed.grouped, "of \(all.counting("scenario")) failed", .bad), at: 0) }
        if let coverage {
            facts.append(
                .init(coverage.covered.share(of: coverage.total), "of the rules and the accounts are exercised"))
        }
        return ReportCard(
            verdict: verdict(failed: failed, expectations: expectations.count), facts: facts)
    }

    // The verdict of the scenarios alone: limits on coverage and on changes of accounts have their own messages.
    private func verdict(failed: Int, expectations: Int) -> ReportText {
        if failed > 0 { return ReportText("✗ Failed", .bad) }
        return expectations > 0 ? ReportText("✓ All scenarios passed", .good) : "Nothing was expected"
    }

    private func table(of scenarios: [ScenarioResult], details: (ScenarioResult) -> [ReportList]) -> ReportTable? {
        guard !scenarios.isEmpty else { return nil }
        let hasRequests = scenarios.contains { !$0.requests.isEmpty }
        let isTimed = scenarios.contains { $0.duration != nil }
        let columns: [ReportTable.Column] =
            [.text("scenario"), .figure("expectations"), .figure("fetches"), .figure("attested")]
            + (hasRequests ? [.figure("requests")] : []) + (isTimed ? [.figure("time")] : [])
        let rows = scenarios.map { scenario in
            ReportTable.Row(
                cells: [
                    .text(scenario.name), scenario.held, .number(scenario.fetches.total),
                    .number(scenario.fetches.attested),
                ] + (hasRequests ? [.number(scenario.requestCount)] : []) + (isTimed ? [scenario.time] : []),
                details: details(scenario), anchor: "scenario \(scenario.name)")
        }
        return ReportTable(columns, rows: rows)
    }
}

extension ScenarioResult {
    // The expectations that hold: `2 of 3`.
    fileprivate var held: ReportTable.Cell {
        let held = expectations.count(where: \.passed)
        return .text("\(held.grouped) of \(expectations.count.grouped)", passed ? .plain : .bad)
    }

    fileprivate var time: ReportTable.Cell {
        .text(duration.map { "\(Int($0 / .milliseconds(1)).grouped) ms" } ?? "–")
    }

    // The causes for which attestations of the scenario fail, the commonest first.
    fileprivate var rejections: [ReportList] {
        let catalogue = FlagCatalogue()
        let causes = figures.metrics.compactMap { metric, count -> (cause: Rejection, count: Int)? in
            if case .rejection(let cause) = metric { (cause, count) } else { nil }
        }
        guard !causes.isEmpty else { return [] }
        let ranked = causes.sorted { ($1.count, ExactText($0.cause.name)) < ($0.count, ExactText($1.cause.name)) }
        let items = ranked.prefix(Self.causeLimit).map { cause, count in
            let meaning = if case .flag(let flag) = cause { catalogue.meaning(ofFlag: flag.text) } else { String?.none }
            return "\(cause.name): \(count.grouped)" + (meaning.map { " – \($0)" } ?? "")
        }
        return [ReportList(head: "attestations that the scenario's accounts reject, by the cause", items: items)]
    }

    // The number of causes that are named of a scenario.
    private static let causeLimit = 5
}

extension Report {
    /// The report as a page.
    ///
    /// - Parameters:
    ///   - isVerbose: True if every step of a scenario is shown.
    ///   - origin: The origin of the report.
    func page(isVerbose: Bool, origin: ReportOrigin) -> ReportPage {
        let page = isOfScenarios ? runPage(isVerbose: isVerbose) : replayPage
        return ReportPage(
            title: page.title, scope: narrowed.scope + page.scope, card: page.card,
            sections: page.sections.filter { !$0.isBare } + ReportSection.explanation(explanation(origin))
                + origin.sections, origin: origin)
    }
}

// MARK: Replays

extension Report {
    typealias Parts = (title: String, scope: [String], card: ReportCard, sections: [ReportSection])

    private var replayPage: Parts {
        let times = TimeSections.all(figures.windows)
        let sections =
            [times.first?.attestations([figures])].compactMap(\.self) + times.compactMap { $0.devices([figures]) }
        return (
            account.isEmpty ? "Replay" : "\(account): \(policyInForce)", SpanWords.scope(of: figures.hours) + devices,
            isOfFetchesAlone ? fetchCard : attestationCard,
            isOfFetchesAlone
                ? fetchSections
                : figures.rejections + figures.apps + labelSections + pageIntervals + sections + figures.others
                    + fetchSections
                    + (figures.frequencies ?? []).map(\.section)
        )
    }

    private var devices: [String] { isOfFetchesAlone ? [] : [figures.devices.unique.counting("device")] }

    private var policyInForce: String {
        let policies = figures.policies.map(\.key)
        return policies.count == 1 ? policies[0] : "what the account decides"
    }

    private var pageIntervals: [ReportSection] { confidence == nil ? [] : intervalSections }

    private var attestationCard: ReportCard {
        var card = figures.card
        if confidence == nil { card.notes += intervalSections.flatMap(\.sentences) }
        return card
    }

    private var fetchCard: ReportCard {
        ReportCard(facts: [
            .init((fetches?.total ?? 0).grouped, "fetches"),
            .init((fetches?.devices ?? 0).grouped, "devices that fetch"),
        ])
    }
}

extension Figures {
    /// The passed share, the devices, and the captured verdicts that the account gives again.
    fileprivate var card: ReportCard {
        let (passed, failed) = (metrics[.pass] ?? 0, metrics[.fail] ?? 0)
        var facts = [
            ReportCard.Fact(
                passed.share(of: attestations),
                "of \(attestations.counting("attestation")) passed: \(passed.grouped); \(failed.grouped) failed"),
            ReportCard.Fact(
                devices.unique.grouped,
                "\(devices.unique.agreeing("device", "devices")), \(devices.new.grouped) of them new"
                    + (devices.banned > 0 ? ", \(devices.banned.grouped) banned at the end" : "")
                    + "; \(billing.grouped) billed"),
        ]
        if let reproduced {
            let (agreed, compared) = (reproduced.agreed, reproduced.compared)
            facts.append(
                ReportCard.Fact(
                    agreed.share(of: compared),
                    "of \(compared.counting("captured verdict")) reproduced: \((compared - agreed).grouped) "
                        + (compared - agreed).agreeing("differs", "differ"),
                    agreed < compared ? .bad : .good))
        }
        facts += doubts.map { .init($0, of: devices.unique, "devices", "not evaluated: \($1)") }
        let notes: [ReportText] = malformed > 0 ? ["\(malformed.grouped) malformed records are left out"] : []
        return ReportCard(facts: facts, notes: notes)
    }
}
