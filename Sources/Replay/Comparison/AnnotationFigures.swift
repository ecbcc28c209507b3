internal import PolicyEngine

/// How a change alters what tokens tell.
package struct AnnotationFigures: Hashable, Sendable {
    /// Attestations, or fetches of a scenario, whose annotations differ.
    package var events = 0
    /// The attestations among them.
    package var attestations = 0
    /// Tokens that had no annotation claim and have one.
    package var appearing = 0
    /// Tokens that had an annotation claim and have none.
    package var disappearing = 0
    /// By flag: tokens that newly tell it.
    package var gained = NamedCounts()
    /// By flag: tokens that tell it no longer.
    package var lost = NamedCounts()

    mutating func count(
        _ before: FlagSet?, _ after: FlagSet?, _ counts: (events: Int, attestations: Int), _ catalogue: FlagCatalogue
    ) {
        let count = counts.events
        events += count
        attestations += counts.attestations
        if before == nil { appearing += count }
        if after == nil { disappearing += count }
        let (old, new) = (before ?? .empty, after ?? .empty)
        for name in catalogue.names(of: new.subtracting(old)) { gained[name, default: 0] += count }
        for name in catalogue.names(of: old.subtracting(new)) { lost[name, default: 0] += count }
    }

    /// Adds the figures of other devices.
    mutating func add(_ other: AnnotationFigures) {
        events += other.events
        attestations += other.attestations
        appearing += other.appearing
        disappearing += other.disappearing
        gained.merge(other.gained)
        lost.merge(other.lost)
    }
}
