package import Documents
package import PolicyEngine

/// Reads flags: those that an account declares, and names of flags that must exist.
package enum FlagLoader {
    /// The keys of a declaration; no command changes one.
    enum Key: String, CaseIterable {
        case name, description, risk
    }

    /// Reads the declared flags.
    ///
    /// - Returns: The catalogue with those that could be declared.
    static func load(_ node: Node?, _ reader: inout DocumentReader) -> FlagCatalogue {
        var catalogue = FlagCatalogue()
        guard let node else { return catalogue }
        for entry in reader.sequence(node, "`flags`") ?? [] {
            guard let (declaration, position) = declaration(entry, &reader) else { continue }
            reader.attempt(at: position) { () throws(FlagError) in try catalogue.declare(declaration) }
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

    private static func declaration(
        _ node: Node, _ reader: inout DocumentReader
    ) -> (FlagDeclaration, SourcePosition)? {
        guard var mapping = reader.mapping(node, "a flag") else { return nil }
        let name = mapping.require(Key.name, &reader)
        let text = name.flatMap { reader.text($0, "`name`") }
        let meaning = mapping.text(Key.description, &reader)
        let isRisk = mapping.take(Key.risk).flatMap { reader.boolean($0, "`risk`") }
        mapping.finish(&reader)
        guard let text, let position = name?.position else { return nil }
        return (FlagDeclaration(name: text, meaning: meaning ?? "", isRisk: isRisk ?? false), position)
    }
}
