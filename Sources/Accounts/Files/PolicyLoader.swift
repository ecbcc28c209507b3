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
        return reader.attempt(at: node.position) { () throws(PolicyError) in
            try isFiltered ? account.filteredSecurityPolicy(text) : account.securityPolicy(text)
        }
    }
}
