package import PolicyEngine

/// The effects of an edit of an account on the devices of a capture, as a comparison counts them.
package struct EditFigures: Addable, Hashable, Sendable {
    /// The attestations that passed before and fail after.
    package var rejected = Turned()
    /// The attestations that failed before and pass after.
    package var accepted = Turned()
    /// The devices of which it is not known what the edit does to them: nobody knows which were new, or a search was given up
    /// (R7.2).
    package var unevaluatedDevices = 0
    /// The names of the flags that were set on an attestation that newly passes.
    package var acceptedFlags: Set<ExactText> = []
    // The number of attestations by their lifetimes before and after.
    private var lifetimes: [Lifetimes: Int] = [:]

    package init() {}

    /// Attestations whose verdict turns one way.
    package struct Turned: Addable, Hashable, Sendable {
        package var attestations = 0
        /// The number of their devices.
        package var devices = 0

        package init() {}

        package mutating func add(_ other: Turned) {
            attestations += other.attestations
            devices += other.devices
        }
    }

    private struct Lifetimes: Hashable {
        let before, after: Int
    }

    /// Notes the flags of attestations that newly pass.
    package mutating func setAcceptedFlags(_ names: [String]) { acceptedFlags = Set(names.map { ExactText($0) }) }

    /// Counts attestations by the lifetime of their tokens, in seconds.
    package mutating func countLifetimes(_ before: Int, _ after: Int, _ count: Int) {
        if count > 0 { lifetimes[Lifetimes(before: before, after: after), default: 0] += count }
    }

    /// True if the token of some attestation gets another lifetime.
    package var changesLifetimes: Bool { lifetimes.contains { $0.key.before != $0.key.after && $0.value > 0 } }

    /// Adds the figures of other devices.
    package mutating func add(_ other: EditFigures) {
        rejected.add(other.rejected)
        accepted.add(other.accepted)
        unevaluatedDevices += other.unevaluatedDevices
        acceptedFlags.formUnion(other.acceptedFlags)
        lifetimes.add(other.lifetimes)
    }

    /// The token fetches to expect for every 1000 before the edit.
    package var expectedFetchesPerMille: Int {
        var figures = ComparisonFigures()
        figures.lifetimes = lifetimes.map { lifetimes, count in
            .init { ($0.before, $0.after, $0.events) = (lifetimes.before, lifetimes.after, count) }
        }
        return figures.expectedFetchesPerMille
    }
}
