package import Documents
package import PolicyEngine

/// Reads flags: those that an account declares, and names of flags that must exist.
package enum FlagLoader {
    /// The fields of a declaration; no command changes one.
    static let fields: [Field<FlagDeclaration>] = [
        .required(
            "name", \.name,
            .text.described(
                by: .textOrNumber(matching: "(?!(\(taken))$)\(RuleForms.name)").naming(.flag, isDeclaration: true)),
            "The name of the flag: lower-case letters, digits and hyphens."),
        .value("description", \.meaning, .text, usually: "", "The meaning of the flag, for people."),
        .truth("risk", \.isRisk, "With true, the flag makes a device risky."),
    ]

    private static let taken =
        (FlagCatalogue().declaredNames + [FlagCatalogue.misspelt]
        + AnnotationPolicy.presetNames).joined(separator: "|")

    static var schema: JSONSchema {
        JSONSchema.list(of: fields.schema(), atMost: Flag.limit - FlagCatalogue().declaredNames.count).unique
    }

    /// Reads the declared flags.
    ///
    /// - Returns: The catalogue with those that could be declared.
    static func load(_ node: Node?, _ reader: inout DocumentReader) -> FlagCatalogue {
        var catalogue = FlagCatalogue()
        guard let node else { return catalogue }
        for entry in reader.sequence(node, "`flags`") ?? [] {
            let read = fields.read(entry, "a flag", from: FlagDeclaration(name: ""), &reader)
            guard let declaration = read, let name = entry["name"] else { continue }
            reader.attempt(at: name.position) { () throws(FlagError) in try catalogue.declare(declaration) }
        }
        return catalogue
    }

    /// A flag that a policy, an expectation or a group names.
    ///
    /// - Returns: `nil` after noting an error.
    package static func flag(
        _ name: String, at position: SourcePosition, _ catalogue: FlagCatalogue, _ reader: inout DocumentReader
    ) -> Flag? {
        flag(name, at: position, among: [catalogue], &reader)
    }

    /// A flag that has to be in one of several catalogues; in the first of them that has it.
    ///
    /// - Returns: `nil` after noting an error.
    package static func flag(
        _ name: String, at position: SourcePosition, among catalogues: [FlagCatalogue], _ reader: inout DocumentReader
    ) -> Flag? {
        for catalogue in catalogues {
            if let flag = catalogue.namedFlag(name) { return flag }
        }
        let near = reader.isFull ? nil : Suggestion.hint(for: name, among: catalogues.flatMap(\.declaredNames))
        reader.error(
            "unknown flag \(name.quoted)", at: position, hint: near ?? "an account can declare it under `flags`")
        return nil
    }
}
