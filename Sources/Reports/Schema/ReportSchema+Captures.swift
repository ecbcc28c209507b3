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
