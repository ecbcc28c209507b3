internal import Documents
internal import Figures

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
