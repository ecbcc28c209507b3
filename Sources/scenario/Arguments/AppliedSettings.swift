internal import Documents
internal import Figures
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
            return report.dropLast(2) + Array(",\"\(Self.member.name)\":".utf8)
                + Self.columns.value(of: self).line.dropLast() + Array("}\n".utf8)
        default: return report
        }
    }

    /// The member of a report as JSON (formats: Settings).
    static let member: JSONSchema.Member = (
        "settings", columns.schema.described(as: "The defaults that the report used.")
    )

    private static let columns = Columns<AppliedSettings>(inOrder: [
        .field("file", "The file with the settings.", \.name),
        .list("values", "The values that were used.", word) { settings in
            settings.values.flatMap { value in value.words.map { ($0, value) } }
        },
        .optionalList("changes", "The changes of the file that come with the change.", SettingChange.columns) {
            $0.changes.isEmpty ? nil : $0.changes
        },
    ])

    private static let word = Columns<(text: String, value: Value)>(inOrder: [
        .field("option", "The option; null for what is no option.", \.value.option),
        .field("value", "Its value.", \.text),
        .optional("before-change", "True if it is the value of the commit before the change.") {
            $0.value.isOfCommit ? true : nil
        },
    ])
}
