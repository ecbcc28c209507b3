package import Analysis
internal import Documents
internal import Figures
internal import PolicyEngine

extension Rollout {
    /// The report in sections: a sentence, a table of the steps, and their commands.
    package var sections: [ReportSection] {
        let sections = [
            ReportSection(.notice(ReportText(headline, .strong))),
            ReportSection(
                .title("Steps"), sentences: sentences.map { ReportText($0) }, table: ReportTable(columns, rows)),
            commands,
        ]
        return sections.narrowed(to: narrowed)
    }

    /// The figures of the last step.
    var end: StepFigures { steps[steps.count - 1] }

    /// The number of devices of which the effects are known.
    var evaluated: Int { devices - unevaluated }

    private var headline: String {
        let share = end.rejected > 0 ? " (\(end.rejected.share(of: evaluated)))" : ""
        return
            "\(end.rejected.grouped) of \(evaluated.counting("device"))\(share) would newly be rejected by the end of the "
            + "rollout" + (goodRejected.map { ", \($0.grouped) of them good" } ?? "")
            + (end.accepted > 0 ? "; \(end.accepted.grouped) would newly be accepted" : "")
            + (notice.map { "; a difference is \($0.words)" } ?? "")
    }

    /// The sentences on what the figures rest on.
    var sentences: [String] {
        let counted = "the figures are of this \(isOfCapture ? "capture" : "scenario")"
        var sentences = ["\(counted) and of the devices that the account samples on its days; other days sample others"]
        if notice != nil {
            sentences.append(
                "a sequential test compares the failing sampled devices with the other failing ones after each failure; "
                    + "it is of level \(Self.level) for the whole rollout, in \(runs.count.grouped) runs with other "
                    + "sampled devices, by the seed \(runs.seed)")
        }
        if let filteredPolicy = plan.filteredPolicy, filteredPolicy.rules != plan.policy.rules {
            sentences.append(
                "the filtered policy needs rules other than the account's (R7.3): until all devices are in it, the "
                    + "change comes with the rules \(filteredPolicy.rules), which may set other flags at the service")
        }
        if let step = steps.indices.first(where: { !isReached($0) }) {
            sentences.append(
                "the \(isOfCapture ? "capture" : "scenario") ends at \(last), before the step of "
                    + "\(plan.steps[step].stage.words)")
        }
        if let labels { sentences += labels.ending(labels.lanes) }
        if unevaluated > 0 {
            sentences.append(
                "\(unevaluated.counting("device")) \(unevaluated.agreeing("is", "are")) not evaluated, because a search of a filter was given up"
            )
        }
        return sentences
    }

    /// The newly rejected devices that are found wrong, because they are good; `nil` without labels.
    var goodRejected: Int? { end.labels.map { $0.rejected[.good] ?? 0 } }

    /// The columns of labelled devices; none without labels.
    var labelColumns: [ReportTable.Column] {
        guard labels != nil else { return [] }
        let names = DeviceLabel.allCases.map { "\($0.rawValue) ones of these" }
        return (names + (cost == nil ? [] : ["saved so far"])).map { .figure($0) }
    }

    /// The cells of these columns.
    func labelCells(_ figures: StepFigures) -> [ReportTable.Cell] {
        guard let labels = figures.labels else { return [] }
        return DeviceLabel.allCases.map { .number(labels.rejected[$0] ?? 0) }
            + (cost.map { [.number($0.saving(of: labels.days))] } ?? [])
    }

    private static var level: String { "\(Int((RolloutWatch.significance * 100).rounded())) %" }

    private var columns: [ReportTable.Column] {
        [
            .text("step"), .text("from"), .figure("devices met so far"), .figure("share"),
            .figure("newly rejected so far"),
        ] + labelColumns + [
            .figure("newly accepted so far"), .figure("fetches lost so far"), .text("a difference is"),
        ]
    }

    private var rows: [[ReportTable.Cell]] {
        steps.indices.map { index in
            let figures = steps[index]
            let head: [ReportTable.Cell] = [
                .text(plan.steps[index].stage.words), .time("\(start(of: index))"),
            ]
            guard isReached(index) else { return Self.unreached(head, columns.count) }
            return head + [
                .number(figures.met), .share(figures.met, of: evaluated), .number(figures.rejected),
            ] + labelCells(figures) + [
                .number(figures.accepted), .number(figures.lost),
                .text(figures.notice?.words ?? "not tested: there are no other devices"),
            ]
        }
    }

    /// The row of a step that is not reached.
    ///
    /// - Parameters:
    ///   - head: Its first cells.
    ///   - count: The number of columns.
    static func unreached(_ head: [ReportTable.Cell], _ count: Int) -> [ReportTable.Cell] {
        let row = head + [.text("not reached")]
        return row + Array(repeating: .text(""), count: max(0, count - row.count))
    }

    /// The commands, step by step.
    var commands: ReportSection {
        let lists = steps.indices.map { index in
            ReportList(
                head: ReportText("\(plan.steps[index].stage.words) at \(start(of: index)):"),
                items: plan.steps[index].commands, isOutput: true)
        }
        return ReportSection(.title("Commands"), lists: lists)
    }
}

extension RolloutStage {
    /// The share in words: `0.1 %`.
    var words: String { "\(percent) %" }
}

extension RolloutNotice {
    /// The result in words: `noticed after 3 h 40 min in 90 % of 200 runs`.
    var words: String {
        if let seconds {
            return "noticed after \(RolloutDuration.words(seconds)) in \(Self.percent) % of \(runs.grouped) runs"
        }
        return "noticed in \(noticed.grouped) of \(runs.grouped) runs"
    }
}

/// Durations as people say them.
enum RolloutDuration {
    private static let units = [("d", 86_400), ("h", 3600), ("min", 60), ("s", 1)]

    /// A duration in its two largest units, rounded up: `3 h 40 min`, `2 d`, `45 s`.
    static func words(_ seconds: Int) -> String {
        let largest = units.firstIndex { seconds >= $0.1 } ?? units.count - 1
        let shown = units[largest...].prefix(2)
        let least = shown.last?.1 ?? 1
        var rest = (seconds + least - 1) / least * least
        // Rounded up, 59 min 60 s is an hour.
        if let larger = units[..<largest].last, rest >= larger.1 { return "1 \(larger.0)" }
        return shown.compactMap { name, size in
            let count = rest / size
            rest %= size
            return count > 0 || seconds == 0 && size == 1 ? "\(count) \(name)" : nil
        }.joined(separator: " ")
    }
}
