internal import Figures

/// Verdicts on labelled devices, with the costs of wrong ones and the level of intervals.
struct LabelledFigures {
    private let figures: LabelFigures
    private let cost: LabelCost?
    private let level: ConfidenceLevel

    init(_ figures: LabelFigures, cost: LabelCost?, at level: ConfidenceLevel?) {
        (self.figures, self.cost, self.level) = (figures, cost, level ?? .usual)
    }

    private func lane(_ index: Int) -> LabelledLane? {
        guard index < figures.lanes.count else { return nil }
        return LabelledLane(figures.lanes[index], cost: cost, at: level)
    }

    /// The verdicts of an account as JSON (formats: Labels).
    static let ofAccount = ObjectForm<LabelledFigures>(
        byName: members + [.object(orNull: "account", LabelledLane.ofAccount) { $0.lane(0) }])

    /// The verdicts before a change and after it as JSON.
    static let ofChange = ObjectForm<LabelledFigures>(
        byName: members + [
            .optional("before", LabelledLane.ofAccount) { $0.figures.lanes.count == 2 ? $0.lane(0) : nil },
            .optional("after", LabelledLane.ofEdit) { $0.figures.lanes.count == 2 ? $0.lane(1) : nil },
        ])

    private static let members: [ObjectForm<LabelledFigures>.Member] = [
        .field("labels") { $0.figures.labels }, .field("unmatched") { $0.figures.unmatched },
        .field("exempted") { $0.figures.exempted }, .field("level") { $0.level.name },
    ]

    /// The labels themselves as JSON.
    static let ofLabels = ObjectForm<LabelFigures>(inOrder: [
        .field("labels", \.labels), .field("unmatched", \.unmatched),
    ])
}

/// The verdicts of one account on labelled devices.
struct LabelledLane {
    private let lane: LabelLane
    private let cost: LabelCost?
    private let level: ConfidenceLevel
    // Of an edit: true if no other is better in all figures.
    private let isEfficient: Bool?

    init(_ lane: LabelLane, cost: LabelCost?, at level: ConfidenceLevel?, isEfficient: Bool? = nil) {
        (self.lane, self.cost, self.level, self.isEfficient) = (lane, cost, level ?? .usual, isEfficient)
    }

    /// The verdicts as JSON.
    static let ofAccount = ObjectForm<LabelledLane>(byName: members + costs)

    /// The verdicts of an edited account as JSON, and the devices that the edit turns.
    static let ofEdit = ObjectForm<LabelledLane>(
        byName: members + [
            .object("newly-rejected", turned(\.newlyRejected)) { $0.lane },
            .object("no-longer-rejected", turned(\.noLongerRejected)) { $0.lane },
        ] + costs + [
            .optional("saves") { lane in lane.cost.map { $0.saving(of: lane.lane) } },
            .optional("efficient") { $0.isEfficient },
        ])

    private static let members: [ObjectForm<LabelledLane>.Member] = [
        .object("bad", counts(rejected: "caught", passed: "missed")) { $0.lane.bad },
        .object("good", counts(rejected: "blocked")) { $0.lane.good },
        .object("unknown", counts(rejected: "rejected")) { $0.lane.unknown },
        .object(orNull: "recall", LabelShare.form) { $0.lane.recall(at: $0.level) },
        .object(orNull: "precision", LabelShare.form) { $0.lane.precision(at: $0.level) },
    ]

    private static let costs: [ObjectForm<LabelledLane>.Member] = [
        .optional("cost") { lane in lane.cost.map { $0.cost(of: lane.lane) } }
    ]

    private static func counts(rejected: String, passed: String? = nil) -> ObjectForm<LabelCounts> {
        let passing: [ObjectForm<LabelCounts>.Member] =
            passed.map { [.field($0, \.passed), .field("\($0)-days") { $0.days - $0.rejectedDays }] } ?? []
        return ObjectForm(
            byName: [
                .field("devices", \.devices), .field("days", \.days), .field("unevaluated", \.unevaluated),
                .field(rejected, \.rejected), .field("\(rejected)-days", \.rejectedDays),
            ] + passing)
    }

    private static func turned(_ count: any KeyPath<LabelCounts, Int> & Sendable) -> ObjectForm<LabelLane> {
        ObjectForm(
            inOrder: DeviceLabel.allCases.map { label in .field(label.rawValue) { $0[label][keyPath: count] } })
    }
}
