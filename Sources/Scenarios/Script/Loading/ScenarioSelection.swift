package import Documents
package import PolicyEngine

/// The condition for scenarios to be run.
package struct ScenarioSelection: Sendable {
    /// Found in the name of each that is run.
    package var name: Pattern?
    /// Tags of which each that is run has at least one; none takes all.
    package var tags: [String]

    package init(name: Pattern? = nil, tags: [String] = []) {
        self.name = name
        self.tags = tags
    }

    /// True if a scenario is run.
    package func includes(_ scenario: Scenario) -> Bool {
        if let name, !name.isFound(in: scenario.name) { return false }
        return tags.isEmpty || tags.contains(where: scenario.tags.contains)
    }
}

/// The scenarios of some files that a selection takes.
package struct SelectedScenarios: Sendable {
    /// The scenarios that are run, in the order of the files.
    package private(set) var scenarios: [Scenario] = []
    /// The scenarios that are invalid, by their files, as failed.
    package private(set) var invalid: [ScenarioResult] = []
    /// Why nothing is run, in words: a tag that no scenario has is a mistake, even where others select something.
    package private(set) var refusals: [String] = []

    /// Loads all files.
    ///
    /// - Parameters:
    ///   - selection: The condition.
    ///   - files: The files of scenarios.
    ///   - boundary: The files that they may name.
    ///   - zone: The clock by which commands print times.
    ///   - jobs: The number of files that are loaded side by side.
    ///   - diagnostics: Gets all errors, and the warnings of scenarios that are taken.
    package init(
        _ selection: ScenarioSelection, among files: [String], within boundary: FileBoundary, zone: ClockZone,
        jobs: Int, diagnostics: inout Diagnostics
    ) {
        let loaded = Workers.map(files, jobs: jobs) { file, _ in
            var found = Diagnostics()
            var scenario = ScenarioLoader.load(path: file, within: boundary, diagnostics: &found)
            scenario?.zone = zone
            return (scenario, found)
        }
        var tags: Set<String> = []
        for (file, (scenario, found)) in zip(files, loaded) {
            if found.hasErrors { invalid.append(ScenarioResult(invalid: file, found.errors)) }
            let isSelected = scenario.map(selection.includes) ?? true
            if isSelected || found.hasErrors { diagnostics.merge(found) }
            if let scenario, isSelected { scenarios.append(scenario) }
            tags.formUnion(scenario?.tags ?? [])
        }
        refusals = selection.tags.filter { !tags.contains($0) }.map { tag in
            let hint = Suggestion.hint(for: tag, among: tags.sorted()).map { "; \($0)" } ?? ""
            return "no scenario has the tag \(tag.showingControls().quoted)\(hint)"
        }
        if refusals.isEmpty, scenarios.isEmpty { refusals = ["no scenario was selected; \(files.count) were found"] }
    }
}
