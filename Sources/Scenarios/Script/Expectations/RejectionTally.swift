internal import PolicyEngine

/// Counts what rejects the fetches that an expectation is about.
struct RejectionTally {
    // All that decisions of an account reject for.
    private struct Causes: Hashable {
        let flags: FlagSet
        let filters: FilterSet
        let isBlacklisted: Bool
        // Filters are numbers of a revision of an account.
        let revision: Int
        let service: ObjectIdentifier
    }

    private var counts: [Causes: (names: [String], fetches: Int)] = [:]

    /// Adds the decision behind a fetch.
    mutating func add(_ decision: Decision?, of service: SimulatedService) {
        guard let decision, !decision.passed else { return }
        let causes = Causes(
            flags: decision.rejectingFlags, filters: decision.rejectingFilters,
            isBlacklisted: decision.isBlacklisted, revision: decision.revision, service: ObjectIdentifier(service))
        // Names take long to make.
        let known = counts[causes] ?? (service.names(of: .rejections, in: decision) ?? [], 0)
        counts[causes] = (known.names, known.fetches + 1)
    }

    /// The causes with the number of fetches that each rejects, the commonest first: `rooted (2), filter:myip (1)`; `nil` where
    /// nothing rejects any.
    var text: String? {
        var byName: [String: Int] = [:]
        for (names, fetches) in counts.values {
            for name in names { byName[name, default: 0] += fetches }
        }
        guard !byName.isEmpty else { return nil }
        let ranked = byName.sorted { ($1.value, ExactText($0.key)) < ($0.value, ExactText($1.key)) }
        let others = ranked.count > Self.limit ? ", and \(ranked.count - Self.limit) more" : ""
        return ranked.prefix(Self.limit).map { "\($0.key) (\($0.value))" }.joined(separator: ", ") + others
    }

    // The number of causes that are named.
    private static let limit = 5
}
