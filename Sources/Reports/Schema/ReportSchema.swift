internal import Documents
internal import Figures
internal import PolicyEngine
internal import Scenarios

/// The JSON Schema of everything that commands write by `--format json`: figures as their tables declare them, and the rest
/// beside the writers, in the order of these.
package enum ReportSchema {
    /// The schema as lines of JSON.
    package static var document: String {
        JSONSchema.any(of: kinds.map { .reference(to: $0.name) })
            .document(title: "Reports of scenario as JSON", definitions: kinds)
    }

    /// The kinds of reports, by the names of their definitions.
    static var kinds: [(name: String, schema: JSONSchema)] {
        [
            ("report", report), ("comparison", comparison), ("edits", edits), ("rollout", rollout),
            ("proofs", proofs), ("search", search), ("captures-compared", capturesCompared),
            ("diagnostics", diagnostics), ("explanations", explanations), ("scenario-explanation", events),
            ("presets", presets), ("policy", policy), ("policy-difference", policies),
        ]
    }

    typealias Members = [(name: String, schema: JSONSchema)]

    // The object of a whole report.
    static func versioned(_ members: Members, optional: Members = []) -> JSONSchema {
        .members([("version", JSONSchema([("const", .number(1))]))] + members, optional: optional)
    }

    // The defaults that a report used (formats: Settings).
    private static var settings: Members {
        let value = JSONSchema.members([("option", .string.orNull), ("value", .string)])
        return [("settings", .members([("file", .string), ("values", .list(of: value))]))]
    }

    private static let counts = JSONSchema.map(of: .wholeNumber)
    static let texts = JSONSchema.list(of: .string)
    private static let decidedRules = (name: "decided-rules", schema: DecidedRules.reportedForm)
}

// MARK: Runs and replays

extension ReportSchema {
    static var report: JSONSchema {
        versioned(
            [
                ("summary", summary), ("scenarios", .list(of: scenario)), ("metrics", counts), ("lifetimes", counts),
                ("devices", Figures.Devices.reportedForm), ("windows", windows),
                ("filters", [Figures.FilterFigures].reportedForm),
                ("reproduced", Figures.Reproduction?.reportedForm), ("policies", counts), ("billing", .wholeNumber),
                ("judged", evaluated), ("unknown-flags", counts),
            ],
            optional: [
                ("fetches", FetchFigures.reportedForm), ("values", .list(of: frequency)), ("coverage", coverage),
                ("mutants", mutants), ("left-out", .list(of: leftOut)), ("series", .list(of: minute)),
                ("labels", labels), ("intervals", replayIntervals), ("explain", .string),
            ] + settings)
    }

    private static var summary: JSONSchema {
        .members(
            [
                "attestations", "attestations-passed", "attestations-failed", "malformed", "scenarios",
                "scenarios-passed", "scenarios-failed", "passed", "failed",
            ].map { ($0, .wholeNumber) })
    }

    private static var scenario: JSONSchema {
        .members(
            [("name", .string), ("file", .string), ("passed", .truth), ("expectations", .list(of: expectation))],
            optional: [("requests", .list(of: requests))])
    }

    private static var expectation: JSONSchema {
        .members(
            [
                ("file", .string), ("line", .wholeNumber), ("column", .wholeNumber), ("passed", .truth),
                ("expected", .string), ("actual", .string), ("message", .string),
            ], optional: [("rejections", .string.orNull), ("explain", .string.orNull)])
    }

    private static var requests: JSONSchema {
        .members(
            [
                ("group", .string), ("blocked-devices", .wholeNumber), ("still-blocked", .wholeNumber),
                ("longest-blocked", .wholeNumber.orNull),
            ] + RequestOutcome.allCases.map { ($0.rawValue, .wholeNumber) })
    }

    private static var windows: JSONSchema {
        .members(WindowKind.allCases.map { ($0.rawValue, [Figures.Window].reportedForm) })
    }

    private static var evaluated: JSONSchema {
        .members([("exact", .truth), ("unjudged", Figures.Unevaluated.reportedForm)])
    }

    private static var frequency: JSONSchema {
        let value = JSONSchema.members(
            [("value", .string)]
                + ["attestations", "failed", "devices", "missed-at-most", "missed-devices-at-most"].map {
                    ($0, .wholeNumber)
                })
        return .members([
            ("attribute", .string), ("exact", .truth), ("present", .wholeNumber), ("absent", .wholeNumber),
            ("different", .wholeNumber.orNull), ("others-at-most", .wholeNumber), ("values", .list(of: value)),
        ])
    }

    private static var coverage: JSONSchema {
        let part = JSONSchema.members([("covered", .wholeNumber), ("total", .wholeNumber), ("missing", texts)])
        return .members([("covered", .wholeNumber), ("total", .wholeNumber)], others: part)
    }

    private static var mutants: JSONSchema {
        let unnoticed = JSONSchema.members([
            ("account-file", .string), ("account", .string), ("change", .string), ("file", .string),
            ("line", .wholeNumber), ("column", .wholeNumber), ("difference", .string),
        ])
        return .members([
            ("noticed", .wholeNumber), ("effective", .wholeNumber), ("idle", .wholeNumber),
            ("unnoticed", .list(of: unnoticed)),
        ])
    }

    private static var leftOut: JSONSchema {
        .members([("name", .string), ("file", .string), ("reason", .string)])
    }

    private static var minute: JSONSchema {
        .members([("minute", .time), ("pass", .wholeNumber), ("fail", .wholeNumber)], others: .wholeNumber)
    }
}

// MARK: Changes

extension ReportSchema {
    static var comparison: JSONSchema {
        versioned(
            [("before", .reference(to: "report")), ("after", .reference(to: "report")), ("changes", changes)],
            optional: [("sentence", .string), ("intervals", comparisonIntervals), ("explain", .string)] + settings)
    }

    private static var changes: JSONSchema {
        let (members, optional) = ComparisonFigures.reportedFields()
        let compared = JSONSchema.members([("inputs", texts), ("account", .string), ("names", .string)])
        return .members(
            members + [
                ("counts", .words(["attestations", "fetches"])), ("fetches", .wholeNumber.orNull),
                ("judged", evaluated), ("newly-rejected", ChangeFigures.reportedForm),
                ("newly-accepted", ChangeFigures.reportedForm), ("compared", compared.orNull),
                ("certainty", certainty), ("policies", ComparedAccounts.Policies.reportedForm),
                ("policy-difference", PolicyDifference.reportedForm), ("token-fetches", tokenFetches),
                ("unjudged", texts),
            ],
            optional: optional + [
                ("newly-blocked", .members([("requests", .wholeNumber), ("devices", .wholeNumber)])),
                ("clients", .list(of: client)), ("timeline", timeline), ("labels", comparedLabels), ("groups", hits),
                ("values", valueHits("newly-rejected")), ("accepted-values", valueHits("newly-accepted")),
                ("since", .members(drift)),
            ])
    }

    private static var certainty: JSONSchema {
        let bounds = JSONSchema.members([("at-least", .wholeNumber.orNull), ("at-most", .wholeNumber.orNull)])
        return .members([
            ("answer", .words(["exact", "bounded", "open"])), ("locked-out", bounds), ("let-in", bounds),
        ])
    }

    private static var tokenFetches: JSONSchema {
        .members([
            ("per-mille", .wholeNumber), ("a-day-before", .wholeNumber.orNull), ("a-day-after", .wholeNumber.orNull),
        ])
    }

    private static var client: JSONSchema {
        let count: Members = [("events", .wholeNumber), ("devices", .wholeNumber)]
        let difference = JSONSchema.members(
            count + [
                ("effect", .words(["worse", "better", "other"])), ("before", .string), ("after", .string),
                ("example", .string),
            ])
        return .members(
            count + [
                ("kind", .string), ("worse", .members(count)), ("better", .members(count)),
                ("differences", .list(of: difference)),
            ])
    }

    private static var timeline: JSONSchema {
        let minute = JSONSchema.members(
            [("minute", .time)]
                + ["fetches", "cached", "newly-locked-out", "newly-let-in", "newly-blocked"].map { ($0, .wholeNumber) })
        return .members([("made", .time), ("in-force", .time), ("minutes", .list(of: minute))])
    }

    static var edits: JSONSchema {
        let turned = JSONSchema.members([("attestations", .wholeNumber), ("devices", .wholeNumber)])
        let edit = JSONSchema.members(
            [
                ("command", .string), ("newly-rejected", turned), ("newly-accepted", turned),
                ("token-fetches", .wholeNumber.orNull), ("token-fetches-per-mille", .wholeNumber),
                ("unjudged-devices", .wholeNumber),
            ], optional: [("labels", editLabels), ("intervals", editIntervals)])
        return versioned(
            [
                ("attestations", .wholeNumber), ("devices", .wholeNumber), ("evaluated", .wholeNumber),
                ("token-fetches", .wholeNumber.orNull), ("edits", .list(of: edit)),
            ], optional: [("labels", labels), ("intervals", jointIntervals)] + settings)
    }

    static var proofs: JSONSchema {
        let side = JSONSchema.members([("verdict", .verdict), ("policy", .string), ("rejections", texts)])
        let record = JSONSchema.members([
            ("time", .time), ("flags", texts), ("attributes", .map(of: .string)),
            ("service", .words(["primary", "failover"])),
        ])
        let proof = JSONSchema.members(
            [("answer", .words(["proved", "found", "not-excluded", "not-decided"])), ("reasons", texts)],
            optional: [("device", .string), ("before", side), ("after", side), ("records", .list(of: record))])
        return versioned([decidedRules], optional: [("newly-rejected", proof), ("newly-accepted", proof)] + settings)
            .with("minProperties", .number(3))
    }

    static var search: JSONSchema {
        let whole = { (names: [String]) in names.map { (name: $0, schema: JSONSchema.wholeNumber) } }
        let answer = JSONSchema.members(
            [("commands", texts)] + whole(["newly-rejected", "besides", "newly-accepted"]),
            optional: whole([
                "bad", "caught", "good", "blocked", "passing-asked-to-fail", "failing-asked-to-pass",
            ]) + [("intervals", answerIntervals)])
        let heldOut = JSONSchema.members([("start", .time)] + whole(["devices", "seen-before"]))
        return versioned(
            whole(["maximum-edits", "rejecting", "keeping"]) + [("answers", .list(of: answer))],
            optional: [
                ("unmatched", unmatchedLabels), ("held-out", heldOut), ("intervals", jointIntervals),
            ] + settings)
    }
}

// MARK: Answers

extension ReportSchema {
    static var diagnostics: JSONSchema {
        let diagnostic = JSONSchema.members([
            ("severity", .words(["error", "warning"])), ("file", .string), ("line", .wholeNumber.orNull),
            ("column", .wholeNumber.orNull), ("message", .string), ("code", .string.orNull),
            ("excerpt", .string.orNull),
            ("hint", .string.orNull),
        ])
        let allowed = JSONSchema.members([
            ("file", .string), ("line", .wholeNumber), ("code", .string), ("reason", .string),
            ("diagnostics", .list(of: diagnostic)),
        ])
        return versioned([
            ("errors", .wholeNumber), ("warnings", .wholeNumber), ("diagnostics", .list(of: diagnostic)),
            ("allowed", .list(of: allowed)),
        ])
    }

    static var explanations: JSONSchema {
        let step = JSONSchema.members([("number", .wholeNumber), ("name", .string), ("lines", texts)])
        let explanation = JSONSchema.members([
            ("device", .string), ("time", .time), ("verdict", .verdict), ("policy", .string),
            ("steps", .list(of: step)),
            ("flips", .list(of: texts)),
        ])
        return versioned([("explanations", .list(of: explanation)), decidedRules], optional: settings)
    }

    static var events: JSONSchema {
        let steps = JSONSchema.list(of: .members([("rule", .string), ("name", .string), ("line", .string)]))
        let request = JSONSchema.members([
            ("device", .string), ("group", .string), ("to", .string), ("first", .time), ("last", .time),
            ("requests", .wholeNumber), ("outcome", .words(RequestOutcome.allCases.map(\.rawValue))), ("steps", steps),
        ])
        let event = JSONSchema.members(
            [("event", .string), ("first", .time), ("last", .time), ("times", .wholeNumber), ("steps", steps)],
            optional: [("device", .string), ("group", .string), ("result", .string)])
        return versioned([("requests", .list(of: request)), ("events", .list(of: event)), decidedRules])
    }

    private static var effects: JSONSchema { .map(of: .string) }

    static var presets: JSONSchema {
        let preset = JSONSchema.members([("name", .string), ("summary", .string), ("flags", effects)])
        return versioned([("presets", .list(of: preset))])
    }

    static var policy: JSONSchema {
        versioned([
            ("policy", .string), ("rules", .string), ("rejection", .string), ("annotation", .string),
            ("flags", effects),
        ])
    }

    static var policies: JSONSchema {
        versioned([
            ("before", .string), ("after", .string), ("flags", [PolicyDifference.FlagDifference].reportedForm),
            ("others", texts),
        ])
    }
}

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
