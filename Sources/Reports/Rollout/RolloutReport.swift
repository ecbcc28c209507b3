package import Analysis
internal import Documents
internal import Figures
package import PolicyEngine

// The report on a rollout: newly rejected devices by time, a table of its steps, and their commands.
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
            noticedOfAll
        ) { rollout in rollout.notice.map { ($0, rollout.noticedPoint) } },
        .list("steps", "The steps, in their order.", stepColumns, \.rows),
        .list(
            "curve", "The devices so far: at the start, at even distances from then on, and at the end.",
            RolloutCurve.columns, \.curve.points),
        .optional("labels", "The labels that devices were given.", LabelReport.ofLabels, \.labels),
        .narrowed(\.narrowed), .assumed(\.assumed),
    ])

    // The notice of all steps together, and the devices by then.
    private typealias NoticeOfAll = (notice: RolloutNotice, point: RolloutCurve.Point?)

    private static let noticedOfAll = Columns<NoticeOfAll>(
        inOrder: noticed.all.map { $0.of(\NoticeOfAll.notice) } + [
            .optional("time", "The time then.") { $0.point?.time },
            .optional("newly-rejected-devices", "Newly rejected devices by then.") { $0.point?.rejected },
            .optional("at-once-devices", "Those there would be by then without any steps.") { $0.point?.atOnce },
        ])

    private static let noticed = Columns<RolloutNotice>(inOrder: [
        .field("runs", "Runs in which a difference is noticed.", \.noticed),
        .field("percent", "The percentage of all runs that `seconds` is of.") { _ in RolloutNotice.percent }.withoutCSV,
        .field(
            "seconds", "Seconds until it is noticed in this percentage of the runs; null where it is in fewer.",
            \.seconds),
    ])

    /// A step of a rollout.
    struct Step {
        let rollout: Rollout
        let index: Int

        var figures: StepFigures { rollout.steps[index] }
        var stage: RolloutStage { rollout.plan.steps[index].stage }
        var isReached: Bool { rollout.isReached(index) }
        var start: Instant { rollout.start(of: index) }
    }

    static let stepColumns = Columns<Step>(inOrder: figureColumns + shownLabels)

    private static let figureColumns: [Column<Step>] = [
        .field("percent", "The share of devices of the step, in percent, as it was typed.", \.stage.percent)
            .text("step") { .text($0.stage.words) },
        .field("start", "When the step begins.", \.start).text("from") { .time($0.rollout.clock($0.start)) },
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
            .figure("devices met") { $0.isReached ? .number($0.figures.met) : .text("not reached") },
        .shown("share", .figure("share"), reached { .share($0.figures.met, of: $0.rollout.evaluated) }),
        .field(
            "newly-rejected-devices", "Devices so far that failed at least once where they would not have.",
            \.figures.rejected
        )
        .figure("newly rejected", as: reached { .number($0.figures.rejected) }),
        .field(
            "newly-accepted-devices", "Devices so far that passed at least once where they would not have.",
            \.figures.accepted
        )
        .figure("newly accepted", as: reached { .number($0.figures.accepted) }),
        .field("lost-fetches", "Fetches so far that brought no valid token because of the rollout.", \.figures.lost)
            .figure("fetches lost", as: reached { .number($0.figures.lost) }),
        .object(
            orNull: "noticed", "When a difference is noticed in the step; null where all devices are in the step.",
            noticed, \.figures.notice),
        .shown(
            "words", .figure("noticed"),
            reached { .text($0.figures.notice?.inStep ?? "no others left") }),
        .optional("labels", "The labelled devices so far.", labelColumns) { step in
            step.figures.labels.map { ($0, step.rollout.cost) }
        }.csvWithoutPrefix,
    ]

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
                "labels", .figure(label == .unknown ? "without a label" : label.rawValue),
                reached { .number($0.figures.labels?.rejected[label] ?? 0) })
        } + [
            .shown(
                "labels.cost", .figure("saved"),
                reached { step in
                    guard let cost = step.rollout.cost, let labels = step.figures.labels else { return .text("") }
                    return .change(cost.saving(of: labels.days), more: .good)
                })
        ]

    // Cells of steps that are not reached are empty.
    private static func reached(_ cell: @escaping @Sendable (Step) -> ReportTable.Cell)
        -> Column<Step>.Reading<ReportTable.Cell>
    {
        { $0.isReached ? cell($0) : .text("") }
    }

    var rows: [Step] { steps.indices.map { Step(rollout: self, index: $0) } }

    /// Labels and costs, where nobody gave them.
    var omitted: Set<String> {
        labels == nil ? ["labels"] : cost == nil ? ["labels.cost", "labels.saves"] : []
    }

    package var json: JSONValue { Self.columns.value(of: self) }

    package var csv: [UInt8] { Self.stepColumns.csv(of: rows, without: omitted, narrowed: narrowed) }
}

extension RolloutCurve {
    static let columns = Columns<Point>(inOrder: [
        .field("time", "The time.", \.time),
        .field("met-devices", "Devices that the policy decided on.", \.met).figure("devices met"),
        .field("newly-rejected-devices", "Newly rejected devices.", \.rejected).figure("newly rejected"),
        .field("at-once-devices", "Those there would be without any steps.", \.atOnce).figure("all at once"),
    ])
}

extension RolloutStage {
    /// The share in words: `0.1 %`.
    var words: String { "\(percent) %" }
}

extension RolloutNotice {
    /// The result in words: `noticed after 3 h 40 min in 90 % of 200 runs`.
    var words: String {
        guard let seconds else { return "noticed in \(noticed.grouped) of \(runs.grouped) runs" }
        return "noticed after \(RolloutDuration.words(seconds)) in \(Self.percent) % of \(runs.grouped) runs"
    }

    /// The same of a step, in a column that says what is noticed: `after 3 h 40 min`, or `in 54 of 200 runs`.
    fileprivate var inStep: String {
        seconds.map { "after \(RolloutDuration.words($0))" } ?? "in \(noticed.grouped) of \(runs.counting("run"))"
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
