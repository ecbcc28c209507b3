internal import Documents
internal import Figures

// Captures that are compared, and groups of devices that a change hits.
extension ReportSchema {
    static var capturesCompared: JSONSchema { versioned(drift) }

    /// The differences between two captures (formats: Captures compared as JSON).
    static var drift: Members {
        let side = JSONSchema.members([
            ("capture", .string), ("devices", .wholeNumber), ("attestations", .wholeNumber), ("hours", .wholeNumber),
        ])
        let kind = JSONSchema.members([
            ("key", .string), ("values", .wholeNumber), ("stability-index", .number.orNull),
            ("by-chance", .number.orNull),
        ])
        let statistics: Members = ["difference", "lower", "upper", "p"].map { ($0, .number.orNull) }
        let value = JSONSchema.members(
            statistics + [
                ("key", .string), ("value", .string), ("before", .wholeNumber), ("after", .wholeNumber),
                ("drifts", .truth),
            ])
        return [
            ("old", side), ("new", side), ("common-devices", .wholeNumber), ("level", .string),
            ("tested", .wholeNumber), ("rare", .wholeNumber), ("drifting", .wholeNumber), ("bound", .number.orNull),
            ("unjudged-devices", .wholeNumber), ("kinds", .list(of: kind)), ("values", .list(of: value)),
        ]
    }

    /// The devices that are turned one way by the values of each key (formats: Devices by values).
    ///
    /// - Parameter turned: The member for them: `newly-rejected`.
    static func valueHits(_ turned: String) -> JSONSchema {
        let value = JSONSchema.members([("value", .string), ("devices", .wholeNumber), (turned, .wholeNumber)])
        return .list(of: .members([("key", .string), ("different", .wholeNumber), ("values", .list(of: value))]))
    }

    /// The groups that are newly rejected more often than the rest (formats: Groups that are hit).
    static var hits: JSONSchema {
        let term = JSONSchema.members([("key", .string), ("value", .string)])
        let statistics: Members = ["ratio", "lower", "upper", "p"].map { ($0, .number.orNull) }
        let group = JSONSchema.members(
            statistics + [
                ("values", .list(of: term)), ("condition", .string), ("devices", .wholeNumber),
                ("newly-rejected", .wholeNumber), ("more", .wholeNumber),
            ])
        return .members([
            ("level", .string), ("keys", texts), ("order", .wholeNumber), ("tried", .wholeNumber),
            ("support", .wholeNumber), ("devices", .wholeNumber), ("newly-rejected", .wholeNumber),
            ("groups", .list(of: group)),
        ])
    }
}

// Figures with their intervals (formats: Intervals).
extension ReportSchema {
    static var replayIntervals: JSONSchema {
        intervals(
            ["failing-attestations", "failing-devices", "attestations-per-device"], optional: ["failing-fetches"])
    }

    // Parts that were made without sums over devices have figures of devices alone.
    static var comparisonIntervals: JSONSchema {
        intervals(
            ["locked-out", "let-in", "newly-rejected", "newly-accepted"],
            optional: [
                "newly-rejected-attestations", "newly-accepted-attestations", "failing-difference",
                "annotations-changed", "token-fetches", "failing-fetches-difference",
            ])
    }

    /// The intervals of a single edit.
    static var editIntervals: JSONSchema { .members(estimates(["newly-rejected", "newly-accepted"])) }

    /// The intervals of an answer to a search.
    static var answerIntervals: JSONSchema {
        .members(estimates(["newly-rejected", "besides", "newly-accepted"]))
    }

    /// The level at which all intervals of a report hold together, and their number.
    static var jointIntervals: JSONSchema { .members([("level", .string), ("count", .wholeNumber)]) }

    private static func intervals(_ names: [String], optional: [String] = []) -> JSONSchema {
        .members([("level", .string)] + estimates(names), optional: estimates(optional))
    }

    private static func estimates(_ names: [String]) -> Members {
        let estimate = JSONSchema.members(["estimate", "lower", "upper"].map { ($0, .number.orNull) })
        return names.map { ($0, estimate) }
    }
}

// Verdicts on labelled devices (formats: Labels).
extension ReportSchema {
    /// Those of an account.
    static var labels: JSONSchema {
        .members(labelFields + [("account", JSONSchema.members(verdicts, optional: cost).orNull)])
    }

    /// Those before a change and after it.
    static var comparedLabels: JSONSchema {
        .members(labelFields, optional: [("before", .members(verdicts, optional: cost)), ("after", editLabels)])
    }

    /// Those of an edited account.
    static var editLabels: JSONSchema {
        let turned = JSONSchema.members(DeviceLabel.allCases.map { ($0.rawValue, .wholeNumber) })
        return .members(
            verdicts + [("newly-rejected", turned), ("no-longer-rejected", turned)],
            optional: cost + [("saves", .wholeNumber), ("efficient", .truth)])
    }

    /// The labels that fit no record.
    static var unmatchedLabels: JSONSchema { [LabelFigures.Unmatched].reportedForm }

    private static var labelFields: Members {
        [
            ("labels", .wholeNumber), ("unmatched", unmatchedLabels),
            ("exempted", LabelFigures.Exempted.reportedForm), ("level", .string),
        ]
    }

    private static var cost: Members { [("cost", .wholeNumber)] }

    private static var verdicts: Members {
        func counts(_ names: String...) -> JSONSchema {
            let results = names.flatMap { [$0, "\($0)-days"] }
            return .members((["devices", "days", "unevaluated"] + results).map { ($0, .wholeNumber) })
        }
        let share = JSONSchema.members(["share", "at-least", "at-most"].map { ($0, .number) })
        return [
            ("bad", counts("caught", "missed")), ("good", counts("blocked")), ("unknown", counts("rejected")),
            ("recall", share.orNull), ("precision", share.orNull),
        ]
    }
}
