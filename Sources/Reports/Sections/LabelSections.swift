internal import Documents
internal import Figures
internal import PolicyEngine
internal import Statistics

extension LabelFigures {
    /// The verdicts of an account on labelled devices.
    ///
    /// - Parameters:
    ///   - cost: The costs of wrong verdicts; `nil` where none were given.
    ///   - level: The level of the intervals.
    func sections(cost: LabelCost?, at level: ConfidenceLevel) -> [ReportSection] {
        guard let lane = lanes.first else { return [] }
        let costs = cost.map { ["these verdicts cost \($0.cost(of: lane).grouped), \(Self.unit)"] } ?? []
        return [
            ReportSection(
                .title(Self.title),
                sentences: texts(lane.sentences(at: level) + [Self.assumption] + costs + ending(lanes)),
                table: Self.columns.table(of: rows))
        ]
    }

    /// The same as CSV, a row for each label.
    func csv(narrowed: NarrowedRecords?) -> [UInt8] { Self.columns.csv(of: rows, narrowed: narrowed) }

    // A label, and the verdicts of the account as it is on its devices.
    private typealias Row = (label: DeviceLabel, counts: LabelCounts)

    private var rows: [Row] {
        lanes.first.map { lane in DeviceLabel.allCases.map { ($0, lane[$0]) } } ?? []
    }

    private static let columns = Columns<Row>(inOrder: [
        .field("label", "The label.", \.label.rawValue).text(""),
        .field("devices", "Devices all of whose verdicts are known.", \.counts.devices).figure("devices"),
        .field("rejected", "Those of them that are rejected.", \.counts.rejected).figure("rejected"),
        .shown("share", .figure("share")) { .share($0.counts.rejected, of: $0.counts.devices) },
        .field("days", "Days on which they attested, of all devices together.", \.counts.days).figure("days"),
        .field("rejected-days", "The days on which they are rejected.", \.counts.rejectedDays).figure("rejected on"),
        .field("unevaluated", "Devices of which some verdict is not known.", \.counts.unevaluated)
            .figure("not evaluated"),
    ])

    /// The same before a change (lane 0) and after it.
    func comparedSections(cost: LabelCost?, at level: ConfidenceLevel) -> [ReportSection] {
        guard lanes.count == 2 else { return [] }
        let (before, after) = (lanes[0], lanes[1])
        var sentences: [String] = []
        if let cost {
            let saving = cost.saving(of: after)
            sentences.append(
                "the change \(saving < 0 ? "costs" : "saves") \(abs(saving).grouped): from \(cost.cost(of: before).grouped) "
                    + "to \(cost.cost(of: after).grouped), \(Self.unit)")
        }
        let rows: [[ReportTable.Cell]] = DeviceLabel.allCases.map { label in
            let (old, new) = (before[label], after[label])
            return [
                .text(label.rawValue), .number(new.devices), .number(old.rejected), .number(new.rejected),
                .number(new.newlyRejected), .number(new.noLongerRejected), .number(new.unevaluated),
            ]
        }
        var head = ReportSection(
            .title(Self.title), sentences: texts(sentences),
            table: ReportTable(
                [
                    .text(), .figure("devices"), .figure("rejected before"), .figure("after"),
                    .figure("newly"), .figure("no longer"), .figure("not evaluated"),
                ], rows), place: .half)
        head.notes = texts([Self.assumption] + ending(lanes))
        var measures = ReportSection(
            .continuation,
            table: ReportTable(
                [.text(), .figure("before"), .figure("after")],
                zip(before.measures(at: level), after.measures(at: level)).map { old, new in
                    [.text(old.words), .text(old.figure), .text(new.figure)]
                }), place: .below)
        measures.intervals = Self.blocked(before, after, at: level)
        return [head, measures]
    }

    // The shares of good devices that are blocked, on one axis; `nil` without good devices.
    private static func blocked(
        _ before: LabelLane, _ after: LabelLane, at level: ConfidenceLevel
    ) -> IntervalPlot? {
        guard let old = before.blockedShare(at: level), let new = after.blockedShare(at: level) else { return nil }
        return IntervalPlot(
            title: ReportText("Good devices that are blocked", .strong)
                + ReportText(", of all good ones: these (dot), and all devices at \(level.text) (bar)"),
            rows: [old.plotted("before", .neutral), new.plotted("after", .worse)])
    }

    /// The title of the section, in all reports.
    static let title = "Labelled devices"

    /// The assumption that intervals of labelled devices rest on.
    static let assumption =
        "intervals hold if labelled devices are a random sample, and like the others; one label on a model, a network or a "
        + "user is one cluster, not as many devices"

    /// The unit of costs.
    static let unit = "by device and day"

    /// The sentences on the labels themselves.
    func ending(_ lanes: [LabelLane]) -> [String] {
        let unknown = lanes.first?.unknown.devices ?? 0
        var sentences = [
            "\(unknown.counting("device")) \(unknown.agreeing("has", "have")) no label, and may be bad or good",
            "a device that is already rejected must have been labelled earlier",
        ]
        if exempted.bad + exempted.good + exempted.unknown > 0 {
            sentences.append(
                "entries and the filtered policy let \(exempted.bad.grouped) bad, \(exempted.good.grouped) good and "
                    + "\(exempted.unknown.grouped) unknown devices through, which the policy of the account did not test"
            )
        }
        if !unmatched.isEmpty {
            let named = unmatched.prefix(Self.namedLimit).map { "\($0.attribute) \($0.value) (line \($0.line))" }
            let rest = unmatched.count - named.count
            let fit = unmatched.count.agreeing("fits", "fit")
            sentences.append(
                "\(unmatched.count.grouped) of \(labels.counting("label")) \(fit) no record: "
                    + named.joined(separator: ", ") + (rest > 0 ? " and \(rest.grouped) more" : ""))
        }
        return sentences
    }

    private static let namedLimit = 10

    private func texts(_ sentences: [String]) -> [ReportText] { sentences.map { ReportText($0) } }
}

extension LabelLane {
    /// Recall, precision, and the good devices that are blocked, always in this order.
    func sentences(at level: ConfidenceLevel) -> [String] { measures(at: level).map { "\($0.words): \($0.figure)" } }

    /// The same in two parts each, words and figure: `bad devices that are caught` and
    /// `3 of 4, recall 75.0 % (95 %: 59.8–85.8 %)`.
    fileprivate func measures(at level: ConfidenceLevel) -> [(words: String, figure: String)] {
        [
            (
                "bad devices that are caught",
                Self.figure(bad.rejected, of: bad.devices, bad.unevaluated, "recall", recall(at: level))
            ),
            (
                "labelled devices among the rejected ones that are bad",
                Self.figure(
                    bad.rejected, of: bad.rejected + good.rejected, bad.unevaluated + good.unevaluated, "precision",
                    precision(at: level))
            ),
            (
                "good devices that are blocked",
                Self.figure(good.rejected, of: good.devices, good.unevaluated, "share", blockedShare(at: level))
            ),
        ]
    }

    private static func figure(
        _ part: Int, of all: Int, _ unevaluated: Int, _ name: String, _ share: LabelShare?
    ) -> String {
        "\(part.grouped) of \(all.grouped)" + (share.map { ", \(name) \($0.text)" } ?? "")
            + (unevaluated > 0 ? ", and \(unevaluated.grouped) not evaluated, which may be either" : "")
    }
}

/// A share of labelled devices with its interval.
struct LabelShare {
    let count: Int
    let total: Int
    /// The ends of the interval in millionths; a device that is not evaluated may be either.
    let interval: ClosedRange<Int>
    private let level: ConfidenceLevel

    /// - Returns: `nil` of no devices.
    init?(_ count: Int, of total: Int, unknown: Int, at level: ConfidenceLevel) {
        guard let share = Proportion(count, of: total) else { return nil }
        let ends = share.interval(at: level.confidence, unknown: unknown)
        (self.count, self.total, self.level) = (count, total, level)
        interval = Self.millionths(ends.lower)...Self.millionths(ends.upper)
    }

    /// The share as a row of a plot.
    func plotted(_ name: String, _ tone: ReportPlot.Tone) -> IntervalPlot.Row {
        IntervalPlot.Row(
            name: name, estimate: Double(count) / Double(total),
            interval: ConfidenceInterval(
                Double(interval.lowerBound) / 1_000_000, Double(interval.upperBound) / 1_000_000), tone: tone)
    }

    private static func millionths(_ share: Double) -> Int { Int((share * 1_000_000).rounded()) }

    /// The share with its interval: `75.0 % (95 %: 59.8–85.8 %)`.
    var text: String {
        let (lower, upper) = (Self.tenths(interval.lowerBound), Self.tenths(interval.upperBound))
        return "\(count.share(of: total)) (\(level.text): \(lower)–\(upper) %)"
    }

    private static func tenths(_ millionths: Int) -> String {
        let tenths = (millionths + 500) / 1000
        return "\(tenths / 10).\(tenths % 10)"
    }

    /// `{"share":0.750000,"at-least":0.598063,"at-most":0.858125}`.
    static let columns = Columns<LabelShare>(inOrder: [
        .value("share", "The share in the captures, from 0 to 1.", .number) {
            number($0.count.scaled(by: 1_000_000, over: $0.total))
        },
        .value("at-least", "The lower end of its interval.", .number) { number($0.interval.lowerBound) },
        .value("at-most", "The upper end of its interval.", .number) { number($0.interval.upperBound) },
    ])

    private static func number(_ millionths: Int) -> JSONValue {
        .number("\(millionths / 1_000_000).\((millionths % 1_000_000).zeroPadded(to: 6))")
    }
}

extension LabelLane {
    /// Of the bad devices, those that are caught.
    func recall(at level: ConfidenceLevel) -> LabelShare? {
        LabelShare(bad.rejected, of: bad.devices, unknown: bad.unevaluated, at: level)
    }

    /// Of the labelled devices that are rejected, those that are bad.
    func precision(at level: ConfidenceLevel) -> LabelShare? {
        LabelShare(
            bad.rejected, of: bad.rejected + good.rejected, unknown: bad.unevaluated + good.unevaluated, at: level)
    }

    /// Of the good devices, those that are blocked.
    func blockedShare(at level: ConfidenceLevel) -> LabelShare? {
        LabelShare(good.rejected, of: good.devices, unknown: good.unevaluated, at: level)
    }
}
