internal import Documents
internal import Figures
internal import PolicyEngine
internal import Scenarios

extension RequestFigures {
    /// The requests of a group (R19.5).
    static let columns = Columns<RequestFigures>(
        byName: [
            .field("group", "The group of devices.", \.group).text("requests"),
            .field("blocked-devices", "Devices of which a request was blocked.", \.blockedDevices)
                .figure("devices blocked"),
            .field("still-blocked", "Devices whose last request was blocked.", \.stillBlocked).figure("still"),
            .field(
                "longest-blocked", "The longest time in seconds that a device was blocked; null where none was.",
                \.longestBlocked
            ).figure("longest") { .text($0.longestBlocked.map(DurationText.text) ?? "–") },
        ]
            + RequestOutcome.allCases.map { outcome in
                .field(outcome.rawValue, "Requests that ended so.") { $0[outcome] }.figure(outcome.rawValue)
            })
}

extension ScenarioResult {
    /// The results of each group's requests (R19.5); nothing if none were made.
    var requestSections: [ReportSection] {
        guard !requests.isEmpty else { return [] }
        let shown =
            ["group"] + RequestOutcome.allCases.map(\.rawValue) + [
                "blocked-devices", "still-blocked", "longest-blocked",
            ]
        let table = RequestFigures.columns.table(of: requests, showing: shown, anchor: { "requests \($0.group)" })
        return [ReportSection(.title("Requests"), table: table)]
    }

    var requestCount: Int { requests.reduce(0) { $0 + $1.total } }
}

extension LeftOutScenario {
    /// A scenario that was left out.
    static let columns = Columns<LeftOutScenario>(byName: [
        .field("name", "The name of the scenario.", \.name).text(""),
        .field("file", "The file of the scenario.", \.file),
        .field("reason", "Why the change does not affect it.", \.reason).text(""),
        .shown("skip", .text()) { _ in .text("skip") },
    ])
}

extension Coverage {
    /// The schema of an object, in which the parts that are counted have names of their own.
    static let schema = head.schema(others: share.schema)

    private static let head = Columns<Coverage>(byName: [
        .field("covered", "Exercised parts.", \.covered), .field("total", "All parts.", \.total),
    ])

    private static let share = Columns<Share>(byName: [
        .field("covered", "Exercised parts of the kind.", \.covered),
        .field("total", "All parts of the kind.", \.total),
        .field("missing", "The parts that are not exercised.", \.missing),
    ])

    /// The parts, and all of them together, as JSON.
    var json: JSONValue {
        let members = Self.head.members(of: self) + shares.map { ($0.kind.rawValue, Self.share.value(of: $0)) }
        return .sorted(Dictionary(uniqueKeysWithValues: members.map { (ExactText($0.key), $0.value) }))
    }

    var sections: [ReportSection] {
        let columns: [ReportTable.Column] = [.text(), .figure("exercised"), .figure("of"), .figure()]
        let all = shares.map { ($0.kind.rawValue, $0.covered, $0.total) } + [("all", covered, total)]
        let rows: [[ReportTable.Cell]] = all.map { kind, covered, total in
            [.text(kind), .number(covered), .number(total), .share(covered, of: total)]
        }
        let missing = shares.filter { !$0.missing.isEmpty }.map { share in
            ReportSection(
                .title("Not exercised: \(share.kind.rawValue)"),
                table: .ranking([.text()], rows: share.missing.map { ReportTable.Row(cells: [.text($0)]) }))
        }
        return [ReportSection(.title("Coverage"), table: ReportTable(columns, rows))] + missing
    }
}

extension MutationReport {
    /// The changes of accounts that are noticed, and those that are not.
    static let columns = Columns<MutationReport>(byName: [
        .field("noticed", "Changes that an expectation notices.", \.noticed),
        .field("effective", "Changes that have an effect on clients.", \.effective),
        .field("idle", "Changes without an effect on clients.", \.idle),
        .list("unnoticed", "Changes that no expectation notices though they have an effect.", gaps, \.unnoticed),
    ])

    private static let gaps = Columns<(mutant: Mutant, gap: Gap)>(byName: [
        .field("account-file", "The file of the account.") { $0.mutant.file },
        .field("account", "The name of the account.", \.mutant.account).text("account"),
        .field("change", "The management command that makes the change.", \.mutant.change)
            .text("change") { .code($0.mutant.change) },
        .field("file", "The file in which an expectation is missing.", \.gap.file)
            .text("step") { .text("\($0.gap.file):\($0.gap.position)") },
        .field("line", "The line of the step with the first difference, from 1.") { $0.gap.position.line },
        .field("column", "The column of that step, from 1.") { $0.gap.position.column },
        .field("difference", "What differs there.", \.gap.difference).text("what differs"),
    ])

    /// The number of changes that are noticed, and the changes that are not.
    var sections: [ReportSection] {
        let share =
            "\(noticed.grouped) of \(effective.grouped) changes of accounts are noticed (\(noticed.share(of: effective)))"
        let sentences = idle == 0 ? [share] : [share, "\(idle.grouped) more have no effect on clients in any scenario"]
        let head = ReportSection(.title("Mutants"), sentences: sentences.map { ReportText($0) })
        return [head] + (unnoticed.isEmpty ? [] : [missing])
    }

    // A row for each change that no expectation notices, with the line where one is missing.
    private var missing: ReportSection {
        ReportSection(
            .title("Not noticed: an expectation is missing at"),
            table: Self.gaps.table(of: unnoticed, showing: ["file", "account", "change", "difference"]),
            place: .below)
    }

    /// The changes that no expectation notices though they have an effect, with the place of the first.
    var unnoticed: [(mutant: Mutant, gap: Gap)] {
        mutants.compactMap { mutant in
            if case .unnoticed(let gap) = mutant.effect { (mutant, gap) } else { nil }
        }
    }
}
