internal import Documents
internal import Figures
internal import PolicyEngine
internal import Replay
internal import Reports

/// The options on the attributes whose values are counted.
enum CountingOptions {
    /// The option for these attributes.
    static let count = OptionDefinition(
        name: "--count",
        value: .text(placeholder: "KEYS", words: .attributes),
        summary: "Count the values of these attributes, by their keys with commas between them.",
        relations: [
            .excludes(
                [OptionUse("--format", [ReportFormat.openmetrics.rawValue])],
                hint: "values cannot be labels: there may be as many as attestations")
        ]
    )

    /// The option for the number of values of each attribute.
    static let top = OptionDefinition(
        name: "--top",
        value: .integer(placeholder: "N", in: 1...1_000_000),
        summary: "Report the N commonest values of each attribute, by default 20.",
        relations: [.needs([count.given])]
    )

    private static let usualTop = 20
    private static let keyLimit = 16

    /// The request for counts; `nil` if nothing is to be counted.
    static func request(_ arguments: ParsedArguments) throws(UsageError) -> CountingRequest? {
        guard let text = arguments.value(of: count) else { return nil }
        let keys = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        let different = Set(keys.map { ExactText($0) })
        guard !keys.contains(""), different.count == keys.count, keys.count <= keyLimit else {
            throw UsageError(
                "`\(count.name)` takes up to \(keyLimit) different keys, not \(UsageError.quote(text))",
                hint: "such as `ip,app-version`")
        }
        return CountingRequest(attributes: keys, top: arguments.integer(of: top) ?? usualTop)
    }

    /// Warns of keys that no record has.
    static func warnings(_ frequencies: [AttributeFrequency]) -> [Diagnostic] {
        frequencies.filter { $0.present == 0 && $0.absent > 0 }.map { frequency in
            Diagnostic(
                severity: .warning, file: count.name,
                message: "no record has a value for \(frequency.attribute.quoted)",
                hint: Suggestion.hint(for: frequency.attribute, among: InformationKeys.all))
        }
    }
}
