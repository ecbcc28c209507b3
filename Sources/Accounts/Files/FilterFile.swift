internal import Documents
package import PolicyEngine

/// A filter as an account file says it (R7.1).
struct FilterFile {
    private var name = ""
    private var key, match: String?
    private var regex: Pattern?
    private var conjunction: [String]?
    private var options: Filter.Options = []

    private init() {}

    /// Writes a filter down.
    init(_ filter: Filter) {
        (name, key, options) = (filter.name, filter.key, filter.options)
        switch filter.test {
        case .exact(_, let value): match = value
        case .regex(_, let pattern): regex = pattern
        case .conjunction(let inputs): conjunction = inputs
        }
    }

    static let fields: [Field<FilterFile>] =
        [
            .required(
                "name", \.name, .text.described(by: RuleForms.filterName.naming(.filter, isDeclaration: true)),
                "The name of the filter, which commands, reports and conjunctions use."),
            .optional(
                "key", \.key, .text.described(by: .text.naming(.attribute)),
                "The attribute at which the filter looks, such as ip or app-version."),
            .optional("match", \.match, .anyText, "The filter matches if the attribute has exactly this value."),
            .optional(
                "regex", \.regex, .pattern, "The filter matches if this regular expression is found in the attribute."),
            .optional(
                "conjunction", \.conjunction, .texts.described(by: .list(of: RuleForms.filterName, atLeast: 1)),
                "The filter matches if all these filters match."),
        ]
        + FilterOption.all.map { known in
            Field(known.key, .boolean, known.help) { node, filter, reader in
                if reader.boolean(node, known.key.quoted) == true { filter.options.insert(known.option) }
            } write: {
                .truth(known.key, $0.options.contains(known.option))
            }
        }

    /// Reads a filter.
    ///
    /// - Returns: The filter and the position of its name; `nil` after noting an error.
    static func load(_ node: Node, _ reader: inout DocumentReader) -> (filter: Filter, position: SourcePosition)? {
        let file = fields.read(node, "a filter", from: FilterFile(), &reader)
        guard node.isMapping else { return nil }
        let hasTest = hasTest(node, &reader)
        guard let file, let position = node["name"]?.position else { return nil }
        guard hasTest, let test = file.test else {
            if !Filter.isName(file.name) { reader.error(FilterError.invalidName(file.name), at: position) }
            return nil
        }
        return reader.attempt(at: position) { () throws(FilterError) in
            (try Filter(name: file.name, test: test, options: file.options), position)
        }
    }

    private var test: Filter.Test? {
        if let conjunction { return .conjunction(conjunction) }
        guard let key else { return nil }
        return match.map { .exact(key: key, value: $0) } ?? regex.map { .regex(key: key, pattern: $0) }
    }

    // Of the keys that say what a filter tests, it needs one of three sets.
    private static func hasTest(_ node: Node, _ reader: inout DocumentReader) -> Bool {
        if node["conjunction"] != nil {
            for name in ["key", "match", "regex"] {
                guard let other = node[name] else { continue }
                reader.error("\(name.quoted) cannot be combined with `conjunction`", at: other.position)
                return false
            }
        } else if node["key"] == nil {
            reader.error("a filter needs `key` with `match` or `regex`, or else `conjunction`", at: node.position)
        } else if let regex = node["regex"], node["match"] != nil {
            reader.error("`regex` cannot be combined with `match`", at: regex.position)
            return false
        } else if node["regex"] == nil, node["match"] == nil {
            reader.error("a filter with `key` needs `match` or `regex`", at: node.position)
        }
        return true
    }
}

extension ValueForm<Pattern> {
    fileprivate static var pattern: ValueForm {
        ValueForm(.text) { node, what, reader in
            guard let source = reader.text(node, what) else { return nil }
            return reader.attempt(at: node.position) { () throws(PatternError) in try Pattern(source) }
        } write: {
            .text($0.source)
        }
    }
}

/// An option of a filter by its names: in commands and in account files.
package struct FilterOption: Sendable {
    /// The name in commands, without its dash.
    package let word: String
    /// The key in account files.
    package let key: String
    package let option: Filter.Options
    /// The sentence on it for people.
    let help: String

    /// All of them, in the order of the manual.
    package static let all = [
        FilterOption(
            word: "newDIDOnly", key: "new-did-only", option: .newDevicesOnly,
            help: "With true, only devices with a new ID match."),
        FilterOption(
            word: "captureDeviceInfo", key: "capture-device-info", option: .captureDeviceInformation,
            help: "With true, the service records the devices that match."),
        FilterOption(word: "reject", key: "reject", option: .reject, help: "With true, devices that match fail."),
        FilterOption(
            word: "ban", key: "ban", option: .ban,
            help: "With true, devices that match are banned: they fail from then on."),
        FilterOption(
            word: "risky", key: "risky", option: .risky,
            help: "With true, devices that match are risky, so their tokens live for a shorter time."),
        FilterOption(
            word: "execFilteredSecPolicy", key: "exec-filtered-sec-policy", option: .executeFilteredPolicy,
            help: "With true, the filtered policy decides about devices that match."),
    ]
}
