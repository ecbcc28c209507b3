internal import Documents
internal import Figures

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
                sentences: texts(lane.sentences(at: level) + costs + ending(lanes)),
                table: ReportTable(
                    [
                        .text(), .figure("devices"), .figure("rejected"), .figure("share"), .figure("days"),
                        .figure("rejected on"), .figure("not evaluated"),
                    ], DeviceLabel.allCases.map { Self.row($0, lane[$0]) }))
        ]
    }

    private static func row(_ label: DeviceLabel, _ counts: LabelCounts) -> [ReportTable.Cell] {
        [
            .text(label.rawValue), .number(counts.devices), .number(counts.rejected),
            .share(counts.rejected, of: counts.devices), .number(counts.days), .number(counts.rejectedDays),
            .number(counts.unevaluated),
        ]
    }

    /// The same before a change (lane 0) and after it.
    func comparedSections(cost: LabelCost?, at level: ConfidenceLevel) -> [ReportSection] {
        guard lanes.count == 2 else { return [] }
        let (before, after) = (lanes[0], lanes[1])
        var sentences = zip(before.sentences(at: level), after.sentences(at: level)).flatMap {
            ["before: \($0)", "after: \($1)"]
        }
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
        return [
            ReportSection(
                .title(Self.title), sentences: texts(sentences + ending(lanes)),
                table: ReportTable(
                    [
                        .text(), .figure("devices"), .figure("rejected before"), .figure("after"),
                        .figure("newly"), .figure("no longer"), .figure("not evaluated"),
                    ], rows))
        ]
    }

    /// The title of the section, in all reports.
    static let title = "Labelled devices"

    /// The unit of costs.
    static let unit = "by device and day"

    /// The sentences on the labels themselves.
    func ending(_ lanes: [LabelLane]) -> [String] {
        var sentences = [
            "\(lanes.first?.unknown.devices.grouped ?? "0") devices have no label, and may be bad or good",
            "the labels of devices that are rejected already can only be known from before",
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
            sentences.append(
                "\(unmatched.count.grouped) of \(labels.grouped) labels fit no record: "
                    + named.joined(separator: ", ") + (rest > 0 ? " and \(rest.grouped) more" : ""))
        }
        return sentences
    }

    private static let namedLimit = 10

    private func texts(_ sentences: [String]) -> [ReportText] { sentences.map { ReportText($0) } }
}

extension LabelLane {
    /// Recall, precision, and the good devices that are blocked, always in this order.
    func sentences(at level: ConfidenceLevel) -> [String] {
        [
            "bad devices that are caught: \(bad.rejected.grouped) of \(bad.devices.grouped)"
                + Self.share("recall", recall(at: level)),
            "labelled devices among the rejected ones that are bad: \(bad.rejected.grouped) of "
                + "\((bad.rejected + good.rejected).grouped)" + Self.share("precision", precision(at: level)),
            "good devices that are blocked: \(good.rejected.grouped) of \(good.devices.grouped)"
                + Self.share("share", blockedShare(at: level)),
        ]
    }

    private static func share(_ name: String, _ share: LabelShare?) -> String {
        share.map { ", \(name) \($0.text)" } ?? ""
    }
}
