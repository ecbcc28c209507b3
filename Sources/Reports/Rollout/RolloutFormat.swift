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
    package var members: [(key: String, value: JSONValue)] {
        [
            ("policy", .string("\(plan.policy)")),
            ("filtered-policy", plan.filteredPolicy.map { .string("\($0)") } ?? .null),
            ("start", .string("\(start)")), ("end", .string("\(last)")),
            (isOfCapture ? "attestations" : "fetches", .integer(events)), ("devices", .integer(devices)),
            ("unjudged-devices", .integer(unevaluated)),
            ("runs", .integer(runs.count)), ("seed", .string("\(runs.seed)")),
            ("noticed", notice.map(Self.value) ?? .null),
            ("steps", .array(steps.indices.map { value(ofStep: $0) })),
        ] + (labels.map { [("labels", JSONLabels.value(of: $0))] } ?? [])
    }

    private func value(ofStep index: Int) -> JSONValue {
        let (step, figures) = (plan.steps[index], steps[index])
        return .ordered(
            [
                ("percent", .string(step.stage.percent)), ("start", .string("\(start(of: index))")),
                ("seconds", step.stage.seconds.map { .integer($0) } ?? .null), ("reached", .boolean(isReached(index))),
                ("commands", .array(step.commands.map { .string($0) })),
                (isOfCapture ? "attestations" : "fetches", .integer(figures.events)),
                ("met-devices", .integer(figures.met)), ("newly-rejected-devices", .integer(figures.rejected)),
                ("newly-accepted-devices", .integer(figures.accepted)), ("lost-fetches", .integer(figures.lost)),
                ("noticed", figures.notice.map(Self.value) ?? .null),
            ] + (figures.labels.map { [("labels", value(of: $0))] } ?? []))
    }

    private func value(of labels: StepLabels) -> JSONValue {
        let rejected = DeviceLabel.allCases.map { ($0.rawValue, JSONValue.integer(labels.rejected[$0] ?? 0)) }
        let costs = cost.map { [("cost", $0.cost(of: labels.days)), ("saves", $0.saving(of: labels.days))] } ?? []
        return .ordered([("newly-rejected", .ordered(rejected))] + costs.map { ($0, .integer($1)) })
    }

    private static func value(of notice: RolloutNotice) -> JSONValue {
        .ordered([
            ("runs", .integer(notice.noticed)), ("percent", .integer(RolloutNotice.percent)),
            ("seconds", notice.seconds.map { .integer($0) } ?? .null),
        ])
    }
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
        var output = CSVOutput(columns: (columns + labels + costs).map { .plain($0) })
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
