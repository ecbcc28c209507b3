package import Analysis
internal import Documents
internal import Figures
package import PolicyEngine

// The report on a rollout: a table of its steps, and their commands.
extension Rollout: SectionedAnswer {
    package static let forms: [ReportForm] = [.text, .json, .markdown, .html, .csv]
    package static let kind = ReportKind("rollout", "Rollout", columns)

    static let columns = Columns<Rollout>(inOrder: [
        .version, .field("policy", "The policy that is rolled out.") { "\($0.plan.policy)" },
        .field("filtered-policy", "The policy of sampled devices; null where the first step has all devices.") {
            $0.plan.filteredPolicy.map { "\($0)" }
        }, .field("start", "When the rollout starts.", \.start),
        .field("end", "When the captures end, or the scenario does.", \.last),
        .optional("attestations", "Attestations of the captures.") { $0.isOfCapture ? $0.events : nil },
        .optional("fetches", "Fetches of the scenario.") { $0.isOfCapture ? nil : $0.events },
        .field("devices", "Devices of the captures or of the scenario.", \.devices),
        .field(
            "unjudged-devices", "Devices that were not evaluated, since a search of a filter was given up.",
            \.unevaluated),
        .field("runs", "Runs with other sampled devices, in which the rollout is watched.", \.runs.count),
        .field("seed", "The seed of these runs.") { "\($0.runs.seed)" },
        .object(
            orNull: "noticed",
            "When a difference is noticed, from the start on; null where there is nothing to compare.",
            noticed, \.notice),
        .list("steps", "The steps, in their order.", stepColumns, \.rows),
        .optional("labels", "The labels that devices were given.", LabelReport.ofLabels, \.labels),
        .narrowed(\.narrowed),
    ])

    private static let noticed = Columns<RolloutNotice>(inOrder: [
        .field("runs", "Runs in which a difference is noticed.", \.noticed),
        .field("percent", "The percentage of all runs that `seconds` is of.") { _ in RolloutNotice.percent }.withoutCSV,
        .field(
            "seconds", "Seconds until it is noticed in this percentage of the runs; null where it is in fewer.",
            \.seconds),
    ])

    // A step of a rollout.
    private struct Step {
        let rollout: Rollout
        let index: Int

        var figures: StepFigures { rollout.steps[index] }
        var stage: RolloutStage { rollout.plan.steps[index].stage }
        var isReached: Bool { rollout.isReached(index) }
        var start: Instant { rollout.start(of: index) }
    }

    private static let stepColumns = Columns<Step>(inOrder: figureColumns + shownLabels)

    private static let figureColumns: [Column<Step>] = [
        .field("percent", "The share of devices of the step, in percent, as it was typed.", \.stage.percent)
            .text("step") { .text($0.stage.words) },
        .field("start", "When the step begins.", \.start).text("from") { .time("\($0.start)") },
        .field("seconds", "How long the step lasts, in seconds; null for the last one.", \.stage.seconds).withoutCSV,
        .field("reached", "False if the captures or the scenario end before the step is in force.", \.isReached),
        .field("commands", "The management commands that begin the step.") { $0.rollout.plan.steps[$0.index].commands },
        .optional("attestations", "Attestations while the step is in force.") {
            $0.rollout.isOfCapture ? $0.figures.events : nil
        }.withoutCSV,
        .optional("fetches", "Fetches while the step is in force.") {
            $0.rollout.isOfCapture ? nil : $0.figures.events
        }.withoutCSV, .onlyCSV("events", of: "events") { .count($0.figures.events) },
        .field("met-devices", "Devices so far that the policy decided on.", \.figures.met)
            .figure("devices met so far") { $0.isReached ? .number($0.figures.met) : .text("not reached") },
        .shown(
            "share", .figure("share", page: "share of devices"),
            reached { .share($0.figures.met, of: $0.rollout.evaluated) }),
        .field(
            "newly-rejected-devices", "Devices so far that failed at least once where they would not have.",
            \.figures.rejected
        )
        .figure("newly rejected so far", as: reached { .number($0.figures.rejected) }),
        .field(
            "newly-accepted-devices", "Devices so far that passed at least once where they would not have.",
            \.figures.accepted
        )
        .figure("newly accepted so far", as: reached { .number($0.figures.accepted) }),
        .field("lost-fetches", "Fetches so far that brought no valid token because of the rollout.", \.figures.lost)
            .figure("fetches lost so far", as: reached { .number($0.figures.lost) }),
        .object(
            orNull: "noticed", "When a difference is noticed in the step; null where all devices are in the step.",
            noticed, \.figures.notice),
        .shown(
            "words", .text("a difference is"),
            reached { step in
                .text(step.figures.notice?.words ?? "not tested: there are no other devices")
            }),
        .shown(
            "noticed", .figure("runs that notice"),
            reached { step in
                step.figures.notice.map { .share($0.noticed, of: $0.runs) } ?? .text("not tested")
            }),
        .shown(
            "noticed", .figure(minutes),
            reached { step in
                step.figures.notice?.seconds.map { .number(($0 + 59) / 60) } ?? .text("–")
            }),
        .optional("labels", "The labelled devices so far.", labelColumns) { step in
            step.figures.labels.map { ($0, step.rollout.cost) }
        }.csvWithoutPrefix,
    ]

    private static let minutes = "noticed after, in minutes"

    // The labelled devices of a step, and what wrong verdicts cost.
    private typealias Labels = (figures: StepLabels, cost: LabelCost?)

    private static let labelColumns = Columns<Labels>(inOrder: [
        .object("newly-rejected", "Devices that are newly rejected, by their label.", byLabel, \.figures),
        .optional("cost", "What the verdicts cost, as if the capture ended with the step.") { labels in
            labels.cost.map { $0.cost(of: labels.figures.days) }
        },
        .optional("saves", "What the rollout saves by then; below 0 if it costs more.") { labels in
            labels.cost.map { $0.saving(of: labels.figures.days) }
        },
    ])

    private static let byLabel = Columns<StepLabels>(
        inOrder: DeviceLabel.allCases.map { label in
            .field(label.rawValue, label.meaning) { $0.rejected[label] ?? 0 }
        })

    private static let shownLabels: [Column<Step>] =
        DeviceLabel.allCases.map { label in
            .shown(
                "labels", .figure("\(label.rawValue) ones of these"),
                reached { .number($0.figures.labels?.rejected[label] ?? 0) })
        } + [
            .shown(
                "labels.cost", .figure("saved so far"),
                reached { step in
                    guard let cost = step.rollout.cost, let labels = step.figures.labels else { return .text("") }
                    return .number(cost.saving(of: labels.days))
                })
        ]

    // Cells of steps that are not reached are empty.
    private static func reached(_ cell: @escaping @Sendable (Step) -> ReportTable.Cell)
        -> Column<Step>.Reading<ReportTable.Cell>
    {
        { $0.isReached ? cell($0) : .text("") }
    }

    private var rows: [Step] { steps.indices.map { Step(rollout: self, index: $0) } }

    // Labels and costs, where nobody gave them.
    private var omitted: Set<String> {
        labels == nil ? ["labels"] : cost == nil ? ["labels.cost", "labels.saves"] : []
    }

    package var json: JSONValue { Self.columns.value(of: self) }

    package var csv: [UInt8] { Self.stepColumns.csv(of: rows, without: omitted, narrowed: narrowed) }
}

// MARK: Text

extension Rollout {
    /// The report in sections: a sentence, a table of the steps, and their commands.
    package var sections: [ReportSection] {
        let sections = [
            ReportSection(.notice(ReportText(headline, .strong))),
            ReportSection(
                .title("Steps"), sentences: sentences.map { ReportText($0) }, table: table),
            commands,
        ]
        return sections.narrowed(to: narrowed)
    }

    // The figures of the last step.
    private var end: StepFigures { steps[steps.count - 1] }

    // The number of devices of which the effects are known.
    private var evaluated: Int { devices - unevaluated }

    private var headline: String {
        let share = end.rejected > 0 ? " (\(end.rejected.share(of: evaluated)))" : ""
        return
            "\(end.rejected.grouped) of \(evaluated.counting("device"))\(share) would newly be rejected by the end of the "
            + "rollout" + (goodRejected.map { ", \($0.grouped) of them good" } ?? "")
            + (end.accepted > 0 ? "; \(end.accepted.grouped) would newly be accepted" : "")
            + (notice.map { "; a difference is \($0.words)" } ?? "")
    }

    // The sentences on what the figures rest on.
    private var sentences: [String] {
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

    // The newly rejected devices that are found wrong, because they are good; `nil` without labels.
    private var goodRejected: Int? { end.labels.map { $0.rejected[.good] ?? 0 } }

    private static var level: String { "\(Int((RolloutWatch.significance * 100).rounded())) %" }

    private var table: ReportTable {
        Self.stepColumns.table(
            of: rows,
            showing: [
                "percent", "start", "met-devices", "share", "newly-rejected-devices", "labels", "labels.cost",
                "newly-accepted-devices", "lost-fetches", "words",
            ], without: omitted)
    }

    // The commands, step by step.
    private var commands: ReportSection {
        let lists = steps.indices.map { index in
            ReportList(
                head: ReportText("\(plan.steps[index].stage.words) at \(start(of: index)):"),
                items: plan.steps[index].commands, isOutput: true)
        }
        return ReportSection(.title("Commands"), lists: lists)
    }
}

// MARK: Page

extension Rollout {
    /// The report as a page, with plots of the devices that met the change and of the time until it is noticed.
    package func page(in setting: ReportSetting) -> ReportPage {
        let (name, origin) = (plan.before.name, setting.origin)
        let subject = "rollout of \(plan.policy) in \(steps.count == 1 ? "1 step" : "\(steps.count) steps")"
        return ReportPage(
            title: name.isEmpty ? subject : "\(name): \(subject)",
            scope: narrowed.scope + [SpanWords.text(from: start, to: last), devices.counting("device")], head: head,
            sections: [plotted, commands, grounds] + origin.sections(), origin: origin)
    }

    private var head: ReportHead {
        var head = ReportHead(answer, details: [ReportText(consequence)])
        if let seconds = notice?.seconds {
            head.facts.append(
                .init(
                    "A difference is noticed after", RolloutDuration.words(seconds),
                    ReportText("in \(RolloutNotice.percent) % of \(runs.count.counting("run"))")))
        }
        head.facts.append(
            .init(
                "Newly rejected by the end", end.rejected.grouped, of: "of \(evaluated.grouped)",
                ReportText(end.rejected.share(of: evaluated))))
        if end.accepted > 0 {
            head.facts.append(
                .init(
                    "Newly accepted by the end", end.accepted.grouped, of: "of \(evaluated.grouped)",
                    ReportText(end.accepted.share(of: evaluated))))
        }
        head.facts.append(.init("\(isOfCapture ? "Attestations" : "Fetches") that lose their token", end.lost.grouped))
        return head
    }

    private var answer: String {
        guard let notice else {
            return "\(end.rejected.grouped) of \(evaluated.counting("device")) would newly be rejected"
        }
        guard let seconds = notice.seconds else {
            return "A mistake would be noticed in \(notice.noticed.grouped) of \(notice.runs.counting("run")) only"
        }
        return "A mistake would be noticed after \(RolloutDuration.words(seconds))"
    }

    private var consequence: String {
        let all =
            "By the end \(end.rejected.grouped) of \(evaluated.counting("device")) (\(end.rejected.share(of: evaluated))) would newly be rejected."
        return all + (goodRejected.map { " \($0.grouped) of these \($0.agreeing("is", "are")) labelled good." } ?? "")
    }

    private var grounds: ReportSection {
        var section = ReportSection(.title("What this rests on"))
        section.terms = sentences.map { .init("", ReportText($0)) }
        return section
    }

    private var plotted: ReportSection {
        let table = Self.stepColumns.table(of: rows, without: omitted.union(["words"]))
        var section = ReportSection(.title("Steps"), table: table)
        let marks = Dictionary(uniqueKeysWithValues: rows.map { ($0.index, $0.stage.words) })
        func panel(_ title: String, _ column: String) -> ReportPlot.Panel {
            let index = table.columns.firstIndex { $0.pageTitle == column } ?? 0
            return ReportPlot.Panel(title: title, series: [.init(name: column, column: index, tone: .neutral)])
        }
        var panels = [panel("share of devices that met the change so far", "share of devices")]
        if steps.contains(where: { $0.notice?.seconds != nil }) {
            let words = "minutes until it is noticed in \(RolloutNotice.percent) % of the runs"
            panels.append(panel(words, Self.minutes))
        }
        section.plots = [ReportPlot(title: "Rollout by step", panels: panels, marks: marks)]
        section.showsTable = true
        return section
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
