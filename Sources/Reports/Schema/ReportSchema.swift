internal import Analysis
internal import Documents
internal import Figures

/// The JSON Schema of everything that commands write by `--format json`, as the forms of the reports say it.
package enum ReportSchema {
    /// The schema as lines of JSON.
    package static var document: String {
        JSONSchema.any(of: kinds.map { .reference(to: $0.name) })
            .document(title: "Reports of scenario as JSON", definitions: kinds)
    }

    /// The kinds of reports, by the names of their definitions.
    static var kinds: [JSONSchema.Member] {
        [
            ("report", JSONReport.form.schema(optional: settings)),
            ("comparison", JSONComparison.form.schema(optional: settings)),
            ("edits", WhatIf.form.schema(optional: settings)), ("rollout", Rollout.form.schema),
            // One question is asked at least.
            ("proofs", ChangeProof.form.schema(optional: settings).with("minProperties", .number(3))),
            ("search", SearchAnswers.form.schema(optional: settings)),
            ("captures-compared", DriftFigures.versioned.schema), ("diagnostics", JSONDiagnostics.form.schema),
            ("explanations", DeviceExplanations.form.schema(optional: settings)),
            ("scenario-explanation", ScenarioExplanation.form.schema), ("presets", JSONPolicy.presets.schema),
            ("policy", JSONPolicy.policy.schema), ("policy-difference", JSONPolicy.difference.schema),
        ]
    }

    // The defaults that a report used (formats: Settings).
    private static var settings: [JSONSchema.Member] {
        let value = JSONSchema.members(
            [("option", .string.orNull), ("value", .string)], optional: [("before-change", .truth)])
        let words = JSONSchema.list(of: .string).orNull
        let change = JSONSchema.members([
            ("option", .string.orNull), ("before", words), ("after", words), ("loosens", .truth),
        ])
        return [
            (
                "settings",
                .members([("file", .string), ("values", .list(of: value))], optional: [("changes", .list(of: change))])
            )
        ]
    }
}
