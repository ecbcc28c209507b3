internal import Figures
internal import PolicyEngine

/// Writes the verdicts on labelled devices as JSON (formats: Labels).
enum JSONLabels {
    /// The verdicts of an account.
    static func value(of figures: LabelFigures, cost: LabelCost?, at level: ConfidenceLevel) -> JSONValue {
        let account = figures.lanes.first.map { lane($0, cost, level) } ?? .null
        return .sorted(members(figures, level).merging(["account": account]) { $1 })
    }

    /// The verdicts before a change and after it.
    static func compared(_ figures: LabelFigures, cost: LabelCost?, at level: ConfidenceLevel) -> JSONValue {
        guard figures.lanes.count == 2 else { return .sorted(members(figures, level)) }
        let lanes = [
            ExactText("before"): lane(figures.lanes[0], cost, level),
            ExactText("after"): edited(figures.lanes[1], cost, at: level),
        ]
        return .sorted(members(figures, level).merging(lanes) { $1 })
    }

    /// The verdicts of an edited account, and the devices that the edit turns.
    static func edited(
        _ figures: LabelLane, _ cost: LabelCost?, isEfficient: Bool? = nil, at level: ConfidenceLevel
    ) -> JSONValue {
        var members = laneMembers(figures, cost, level)
        members["newly-rejected"] = byLabel { figures[$0].newlyRejected }
        members["no-longer-rejected"] = byLabel { figures[$0].noLongerRejected }
        if let cost { members["saves"] = .integer(cost.saving(of: figures)) }
        if let isEfficient { members["efficient"] = .boolean(isEfficient) }
        return .sorted(members)
    }

    /// The labels themselves.
    static func value(of figures: LabelFigures) -> JSONValue {
        .ordered([("labels", .integer(figures.labels)), ("unmatched", figures.unmatched.reported)])
    }

    private static func members(_ figures: LabelFigures, _ level: ConfidenceLevel) -> [ExactText: JSONValue] {
        [
            "labels": .integer(figures.labels), "unmatched": figures.unmatched.reported,
            "exempted": figures.exempted.reported, "level": .string(level.name),
        ]
    }

    private static func lane(_ lane: LabelLane, _ cost: LabelCost?, _ level: ConfidenceLevel) -> JSONValue {
        .sorted(laneMembers(lane, cost, level))
    }

    private static func laneMembers(
        _ lane: LabelLane, _ cost: LabelCost?, _ level: ConfidenceLevel
    ) -> [ExactText: JSONValue] {
        var members: [ExactText: JSONValue] = [
            "bad": counts(lane.bad, rejected: "caught", passed: "missed"),
            "good": counts(lane.good, rejected: "blocked"), "unknown": counts(lane.unknown, rejected: "rejected"),
            "recall": lane.recall(at: level)?.json ?? .null, "precision": lane.precision(at: level)?.json ?? .null,
        ]
        if let cost { members["cost"] = .integer(cost.cost(of: lane)) }
        return members
    }

    private static func counts(_ counts: LabelCounts, rejected: String, passed: String? = nil) -> JSONValue {
        var members: [ExactText: JSONValue] = [
            "devices": .integer(counts.devices), "days": .integer(counts.days),
            "unevaluated": .integer(counts.unevaluated), ExactText(rejected): .integer(counts.rejected),
            ExactText("\(rejected)-days"): .integer(counts.rejectedDays),
        ]
        if let passed {
            members[ExactText(passed)] = .integer(counts.passed)
            members[ExactText("\(passed)-days")] = .integer(counts.days - counts.rejectedDays)
        }
        return .sorted(members)
    }

    private static func byLabel(_ count: (DeviceLabel) -> Int) -> JSONValue {
        .ordered(DeviceLabel.allCases.map { ($0.rawValue, .integer(count($0))) })
    }
}
