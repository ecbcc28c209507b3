/// A key that a document may have, with its sentence for people.
package struct DescribedKey: Sendable {
    /// The number of keys in which its mapping is.
    package let depth: Int
    package let name: String
    package let sentence: String
}

extension JSONSchema {
    /// The keys of a document of this form: each in front of those of its value. A definition is at the first key whose value it is.
    ///
    /// - Parameter definitions: The definitions to which it refers, by name.
    package func keys(_ definitions: [(name: String, schema: JSONSchema)] = []) -> [DescribedKey] {
        var rest = Dictionary(uniqueKeysWithValues: definitions.map { ("#/$defs/\($0.name)", $0.schema) })
        return keys(at: 0, &rest)
    }

    private func keys(at depth: Int, _ rest: inout [String: JSONSchema]) -> [DescribedKey] {
        var (keys, seen): ([DescribedKey], Set<String>) = ([], [])
        for (name, form) in properties(&rest) where seen.insert(name).inserted {
            keys.append(DescribedKey(depth: depth, name: name, sentence: form["description"]?.text ?? ""))
            keys += form.keys(at: depth + 1, &rest)
        }
        return keys
    }

    // The keys of a mapping, of the items of a list and of the mappings by names, in whichever of several forms.
    private func properties(_ rest: inout [String: JSONSchema]) -> [(name: String, schema: JSONSchema)] {
        members.flatMap { name, value -> [(name: String, schema: JSONSchema)] in
            switch (name, value) {
            case ("properties", .map(let keys)): keys.compactMap { key in key.value.schema.map { (key.name, $0) } }
            case ("items", .map(let form)), ("additionalProperties", .map(let form)):
                JSONSchema(form).properties(&rest)
            case ("anyOf", .list(let forms)): forms.compactMap(\.schema).flatMap { $0.properties(&rest) }
            case ("$ref", .text(let name)): rest.removeValue(forKey: name)?.properties(&rest) ?? []
            default: []
            }
        }
    }
}
