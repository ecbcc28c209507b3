internal import Documents
internal import Figures

// Changes that are brought to shares of the devices (formats: Rollouts as JSON).
extension ReportSchema {
    static var rollout: JSONSchema {
        // Of a capture attestations are counted, and of a scenario fetches.
        let events: Members = [("attestations", .wholeNumber), ("fetches", .wholeNumber)]
        let noticed = JSONSchema.members([
            ("runs", .wholeNumber), ("percent", .wholeNumber), ("seconds", .wholeNumber.orNull),
        ]).orNull
        let step = JSONSchema.members(
            [
                ("percent", .string), ("start", .time), ("seconds", .wholeNumber.orNull), ("reached", .truth),
                ("commands", texts), ("met-devices", .wholeNumber), ("newly-rejected-devices", .wholeNumber),
                ("newly-accepted-devices", .wholeNumber), ("lost-fetches", .wholeNumber), ("noticed", noticed),
            ],
            optional: events + [
                (
                    "labels",
                    .members(
                        [("newly-rejected", .members(DeviceLabel.allCases.map { ($0.rawValue, .wholeNumber) }))],
                        optional: [("cost", .wholeNumber), ("saves", .wholeNumber)])
                )
            ])
        return versioned(
            [
                ("policy", .string), ("filtered-policy", .string.orNull), ("start", .time), ("end", .time),
                ("devices", .wholeNumber), ("unjudged-devices", .wholeNumber), ("runs", .wholeNumber),
                ("seed", .string), ("noticed", noticed), ("steps", .list(of: step)),
            ],
            optional: events + [("labels", .members([("labels", .wholeNumber), ("unmatched", unmatchedLabels)]))])
    }
}
