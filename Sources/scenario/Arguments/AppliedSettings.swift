internal import Documents
internal import PolicyEngine
internal import Reports

/// The defaults that a command line took from `scenario.toml`.
struct AppliedSettings: Sendable {
    /// The path of the file; `nil` where only a commit has one.
    let path: String?
    /// The path, or the name of the file of the commit.
    let name: String
    /// The values, in the order of the file.
    let values: [Value]
    /// The changes of the settings between the commits that are compared.
    let changes: [SettingChange]

    /// A default.
    struct Value: Sendable {
        /// The name of the option; `nil` for operands.
        let option: String?
        /// The words as they would be typed; several for several operands.
        let words: [String]
        /// True if it is that of the commit before a change, and differs from that of the file as it is now.
        let isOfCommit: Bool
    }

    /// True if nothing is to be said of the file.
    var isEmpty: Bool { values.isEmpty && changes.isEmpty }

    private static let ofCommit = " before the change"

    /// The defaults, as they would be typed: `defaults of ../scenario.toml: --account ../prod.yaml`.
    var sentence: String {
        let words = values.map { value in
            ([value.option].compactMap(\.self) + value.words).joined(separator: " ")
                + (value.isOfCommit ? Self.ofCommit : "")
        }
        return "defaults of \(name): \(words.isEmpty ? "none" : words.joined(separator: ", "))".showingControls()
    }

    /// The file as the origin of an option's value, for a message: ` of scenario.toml`; `nil` where it was typed.
    func origin(of option: any CommandOption) -> String? {
        values.first { $0.option == option.name }.map {
            " of \(name.showingControls())" + ($0.isOfCommit ? Self.ofCommit : "")
        }
    }

    /// The changes as one of the limits; `nil` where there are none.
    ///
    /// - Parameter allowance: The reason why limits may be exceeded this time; `nil` if they may not.
    func limit(allowance: String?) -> LimitResult? {
        guard !changes.isEmpty else { return nil }
        return LimitResult(
            settings: "changes of \(name)".showingControls(), changes.map { $0.sentence.showingControls() },
            isExceeded: changes.contains(where: \.isLoosening), allowance: allowance)
    }

    /// A report that says its defaults: a text at its end, a JSON object in its member `settings`; other forms have none.
    ///
    /// - Parameters:
    ///   - report: The bytes of the report.
    ///   - format: The form that was asked for; `nil` for the usual one, which is text.
    func named(in report: [UInt8], as format: String?) -> [UInt8] {
        switch format {
        case nil, "text", "markdown": return report + Array("\nThis report has \(sentence)\n".utf8)
        case "json":
            guard report.suffix(2).elementsEqual("}\n".utf8) else { return report }
            let texts = values.flatMap { value in value.words.map { ($0, value) } }
            let members = texts.map { word, value in
                JSONValue.ordered(
                    [("option", value.option.map { .string($0) } ?? .null), ("value", .string(word))]
                        + (value.isOfCommit ? [("before-change", .boolean(true))] : []))
            }
            let settings = JSONValue.ordered(
                [("file", .string(name)), ("values", .array(members))]
                    + (changes.isEmpty ? [] : [("changes", .array(changes.map(\.json)))]))
            return report.dropLast(2) + Array(",\"settings\":".utf8) + settings.line.dropLast() + Array("}\n".utf8)
        default: return report
        }
    }
}
