internal import Documents
package import PolicyEngine

/// A filter in an account file (R7.1).
enum FilterFields {
    /// The keys of a filter beside those of its options, in their usual order.
    enum Key: String, CaseIterable {
        case name, key, match, regex, conjunction
    }

    static var schema: JSONSchema {
        let fields = Key.allCases.map { key -> (name: String, schema: JSONSchema) in
            switch key {
            case .name: (key.rawValue, RuleForms.filterName.naming(.filter, isDeclaration: true))
            case .key: (key.rawValue, .text.naming(.attribute))
            case .regex: (key.rawValue, .text)
            case .match: (key.rawValue, .anyText)
            case .conjunction: (key.rawValue, .list(of: RuleForms.filterName, atLeast: 1))
            }
        }
        return .object(fields + FilterOption.all.map { ($0.key, .boolean) }, required: [Key.name.rawValue])
    }

    /// Reads a filter.
    ///
    /// - Returns: The filter and the position of its name; `nil` after noting an error.
    static func load(_ node: Node, _ reader: inout DocumentReader) -> (filter: Filter, position: SourcePosition)? {
        guard var mapping = reader.mapping(node, "a filter") else { return nil }
        let nameNode = mapping.require(Key.name, &reader)
        let name = nameNode.flatMap { reader.text($0, "`name`") }
        let test = test(&mapping, &reader)
        var chosen: Filter.Options = []
        for option in FilterOption.all {
            guard let value = mapping.take(option.key) else { continue }
            if reader.boolean(value, option.key.quoted) == true { chosen.insert(option.option) }
        }
        mapping.finish(&reader)
        guard let name, let position = nameNode?.position else { return nil }
        guard let test else {
            if !Filter.isName(name) { reader.error(FilterError.invalidName(name), at: position) }
            return nil
        }
        return reader.attempt(at: position) { () throws(FilterError) in
            (try Filter(name: name, test: test, options: chosen), position)
        }
    }

    private static func test(_ mapping: inout DocumentMapping, _ reader: inout DocumentReader) -> Filter.Test? {
        let key = mapping.take(Key.key)
        let exact = mapping.take(Key.match)
        let regex = mapping.take(Key.regex)
        let conjunction = mapping.take(Key.conjunction)
        let position = mapping.position
        if let conjunction {
            for (name, other) in [(Key.key, key), (.match, exact), (.regex, regex)] {
                if let other {
                    reader.error("\(name.rawValue.quoted) cannot be combined with `conjunction`", at: other.position)
                    return nil
                }
            }
            return reader.texts(conjunction, "`conjunction`").map { .conjunction($0.map(\.text)) }
        }
        guard let key else {
            reader.error("a filter needs `key` with `match` or `regex`, or else `conjunction`", at: position)
            return nil
        }
        guard let keyText = reader.text(key, "`key`") else { return nil }
        switch (exact, regex) {
        case (let exact?, nil): return value(exact, &reader).map { .exact(key: keyText, value: $0) }
        case (nil, let regex?): return pattern(regex, &reader).map { .regex(key: keyText, pattern: $0) }
        case (nil, nil): reader.error("a filter with `key` needs `match` or `regex`", at: position)
        case (_?, let regex?): reader.error("`regex` cannot be combined with `match`", at: regex.position)
        }
        return nil
    }

    // A value may be empty, where quotes say that this is meant.
    private static func value(_ node: Node, _ reader: inout DocumentReader) -> String? {
        if case .scalar("", isPlain: false) = node.content { return "" }
        return reader.text(node, "`match`")
    }

    private static func pattern(_ node: Node, _ reader: inout DocumentReader) -> Pattern? {
        guard let source = reader.text(node, "`regex`") else { return nil }
        return reader.attempt(at: node.position) { () throws(PatternError) in try Pattern(source) }
    }

    /// The fields of a filter in a file.
    static func fields(of filter: Filter) -> [DocumentField] {
        Key.allCases.map { DocumentField($0.rawValue, value(of: $0, filter)) }
            + FilterOption.all.map { option in
                .truth(option.key, filter.options.contains(option.option))
            }
    }

    private static func value(of key: Key, _ filter: Filter) -> DocumentValue? {
        switch (key, filter.test) {
        case (.name, _): .text(filter.name)
        case (.key, _): filter.key.map(DocumentValue.text)
        case (.match, .exact(_, let value)): .text(value)
        case (.regex, .regex(_, let pattern)): .text(pattern.source)
        case (.conjunction, .conjunction(let inputs)): .texts(inputs)
        case (.match, _), (.regex, _), (.conjunction, _): nil
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

    /// All of them, in the order of the manual.
    package static let all = [
        FilterOption(word: "newDIDOnly", key: "new-did-only", option: .newDevicesOnly),
        FilterOption(word: "captureDeviceInfo", key: "capture-device-info", option: .captureDeviceInformation),
        FilterOption(word: "reject", key: "reject", option: .reject),
        FilterOption(word: "ban", key: "ban", option: .ban),
        FilterOption(word: "risky", key: "risky", option: .risky),
        FilterOption(
            word: "execFilteredSecPolicy", key: "exec-filtered-sec-policy", option: .executeFilteredPolicy),
    ]
}
