internal import Documents
internal import Figures
internal import PolicyEngine
internal import Replay
internal import Reports

/// The options on the attributes whose values are counted.
enum CountingOptions {
    /// The option for these attributes.
    static let count = Option(
        "--count", "Count the values of these attributes or derived keys, with commas between them: ip/16,os-version.",
        .text("KEYS", words: .attributes), in: .count,
        relations: [
            .excludes(
                [OptionUse("--format", [ReportForm.openmetrics.rawValue])],
                hint: "values cannot be labels: there may be as many as attestations")
        ])

    /// The option for the number of values of each attribute.
    static let top = Option(
        "--top", "Report the N commonest values of each attribute, by default 20.",
        .integer("N", in: 1...1_000_000, usually: 20),
        in: .count, relations: [.needs([count.given])])

    private static let keyLimit = 16

    /// The request for counts; `nil` if nothing is to be counted.
    static func request(_ arguments: ParsedArguments) throws(CommandFailure) -> CountingRequest? {
        guard let text = arguments[count] else { return nil }
        let keys = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        let different = Set(keys.map { ExactText($0) })
        guard !keys.contains(""), different.count == keys.count, keys.count <= keyLimit else {
            throw .usage(
                "`\(count.name)` takes up to \(keyLimit) different keys, not \(text.asTyped)",
                hint: "such as `ip,app-version`")
        }
        return CountingRequest(
            keys: try keys.map { key throws(CommandFailure) in try recordKey(key, of: count) },
            top: arguments[top])
    }

    /// Reads a key that an option names.
    static func recordKey(_ text: String, of option: any CommandOption) throws(CommandFailure) -> RecordKey {
        do throws(RecordKeyError) {
            return try RecordKey(text)
        } catch {
            throw .usage("`\(option.name)`: \(error.description)", hint: error.hint)
        }
    }

    /// Warns of keys that no record has.
    static func warnings(_ frequencies: [AttributeFrequency]) -> [Diagnostic] {
        frequencies.filter { $0.present == 0 && $0.absent > 0 }.map { missing($0.attribute, count) }
    }

    /// The warning of a key that no record has.
    static func missing(_ key: String, _ option: any CommandOption) -> Diagnostic {
        Diagnostic(
            severity: .warning, file: option.name, message: "no record has a value for \(key.quoted)",
            hint: Suggestion.hint(for: key, among: RecordKey.known)
                ?? RecordKey.derived.first { $0.hasSuffix("/\(key)") }.map { "did you mean \($0.quoted)?" }
                ?? "keys are \(RecordKey.known.joined(separator: ", ")), and those that a capture has besides")
    }
}
