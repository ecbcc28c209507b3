internal import Documents
internal import Figures

extension LabelFigures {
    /// The verdicts of an account on labelled devices.
    ///
    /// - Parameter cost: The costs of wrong verdicts; `nil` where none were given.
    func sections(cost: LabelCost?) -> [ReportSection] {
        guard let lane = lanes.first else { return [] }
        let costs = cost.map { ["these verdicts cost \($0.cost(of: lane).grouped), \(Self.unit)"] } ?? []
        return [
            ReportSection(
                .title(Self.title),
                sentences: texts(lane.sentences + costs + ending(lanes)),
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
    func comparedSections(cost: LabelCost?) -> [ReportSection] {
        guard lanes.count == 2 else { return [] }
        let (before, after) = (lanes[0], lanes[1])
        var sentences = zip(before.sentences, after.sentences).flatMap { ["before: \($0)", "after: \($1)"] }
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
    var sentences: [String] {
        [
            "of \(bad.devices.grouped) bad devices \(bad.rejected.grouped) are caught and \(bad.passed.grouped) missed"
                + Self.share("recall", recall),
            "of \((bad.rejected + good.rejected).grouped) labelled devices that are rejected \(bad.rejected.grouped) are bad"
                + Self.share("precision", precision),
            "of \(good.devices.grouped) good devices \(good.rejected.grouped) are blocked"
                + Self.share("share", blockedShare),
        ]
    }

    private static func share(_ name: String, _ share: LabelShare?) -> String {
        share.map { ": \(name) \($0.text)" } ?? ""
    }
}
