internal import Documents
internal import PolicyEngine

/// Reads filters (R7.1).
enum FilterLoader {
    /// Reads a filter.
    ///
    /// - Returns: The filter and where its name stands; `nil` after noting an error.
    static func load(_ node: Node, _ reader: inout DocumentReader) -> (filter: Filter, position: SourcePosition)? {
        guard var mapping = reader.mapping(node, "a filter") else { return nil }
        let nameNode = mapping.require("name", &reader)
        let name = nameNode.flatMap { reader.text($0, "`name`") }
        let test = test(&mapping, &reader)
        var chosen: Filter.Options = []
        for option in FilterOption.all {
            guard let value = mapping.take(option.key) else { continue }
            if reader.boolean(value, option.key.quoted) == true { chosen.insert(option.option) }
        }
        mapping.finish(&reader)
        guard let name, let position = nameNode?.position else { return nil }
        do throws(FilterError) {
            guard let test else {
                if !Filter.isName(name) { throw .invalidName(name) }
                return nil
            }
            return (try Filter(name: name, test: test, options: chosen), position)
        } catch {
            reader.error(error.description, at: position, hint: error.hint)
            return nil
        }
    }

    private static func test(_ mapping: inout DocumentMapping, _ reader: inout DocumentReader) -> Filter.Test? {
        let key = mapping.take("key")
        let exact = mapping.take("match")
        let regex = mapping.take("regex")
        let conjunction = mapping.take("conjunction")
        let position = mapping.position
        if let conjunction {
            for (name, other) in [("key", key), ("match", exact), ("regex", regex)] {
                if let other {
                    reader.error("\(name.quoted) cannot go with `conjunction`", at: other.position)
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
        case (_?, let regex?): reader.error("`regex` cannot go with `match`", at: regex.position)
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
        do throws(PatternError) {
            return try Pattern(source)
        } catch {
            reader.error(error.description, at: node.position, hint: error.hint)
            return nil
        }
    }
}
