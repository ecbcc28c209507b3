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
            ("report", Report.columns.schema(optional: settings)),
            ("comparison", ComparedChange.reportColumns.schema(optional: settings)),
            ("edits", WhatIf.columns.schema(optional: settings)), ("rollout", Rollout.columns.schema),
            // One question is asked at least.
            ("proofs", ChangeProof.columns.schema(optional: settings).with("minProperties", .number(3))),
            ("search", SearchAnswers.columns.schema(optional: settings)),
            ("captures-compared", DriftFigures.versioned.schema), ("diagnostics", JSONDiagnostics.columns.schema),
            ("explanations", DeviceExplanations.columns.schema(optional: settings)),
            ("scenario-explanation", ScenarioExplanation.columns.schema),
            ("presets", PolicyReport.presetColumns.schema),
            ("policy", PolicyReport.policyColumns.schema), ("policy-difference", PolicyReport.differenceColumns.schema),
        ]
    }

    // The defaults that a report used (formats: Settings).
    private static var settings: [JSONSchema.Member] {
        func member(_ name: String, _ form: JSONSchema, _ description: String) -> JSONSchema.Member {
            (name, form.described(as: description))
        }
        let words = JSONSchema.list(of: .string).orNull
        let value = JSONSchema.members(
            [
                member("option", .string.orNull, "The option; null for what is no option."),
                member("value", .string, "Its value."),
            ], optional: [member("before-change", .truth, "True if it is the value of the commit before the change.")])
        let change = JSONSchema.members([
            member("option", .string.orNull, "The option; null for what is no option."),
            member("before", words, "Its values before the change; null where it had none."),
            member("after", words, "Its values after the change; null where it has none."),
            member("loosens", .truth, "True if more may pass after the change."),
        ])
        let settings = JSONSchema.members(
            [
                member("file", .string, "The file with the settings."),
                member("values", .list(of: value), "The values that were used."),
            ], optional: [member("changes", .list(of: change), "The changes of the file that come with the change.")])
        return [member("settings", settings, "The defaults that the report used.")]
    }
}
