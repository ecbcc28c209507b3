/// A reason why an attestation failed (R4.5, R4.8).
package enum Rejection: Hashable, Sendable {
    /// A flag that rejects under the policy applied.
    case flag(ExactText)
    /// A rejecting filter that matched.
    case filter(ExactText)
    /// A policy that rejects everything.
    case blacklist

    private static let filterPrefix = "filter:"
    private static let blacklistName = "policy:blacklist"

    /// The cause of a name, as ``name`` gives it; whether there is such a flag or filter is for others to know.
    package init(_ name: String) {
        if name == Self.blacklistName {
            self = .blacklist
        } else if name.utf8.starts(with: Self.filterPrefix.utf8) {
            self = .filter(ExactText(String(name.dropFirst(Self.filterPrefix.count))))
        } else {
            self = .flag(ExactText(name))
        }
    }

    /// The flag's name, `filter:NAME` or `policy:blacklist`.
    package var name: String {
        switch self {
        case .flag(let flag): flag.text
        case .filter(let filter): Self.filterPrefix + filter.text
        case .blacklist: Self.blacklistName
        }
    }
}

extension Engine {
    /// The rejections of a decision: flags in catalogue order, then filters in filter order; or the policy alone.
    ///
    /// - Parameters:
    ///   - decision: A decision of this engine.
    ///   - catalogue: The flags by which it was made.
    package func causes(of decision: Decision, catalogue: FlagCatalogue) -> [Rejection] {
        if decision.isBlacklisted { return [.blacklist] }
        return catalogue.names(of: decision.rejectingFlags).map { .flag(ExactText($0)) }
            + filterNames(decision.rejectingFilters, of: decision).map { .filter(ExactText($0)) }
    }
}
