extension Account {
    /// Adds a filter from a list in which each name is used once, as an account file does (R7.1).
    ///
    /// Inputs of a conjunction may be missing, or come later; a conjunction that lacks one never matches (R7.4).
    ///
    /// - Throws: ``FilterError/duplicate(_:)``, ``FilterError/limitReached(_:)``.
    public mutating func append(_ filter: Filter) throws(FilterError) {
        guard !filters.contains(where: { $0.name == filter.name }) else { throw .duplicate(filter.name) }
        guard filters.count < AccountLimits.filters else { throw .limitReached(filter.name) }
        filters.append(filter)
    }

    /// Adds a filter, or replaces the one of that name at its position, as the command does (R7.1).
    ///
    /// - Throws: ``FilterError``: the limit, a missing input, a conjunction of a conjunction (R7.4).
    public mutating func set(_ filter: Filter) throws(FilterError) {
        var changed = self
        if let index = filters.firstIndex(where: { $0.name == filter.name }) {
            changed.filters[index] = filter
        } else {
            try changed.append(filter)
        }
        try changed.checkNesting(of: filter)
        if let missing = changed.missingInputs(of: filter).first {
            let known = changed.filters.filter { $0.inputs == nil }.map(\.name)
            throw .missingInput(missing, of: filter.name, known: known)
        }
        self = changed
    }

    /// Removes a filter; a conjunction that has it as an input matches no longer (R7.4).
    ///
    /// - Throws: ``FilterError/unknown(_:known:)``.
    public mutating func removeFilter(named name: String) throws(FilterError) {
        guard let index = filters.firstIndex(where: { $0.name == name }) else {
            throw .unknown(name, known: filters.map(\.name))
        }
        filters.remove(at: index)
    }

    /// The inputs of a conjunction that are no filters of this account (R7.4).
    package func missingInputs(of filter: Filter) -> [String] {
        (filter.inputs ?? []).filter { input in !filters.contains { $0.name == input } }
    }

    /// The first input of a conjunction that is a conjunction itself (R7.4).
    package func nestedInput(of filter: Filter) -> String? {
        let inputs = filter.inputs ?? []
        return filters.first { $0.inputs != nil && inputs.contains($0.name) }?.name
    }

    /// Checks that no conjunction is the input of another (R7.4).
    ///
    /// - Throws: ``FilterError/nestedConjunction(_:of:)``, ``FilterError/conjunctionUsedAsInput(_:of:)``.
    func checkNesting(of filter: Filter) throws(FilterError) {
        if let nested = nestedInput(of: filter) { throw .nestedConjunction(nested, of: filter.name) }
        guard filter.inputs != nil else { return }
        if let user = filters.first(where: { $0.inputs?.contains(filter.name) == true }) {
            throw .conjunctionUsedAsInput(filter.name, of: user.name)
        }
    }
}
