internal import Documents
internal import PolicyEngine

/// Reads security policies.
enum PolicyLoader {
    /// Reads `rules,rejection,annotation`.
    ///
    /// - Returns: `nil` after noting an error.
    static func load(
        _ node: Node, account: Account, isFiltered: Bool, _ reader: inout DocumentReader
    ) -> SecurityPolicy? {
        guard let text = reader.text(node, "`policy`") else { return nil }
        do throws(PolicyError) {
            return try isFiltered ? account.filteredSecurityPolicy(text) : account.securityPolicy(text)
        } catch {
            let hint = error.choice.flatMap { Suggestion.hint(for: $0.wrong, among: $0.known) }
            reader.error(error.description, at: node.position, hint: hint)
            return nil
        }
    }
}
