extension Engine {
    /// What caused a rejection, in words: flags in catalogue order, then `filter:<name>` in filter order, or
    /// `policy:blacklist` alone (R4.5, R4.8).
    ///
    /// - Parameters:
    ///   - decision: A decision of this engine.
    ///   - catalogue: The flags by which it was made.
    public func rejections(of decision: Decision, catalogue: FlagCatalogue) -> [String] {
        causes(of: decision, catalogue: catalogue).map(\.name)
    }

    /// The names of filters, in filter order.
    ///
    /// - Parameters:
    ///   - filters: Some filters.
    ///   - decision: The decision of this engine that they belong to.
    public func filterNames(_ filters: FilterSet, of decision: Decision) -> [String] {
        let all = history.revisions[decision.revision].account.filters
        return filters.map { all[$0].name }
    }
}

extension FlagCatalogue {
    /// The names of some flags as annotations tell them: sorted by byte value (R2.3).
    public func annotationNames(of set: FlagSet) -> [String] {
        names(of: set).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }
}
