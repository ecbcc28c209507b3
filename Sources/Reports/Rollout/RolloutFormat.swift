package import Analysis
internal import Figures
package import PolicyEngine

/// The forms of a report on a rollout.
package enum RolloutFormat: String, Hashable, Sendable, CaseIterable {
    case text, json, markdown
    /// One page with plots, for a browser.
    case html
    /// A row for each step, as comma-separated values.
    case csv

    /// The report in this form, by the parameters of ``PagedReport``; equal reports give equal bytes.
    package func bytes(
        of rollout: Rollout, style: TextStyle = .plain, origin: ReportOrigin = ReportOrigin()
    ) -> [UInt8] {
        switch self {
        case .text: rollout.bytes(as: .text, style: style)
        case .json: rollout.bytes(as: .json)
        case .markdown: Array(MarkdownWriter.text(of: rollout.sections).utf8)
        case .html: HTMLWriter.bytes(of: rollout.page(origin: origin))
        case .csv: CSVRollout.bytes(of: rollout)
        }
    }
}

extension Rollout: PlainReport {
    /// The whole rollout: `"policy":…,"devices":n,…,"noticed":{…},"steps":[{"percent":"1","commands":[…],…}]`.
    package var json: JSONValue { Self.form.value(of: self) }

    static let form = ObjectForm<Rollout>(inOrder: [
        .version, .field("policy") { "\($0.plan.policy)" },
        .field("filtered-policy") { $0.plan.filteredPolicy.map { "\($0)" } }, .field("start", \.start),
        .field("end", \.last), .optional("attestations") { $0.isOfCapture ? $0.events : nil },
        .optional("fetches") { $0.isOfCapture ? nil : $0.events }, .field("devices", \.devices),
        .field("unjudged-devices", \.unevaluated), .field("runs", \.runs.count), .field("seed") { "\($0.runs.seed)" },
        .object(orNull: "noticed", noticeForm, \.notice),
        .list("steps", step) { rollout in rollout.steps.indices.map { (rollout, $0) } },
        .optional("labels", LabelledFigures.ofLabels, \.labels), .narrowed(\.narrowed),
    ])

    private static let step = ObjectForm<(rollout: Rollout, index: Int)>(inOrder: [
        .field("percent") { $0.rollout.plan.steps[$0.index].stage.percent },
        .field("start") { $0.rollout.start(of: $0.index) },
        .field("seconds") { $0.rollout.plan.steps[$0.index].stage.seconds },
        .field("reached") { $0.rollout.isReached($0.index) },
        .field("commands") { $0.rollout.plan.steps[$0.index].commands },
        .optional("attestations") { $0.rollout.isOfCapture ? $0.rollout.steps[$0.index].events : nil },
        .optional("fetches") { $0.rollout.isOfCapture ? nil : $0.rollout.steps[$0.index].events },
        .field("met-devices") { $0.rollout.steps[$0.index].met },
        .field("newly-rejected-devices") { $0.rollout.steps[$0.index].rejected },
        .field("newly-accepted-devices") { $0.rollout.steps[$0.index].accepted },
        .field("lost-fetches") { $0.rollout.steps[$0.index].lost },
        .object(orNull: "noticed", noticeForm) { $0.rollout.steps[$0.index].notice },
        .optional("labels", labelForm) { subject in
            subject.rollout.steps[subject.index].labels.map { ($0, subject.rollout.cost) }
        },
    ])

    private static let labelForm = ObjectForm<(labels: StepLabels, cost: LabelCost?)>(inOrder: [
        .object("newly-rejected", rejected) { $0.labels },
        .optional("cost") { subject in subject.cost.map { $0.cost(of: subject.labels.days) } },
        .optional("saves") { subject in subject.cost.map { $0.saving(of: subject.labels.days) } },
    ])

    private static let rejected = ObjectForm<StepLabels>(
        inOrder: DeviceLabel.allCases.map { label in .field(label.rawValue) { $0.rejected[label] ?? 0 } })

    private static let noticeForm = ObjectForm<RolloutNotice>(inOrder: [
        .field("runs", \.noticed), .field("percent") { _ in RolloutNotice.percent }, .field("seconds", \.seconds),
    ])
}

/// Writes a rollout as CSV, a row for each step.
private enum CSVRollout {
    static func bytes(of rollout: Rollout) -> [UInt8] {
        let labels = rollout.labels == nil ? [] : DeviceLabel.allCases.map { "newly-rejected-\($0.rawValue)" }
        let columns = [
            "percent", "start", "reached", "events", "met-devices", "newly-rejected-devices", "newly-accepted-devices",
            "lost-fetches", "noticed-runs", "noticed-seconds",
        ]
        let costs = rollout.cost == nil ? [] : ["cost", "saves"]
        var output = CSVOutput(columns: (columns + labels + costs).map { .plain($0) }, narrowed: rollout.narrowed)
        for (index, figures) in rollout.steps.enumerated() {
            var counts = [
                figures.events, figures.met, figures.rejected, figures.accepted, figures.lost,
                figures.notice?.noticed, figures.notice?.seconds,
            ]
            if let labels = figures.labels {
                counts += DeviceLabel.allCases.map { labels.rejected[$0] ?? 0 }
                if let cost = rollout.cost { counts += [cost.cost(of: labels.days), cost.saving(of: labels.days)] }
            }
            let step: [CSVOutput.Field] = [
                .plain(rollout.plan.steps[index].stage.percent), .plain("\(rollout.start(of: index))"),
                .truth(rollout.isReached(index)),
            ]
            output.add(step + counts.map { .count($0) })
        }
        return output.bytes
    }
}
