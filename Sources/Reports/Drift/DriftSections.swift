internal import Documents
package import Figures
package import PolicyEngine
internal import Statistics

extension DriftFigures: PlainReport {
    /// The comparison in sections: what differs, what is new and what vanished, and the kinds of values.
    package var sections: [ReportSection] {
        [ReportSection(.notice(ReportText(headline, .strong)), sentences: sentences().map { ReportText($0) })].narrowed(
            to: narrowed)
            + details
    }

    /// The sections behind the headline.
    var details: [ReportSection] {
        [captures, moved, appearing(true), appearing(false), kinds].filter { !$0.isBare }
    }

    /// The result in a sentence.
    package var headline: String {
        if let emptiness { return "nothing was compared: \(emptiness)" }
        guard let first = drifts.first else {
            return "none of \(values.count.grouped) shares of devices differs by more than chance explains"
        }
        return "\(drifts.count.grouped) of \(values.count.grouped) shares of devices "
            + (drifts.count == 1 ? "differs" : "differ") + " by more than chance explains, "
            + "the largest by \(Self.points(first.difference.magnitude)) points: \(first.condition), "
            + "\(first.before.share(of: old.devices)) before and \(first.after.share(of: new.devices)) after"
    }

    /// The facts that the result rests on.
    ///
    /// - Parameter isCounted: True if the devices that are in both captures are counted elsewhere.
    func sentences(isCounted: Bool = false) -> [String] {
        var sentences = [
            (isCounted ? "" : "\(shared) in both captures; ")
                + "intervals (\(level)) are those of independent random samples"
                + (common == 0 ? "" : ", which are too wide rather than too narrow for common devices"),
            "differences are tested together (Benjamini–Yekutieli, 5 %), and the intervals of those that are found allow for "
                + "their selection"
                + (rare == 0
                    ? ""
                    : "; \(rare.counting("value")) that fewer than five devices \(rare.agreeing("shows", "show")) "
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
        let columns: [ReportTable.Column] = [
            .text("devices that showed"), .figure("before"), .figure("after"), .figure("points"), .figure(level),
        ]
        let rows = drifts.map { value in
            ReportTable.Row(
                cells: [
                    .code(value.condition), .share(value.before, of: old.devices),
                    .share(value.after, of: new.devices), .text(Self.signed(value.difference)),
                    .interval(
                        "\(Self.signed(value.interval.lower)) to \(Self.signed(value.interval.upper))",
                        estimate: value.difference, value.interval),
                ], anchor: "value \(value.condition)")
        }
        return ReportSection(.title("Shares that differ"), table: rows.isEmpty ? nil : .ranking(columns, rows: rows))
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
        let rows: [[ReportTable.Cell]] = keys.filter { $0.values > 0 }.map { key in
            [
                .text(key.key), .number(key.values), .text(key.index.text(decimals: 3)),
                .text(key.chance.text(decimals: 3)),
            ]
        }
        return ReportSection(
            .title("By kind of value"),
            sentences: [
                ReportText(
                    "the population stability index sums up all values of a kind; by chance alone it is at most the last "
                        + "figure in 95 % of captures")
            ],
            table: ReportTable(
                [.text("kind"), .figure("values"), .figure("stability index"), .figure("by chance")], rows))
    }

    /// A share in percentage points: `4.13`.
    package static func points(_ share: Double) -> String { (share * 100).text(decimals: 2) }

    private static func signed(_ share: Double) -> String { (share > 0 ? "+" : "") + points(share) }
}

extension DriftFigures {
    /// `{"version":1,"old":{…},"new":{…},"common-devices":n,…,"values":[{"key":…,"value":…,"before":n,"after":n,…}]}`
    package var json: JSONValue { Self.versioned.value(of: self) }

    /// The report as JSON.
    static let versioned = ObjectForm<DriftFigures>(inOrder: [.version] + members)

    /// The same as a member of a comparison.
    static let form = ObjectForm<DriftFigures>(inOrder: members)

    private static let members: [ObjectForm<DriftFigures>.Member] = [
        .object("old", side, \.old), .object("new", side, \.new), .field("common-devices", \.common),
        .field("level") { $0.level.filter { $0 != " " } }, .field("tested", \.values.count), .field("rare", \.rare),
        .field("drifting", \.drifts.count), .number("bound", \.bound), .field("unjudged-devices", \.unevaluated),
        .list("kinds", kind, \.keys), .list("values", value, \.values),
        .optional("greatest", greatestForm, \.greatest), .narrowed(\.narrowed),
    ]

    private static let greatestForm = ObjectForm<Greatest>(inOrder: [
        .field("key", \.term.key), .field("value", \.term.value), .number("difference", \.difference),
    ])

    private static let side = ObjectForm<Side>(inOrder: [
        .field("capture", \.name), .field("devices", \.devices), .field("attestations", \.attestations),
        .field("hours", \.hours), .field("unjudged-devices", \.unevaluated),
    ])

    private static let kind = ObjectForm<Key>(inOrder: [
        .field("key", \.key), .field("values", \.values), .number("stability-index", \.index),
        .number("by-chance", \.chance),
    ])

    private static let value = ObjectForm<Value>(inOrder: [
        .field("key", \.term.key), .field("value", \.term.value), .field("before", \.before), .field("after", \.after),
        .number("difference", \.difference), .number("lower", \.interval.lower), .number("upper", \.interval.upper),
        .number("p", \.pValue), .field("drifts", \.isDrift), .optional("rare-values") { $0.rare > 0 ? $0.rare : nil },
    ])

    /// The line of a comparison about whether its captures are still like older ones.
    package var line: String {
        "\(new.name), compared with \(old.name): "
            + (drifts.isEmpty && emptiness == nil ? "still alike, " : "") + headline
    }
}
