internal import Documents
package import Figures
package import PolicyEngine
internal import Statistics

/// The differences between two captures, with the limits of the caller.
package struct DriftReport: SectionedAnswer {
    private let drift: DriftFigures
    private let account: String
    private let limits: [LimitResult]

    package static let forms: [ReportForm] = [.text, .json, .markdown, .html, .csv]
    package static let kind = ReportKind("captures-compared", "Captures compared", DriftFigures.versioned)

    /// - Parameters:
    ///   - drift: The differences.
    ///   - account: The name of the account; empty if it has none.
    ///   - limits: The caller's limits, and which are exceeded.
    package init(_ drift: DriftFigures, account: String = "", limits: [LimitResult] = []) {
        (self.drift, self.account, self.limits) = (drift, account, limits)
    }

    package var sections: [ReportSection] { drift.sections }

    package func page(in setting: ReportSetting) -> ReportPage {
        drift.page(account: account, limits: limits, origin: setting.origin)
    }

    package var json: JSONValue { DriftFigures.versioned.value(of: drift) }

    package var csv: [UInt8] {
        drift.csv
    }
}

extension DriftFigures {
    /// The comparison in sections: what differs, what is new and what vanished, and the kinds of values.
    fileprivate var sections: [ReportSection] {
        [ReportSection(.notice(ReportText(headline, .strong)), sentences: sentences().map { ReportText($0) })].narrowed(
            to: narrowed)
            + .assumed(assumed) + details
    }

    /// The sections behind the headline.
    var details: [ReportSection] {
        [moved, appearing(true), appearing(false), kinds.placed(.half), captures.placed(.half)].filter { !$0.isBare }
    }

    /// The result in a sentence.
    package var headline: String {
        if let emptiness { return "nothing was compared: \(emptiness)" }
        return (assumed == nil ? "" : "with the signals that are assumed of the first capture, ") + difference
    }

    private var difference: String {
        guard let first = drifts.first else {
            return "none of \(values.count.grouped) shares of devices differs by more than chance explains"
        }
        return "\(drifts.count.grouped) of \(values.count.grouped) shares of devices "
            + (drifts.count == 1 ? "differs" : "differ") + " by more than chance explains, "
            + "the largest by \(Self.points(first.difference.magnitude)) points: \(first.condition), "
            + "\(first.before.share(of: old.devices)) before and \(first.after.share(of: new.devices)) after"
    }

    /// The facts that the result rests on.
    func sentences() -> [String] {
        var sentences = [
            "\(shared) in both captures; intervals (\(level)) are those of independent random samples"
                + (common == 0 ? "" : ", which are too wide rather than too narrow for common devices"),
            "differences are tested together (Benjamini–Yekutieli, 5 %), and the intervals of those that are found allow for "
                + "their selection"
                + (rare == 0
                    ? ""
                    : "; \(rare.counting("value")) that fewer than five devices show "
                        + "\(rare.agreeing("is", "are")) added up by kind"),
        ]
        if isUneven {
            sentences.append(
                "one capture spans \(old.hours.grouped) hours and the other \(new.hours.grouped): a device of the longer one "
                    + "had more time to show values")
        }
        if unevaluated > 0 {
            let devices = "\(unevaluated.counting("device")) \(unevaluated.agreeing("is", "are"))"
            sentences.append(
                "\(devices) not evaluated: shares of verdicts, flags and filters allow for any of theirs")
        }
        return sentences
    }

    private var shared: String {
        common == 0 ? "no device is" : "\(common.counting("device")) \(common.agreeing("is", "are"))"
    }

    private var captures: ReportSection {
        let rows: [[ReportTable.Cell]] = [("before", old), ("after", new)].map { name, side in
            [
                .text(name), .text(side.name), .number(side.devices), .number(side.attestations), .number(side.hours),
            ]
        }
        return ReportSection(
            .title("Captures"),
            table: ReportTable(
                [.text(), .text("capture"), .figure("devices"), .figure("attestations"), .figure("hours")], rows))
    }

    private var moved: ReportSection {
        // Devices that pass are those that do not fail.
        let isTold = drifts.contains { $0.condition == "verdict:fail" }
        let shown = drifts.filter { !isTold || $0.condition != "verdict:pass" }
        let table = Self.values(at: level).table(of: rows(of: shown), anchor: { "value \($0.value.condition)" })
        return ReportSection(.title("Shares that differ"), table: drifts.isEmpty ? nil : table.ranking)
    }

    private func appearing(_ isNew: Bool) -> ReportSection {
        let found = values.filter { $0.rare == 0 && (isNew ? $0.before == 0 : $0.after == 0) }
        let rows = found.map { value in
            ReportTable.Row(cells: [
                .code(value.term.condition), .number(value.before + value.after),
                .share(value.before + value.after, of: isNew ? new.devices : old.devices),
            ])
        }
        let columns: [ReportTable.Column] = [.text("value"), .figure("devices"), .figure("share")]
        return ReportSection(
            .title(isNew ? "New values" : "Vanished values"),
            table: rows.isEmpty ? nil : .ranking(columns, rows: rows))
    }

    private var kinds: ReportSection {
        ReportSection(
            .title("By kind of value"),
            sentences: [
                ReportText(
                    "the population stability index sums up all values of a kind; by chance alone it is at most the last "
                        + "figure in 95 % of captures")
            ], table: Self.kind.table(of: keys.filter { $0.values > 0 }))
    }

    /// A share in percentage points: `4.13`.
    package static func points(_ share: Double) -> String { (share * 100).text(decimals: 2) }

    private static func signed(_ share: Double) -> String { (share > 0 ? "+" : "") + points(share) }
}

// MARK: Page

extension DriftFigures {
    // The shares that moved, and the sections behind it.
    fileprivate func page(account: String, limits: [LimitResult], origin: ReportOrigin) -> ReportPage {
        let subject = names.old == names.new ? "\(old.name) → \(new.name)" : "\(names.old) → \(names.new)"
        var head = ReportHead(answer, limits: limits)
        head.details =
            emptiness == nil
            ? [
                ReportText(
                    "\(drifts.count.grouped) of \(values.count.grouped) shares of devices \(drifts.count.agreeing("differs", "differ")) by more than chance explains."
                )
            ] : []
        var grounds = ReportSection(.title("What this rests on"), place: .half)
        grounds.terms = sentences().map { .init("", ReportText($0)) }
        return ReportPage(
            title: account.isEmpty ? subject : "\(account): \(subject)",
            scope: narrowed.scope + (assumed?.scope ?? []) + [
                "\(old.devices.counting("device")) before, \(new.devices.grouped) after"
            ],
            head: head, sections: .assumed(assumed) + details + [grounds] + origin.sections(), origin: origin)
    }

    // The share that moved most, in words.
    private var answer: String {
        if let emptiness { return "Nothing was compared: \(emptiness)" }
        guard let first = drifts.first else { return "Still like \(names.old)" }
        return
            "No longer like \(names.old): \(first.condition), \(first.before.share(of: old.devices)) of devices before "
            + "and \(first.after.share(of: new.devices)) after"
    }

    // The names of the files without their folders.
    private var names: (old: String, new: String) {
        func name(_ side: Side) -> String { side.name.split(separator: "/").last.map(String.init) ?? side.name }
        return (name(old), name(new))
    }
}

// MARK: Columns

extension DriftFigures {
    /// `{"version":1,"old":{…},"new":{…},"common-devices":n,…,"values":[{"key":…,"value":…,"before":n,"after":n,…}]}`
    static let versioned = Columns<DriftFigures>(inOrder: [.version] + members)

    /// The same as a member of a comparison.
    static let columns = Columns<DriftFigures>(inOrder: members)

    private static let members: [Column<DriftFigures>] = [
        .object("old", "The first capture.", side, \.old), .object("new", "The second capture.", side, \.new),
        .field("common-devices", "Devices that are in both captures.", \.common),
        .field("level", "The level of the intervals, such as 95%.") { $0.level.filter { $0 != " " } },
        .field("tested", "Values of which the shares of devices were compared.", \.values.count),
        .field("rare", "Values that fewer than five devices show, which are added up by kind.", \.rare),
        .field("drifting", "Values whose shares differ by more than chance explains.", \.drifts.count),
        .number("bound", "What no difference of any value exceeds at the level, one-sided.", \.bound),
        .field("unjudged-devices", "Devices of both captures that were not evaluated.", \.unevaluated),
        .list("kinds", "The kinds of values.", kind, \.keys),
        .list("values", "The values that were compared, the largest difference first.", values(at: "")) {
            $0.rows(of: $0.values)
        },
        .optional("greatest", "The value with the greatest difference.", greatestForm, \.greatest),
        .narrowed(\.narrowed), .assumed(\.assumed),
    ]

    private static let greatestForm = Columns<Greatest>(inOrder: [
        .field("key", "The attribute, or what else the value is of.", \.term.key),
        .field("value", "The value.", \.term.value),
        .number("difference", "The share of devices after, less the share before.", \.difference),
    ])

    private static let side = Columns<Side>(inOrder: [
        .field("capture", "The file, or what else stands for the captures.", \.name),
        .field("devices", "Its devices.", \.devices), .field("attestations", "Its attestations.", \.attestations),
        .field("hours", "The hours that it spans.", \.hours),
        .field("unjudged-devices", "Its devices that were not evaluated.", \.unevaluated),
    ])

    private static let kind = Columns<Key>(inOrder: [
        .field("key", "The attribute, or what else the values are of.", \.key).text("kind"),
        .field("values", "Its values that were compared.", \.values).figure("values"),
        .number("stability-index", "The population stability index over all of its values.", \.index)
            .figure("stability index") { .text($0.index.text(decimals: 3)) },
        .number("by-chance", "What the index is at most by chance alone, in 95 % of captures.", \.chance)
            .figure("by chance") { .text($0.chance.text(decimals: 3)) },
    ])

    // A value among all.
    private typealias Row = (value: Value, drift: DriftFigures)

    fileprivate var csv: [UInt8] { Self.values(at: level).csv(of: rows(of: values), narrowed: narrowed) }

    private func rows(of values: [Value]) -> [Row] { values.map { ($0, self) } }

    private static func values(at level: String) -> Columns<Row> {
        Columns(inOrder: [
            .field("key", "The attribute, or what else the value is of.", \.value.term.key)
                .text("devices that showed") { .code($0.value.condition) },
            .field("value", "The value.", \.value.term.value),
            .field("before", "Devices of the first capture that showed it.", \.value.before)
                .figure("before") { .share($0.value.before, of: $0.drift.old.devices) },
            .field("after", "Devices of the second capture that showed it.", \.value.after)
                .figure("after") { .share($0.value.after, of: $0.drift.new.devices) },
            .number("difference", "The share of devices after, less the share before.", \.value.difference)
                .figure("points") { .text(signed($0.value.difference)) },
            .number("lower", "The lower end of the difference's interval.", \.value.interval.lower)
                .figure(level, drawsIntervals: true) { row in
                    let (interval, words) = (
                        row.value.interval, [row.value.interval.lower, row.value.interval.upper].map(signed)
                    )
                    return .interval("\(words[0]) to \(words[1])", estimate: row.value.difference, interval)
                },
            .number("upper", "The upper end of the difference's interval.", \.value.interval.upper),
            .number("p", "The p-value of the difference, adjusted for all values.", \.value.pValue),
            .field("drifts", "True if the shares differ by more than chance explains.", \.value.isDrift),
            .optional("rare-values", "The number of values that are added up here, since few devices show each.") {
                $0.value.rare > 0 ? $0.value.rare : nil
            }.withoutCSV,
        ])
    }

    /// The line of a comparison about whether its captures are still like older ones.
    package var line: String {
        "\(new.name), compared with \(old.name): "
            + (drifts.isEmpty && emptiness == nil ? "still alike, " : "") + headline
    }
}
