package import PolicyEngine

/// Which of the scenarios that were found are run.
package struct ScenarioSelection: Sendable {
    /// Found in the name of each that is run.
    package var name: Pattern?
    /// Tags of which each that is run has at least one; none takes all.
    package var tags: Set<String>

    package init(name: Pattern? = nil, tags: Set<String> = []) {
        self.name = name
        self.tags = tags
    }

    /// Whether a scenario is run.
    package func takes(_ scenario: Scenario) -> Bool {
        if let name, !name.isFound(in: scenario.name) { return false }
        return tags.isEmpty || !tags.isDisjoint(with: scenario.tags)
    }
}
