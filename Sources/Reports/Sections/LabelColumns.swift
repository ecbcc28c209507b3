internal import Figures

/// Verdicts on labelled devices, with the costs of wrong ones and the level of intervals, as JSON (formats: Labels).
struct LabelReport {
    let figures: LabelFigures
    let cost: LabelCost?
    /// The level of the intervals; `nil` for the usual one.
    let level: ConfidenceLevel?

    private func lane(_ index: Int) -> LaneReport? {
        index < figures.lanes.count ? LaneReport(lane: figures.lanes[index], cost: cost, level: level) : nil
    }

    /// The verdicts of an account.
    static let ofAccount = Columns<LabelReport>(
        byName: columns + [
            .object(
                orNull: "account", "The verdicts of the account; null where nothing was evaluated.",
                LaneReport.ofAccount
            ) { $0.lane(0) }
        ])

    /// The verdicts before a change and after it.
    static let ofChange = Columns<LabelReport>(
        byName: columns + [
            .optional("before", "The verdicts before the change.", LaneReport.ofAccount) {
                $0.figures.lanes.count == 2 ? $0.lane(0) : nil
            },
            .optional("after", "The verdicts after the change.", LaneReport.ofEdit) {
                $0.figures.lanes.count == 2 ? $0.lane(1) : nil
            },
        ])

    private static let columns: [Column<LabelReport>] =
        labels.map { label in label.of(\.figures) } + [
            .field(
                "exempted", "Devices that the account let through by another policy than its own.", \.figures.exempted),
            .field("level", "The level of the intervals.") { ($0.level ?? .usual).name },
        ]

    /// The labels themselves.
    static let ofLabels = Columns<LabelFigures>(inOrder: labels)

    private static let labels: [Column<LabelFigures>] = [
        .field("labels", "The number of labels.", \.labels),
        .field("unmatched", "The labels that fit no record.", \.unmatched),
    ]
}

/// The verdicts of one account on labelled devices.
struct LaneReport {
    let lane: LabelLane
    let cost: LabelCost?
    /// The level of the intervals; `nil` for the usual one.
    let level: ConfidenceLevel?
    /// Of an edit: true if no other is better in all figures.
    var isEfficient: Bool?

    /// The verdicts of an account.
    static let ofAccount = Columns<LaneReport>(byName: columns + [costs])

    /// The verdicts of an edited account, and the devices that the edit turns.
    static let ofEdit = Columns<LaneReport>(
        byName: columns + [
            .object(
                "newly-rejected", "Devices that are rejected, and not by the account as it is.",
                byLabel(\.newlyRejected), \.lane),
            .object(
                "no-longer-rejected", "Devices that are not rejected, but are by the account as it is.",
                byLabel(\.noLongerRejected), \.lane), costs,
            .optional("saves", "What the verdicts save compared with the account as it is; below 0 if they cost more.")
            {
                subject in subject.cost.map { $0.saving(of: subject.lane) }
            },
            .optional(
                "efficient",
                "True if no other edit, nor the account as it is, is as good in all figures and better in one.",
                \.isEfficient),
        ])

    private static let costs = Column<LaneReport>.optional("cost", "What the verdicts cost.") { subject in
        subject.cost.map { $0.cost(of: subject.lane) }
    }

    private static let columns: [Column<LaneReport>] = [
        .object("bad", "Devices that are labelled bad.", bad, \.lane.bad),
        .object("good", "Devices that are labelled good.", counts("blocked"), \.lane.good),
        .object("unknown", "Devices without a label.", counts("rejected"), \.lane.unknown),
        .object(
            orNull: "recall", "Of the bad devices, the share that is caught; null where there are none.",
            LabelShare.columns
        ) { $0.lane.recall(at: $0.level ?? .usual) },
        .object(
            orNull: "precision", "Of the labelled devices that are rejected, the share that is bad; null of none.",
            LabelShare.columns
        ) { $0.lane.precision(at: $0.level ?? .usual) },
    ]

    private static let bad = counts(
        "caught",
        and: [
            .field("missed", "Those of them that are not rejected.", \.passed),
            .field("missed-days", "The days on which they are not rejected.") { $0.days - $0.rejectedDays },
        ])

    private static func counts(_ rejected: String, and more: [Column<LabelCounts>] = []) -> Columns<LabelCounts> {
        Columns(
            byName: [
                .field("devices", "Devices all of whose verdicts are known.", \.devices),
                .field("days", "Days on which they attested, of all devices together.", \.days),
                .field("unevaluated", "Devices of which some verdict is not known.", \.unevaluated),
                .field(rejected, "Those of the devices that are rejected.", \.rejected),
                .field("\(rejected)-days", "The days on which they are rejected.", \.rejectedDays),
            ] + more)
    }

    private static func byLabel(_ count: any KeyPath<LabelCounts, Int> & Sendable) -> Columns<LabelLane> {
        Columns(
            inOrder: DeviceLabel.allCases.map { label in
                .field(label.rawValue, label.meaning) { $0[label][keyPath: count] }
            })
    }
}

extension DeviceLabel {
    /// The devices with the label, in words.
    var meaning: String {
        switch self {
        case .bad: "Those that are labelled bad."
        case .good: "Those that are labelled good."
        case .unknown: "Those without a label."
        }
    }
}
