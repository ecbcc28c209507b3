internal import Documents
internal import Figures

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
