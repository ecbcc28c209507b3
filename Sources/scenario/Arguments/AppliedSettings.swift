internal import Documents
internal import PolicyEngine

/// The defaults that a command line took from `scenario.toml`.
struct AppliedSettings: Hashable, Sendable {
    /// The path of the file.
    let path: String
    /// The values, in the order of the file.
    var values: [Value] = []

    /// A default.
    struct Value: Hashable, Sendable {
        /// The name of the option; `nil` for operands.
        let option: String?
        /// The words as they would be typed; several for several operands.
        let words: [String]
    }

    /// The defaults, as they would be typed: `defaults of ../scenario.toml: --account ../prod.yaml`.
    var sentence: String {
        let words = values.map { value in
            ([value.option].compactMap(\.self) + value.words).joined(separator: " ")
        }
        return "defaults of \(path): \(words.joined(separator: ", "))".showingControls()
    }

    /// The file as the origin of an option's value, for a message: ` of scenario.toml`; `nil` where it was typed.
    func origin(of option: OptionDefinition) -> String? {
        values.contains { $0.option == option.name } ? " of \(path.showingControls())" : nil
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
            let texts = values.flatMap { value in value.words.map { ($0, value.option) } }
            let members = texts.map { word, option in
                JSONValue.ordered([("option", option.map { .string($0) } ?? .null), ("value", .string(word))])
            }
            let settings = JSONValue.ordered([("file", .string(path)), ("values", .array(members))])
            return report.dropLast(2) + Array(",\"settings\":".utf8) + settings.line.dropLast() + Array("}\n".utf8)
        default: return report
        }
    }
}
