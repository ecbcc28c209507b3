package import Documents

/// A kind of report as JSON: a definition of the schema of all reports, and a chapter of docs/REPORTS.md.
///
/// A command names the kinds that it writes.
package struct ReportKind: Sendable {
    /// The name of the definition: `edits`.
    package let name: String
    /// The title of the chapter: `Single edits`.
    package let title: String
    // True if its commands take no defaults for it.
    private let isOfScenario: Bool
    // With the members that it may have besides.
    private let form: @Sendable ([JSONSchema.Member]) -> JSONSchema

    /// A kind whose reports are rows of columns.
    ///
    /// - Parameters:
    ///   - isOfScenario: True for reports on a scenario, for which `scenario.toml` has no defaults.
    ///   - least: The least number of members, where some of them may be missing.
    package init<Row>(
        _ name: String, _ title: String, _ columns: Columns<Row>, isOfScenario: Bool = false, atLeast least: Int? = nil
    ) {
        (self.name, self.title, self.isOfScenario) = (name, title, isOfScenario)
        form = { others in
            let schema = columns.schema(optional: others)
            return least.map { schema.with("minProperties", .number($0)) } ?? schema
        }
    }

    /// The form of a report.
    ///
    /// - Parameter settings: The member by which a report says its defaults; `nil` where its commands take none.
    package func schema(settings: JSONSchema.Member?) -> JSONSchema {
        form(isOfScenario ? [] : [settings].compactMap(\.self))
    }

    /// The JSON Schema of some kinds of reports, as lines of JSON.
    package static func document(of kinds: [(kind: ReportKind, settings: JSONSchema.Member?)]) -> String {
        let definitions = kinds.enumerated().sorted {
            (place(of: $0.element.kind), $0.offset) < (place(of: $1.element.kind), $1.offset)
        }.map { (name: $0.element.kind.name, schema: $0.element.kind.schema(settings: $0.element.settings)) }
        return JSONSchema.any(of: definitions.map { .reference(to: $0.name) })
            .document(title: "Reports of scenario as JSON", definitions: definitions)
    }

    // Those that have been there for long keep their order; a new one comes behind them.
    private static func place(of kind: ReportKind) -> Int { first.firstIndex(of: kind.name) ?? first.count }

    private static let first = [
        "report", "comparison", "edits", "rollout", "proofs", "search", "captures-compared", "diagnostics",
        "explanations", "scenario-explanation", "presets", "policy", "policy-difference",
    ]
}
