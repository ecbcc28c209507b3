package import PolicyEngine

/// The effects of a change: two accounts on the same attestations.
package struct ComparisonFigures: Sendable {
    /// The number of attestations that were compared, or of fetches of a scenario.
    package var events = 0
    /// The number of attestations among them; a fetch of a scenario is one where a side attests for it.
    package var attestations = 0
    /// The number of them that are of devices of which it is known what the change does to them.
    package var evaluatedEvents = 0
    /// The devices of which it is not known what the change does to them; they are in no figure of what changes.
    package var unevaluated = Figures.Unevaluated()
    /// The number of their devices.
    package var devices = 0
    /// Devices that got a valid token before and get none after.
    package var lockedOut = 0
    /// Devices that got none before and get a valid token after.
    package var letIn = 0
    /// The attestations that passed before and fail after.
    package var rejected = ChangeFigures()
    /// The attestations that failed before and pass after.
    package var accepted = ChangeFigures()
    /// The lifetimes of tokens on both sides, longest first.
    package var lifetimes: [LifetimeChange] = []
    package var annotations = AnnotationFigures()
    /// The attributes that filters look at.
    package var presences: [Presence] = []
    /// The disagreements of the account before with the service; the commonest first.
    package var disagreements: [Disagreement] = []
    /// The first and the last attestation.
    package var span: ClosedRange<Instant>?
    /// The number of attestations by clients of a scenario on both sides; `nil` for captures, where it is estimated.
    package var attested: (before: Int, after: Int)?
    /// The changes in what clients of a scenario get (R19a); `nil` for captures, which do not show them.
    package var clients: ClientChanges?

    /// Devices of which some request was accepted before and is not after (R19a).
    package var newlyBlocked: Int { clients?[.request]?.worse.devices ?? 0 }

    /// Attestations, or fetches of a scenario, by the lifetime of their token on both sides, in seconds.
    package struct LifetimeChange: Hashable, Sendable {
        package var before: Int
        package var after: Int
        package var events = 0
        package var attestations = 0
    }

    /// The number of records that have an attribute.
    package struct Presence: Hashable, Sendable {
        package var attribute: String
        package var records: Int
    }

    /// Records on which the account before and the service disagree for the same reasons.
    package struct Disagreement: Hashable, Sendable {
        /// The verdict of the account; the service decided the opposite.
        package var verdict: Verdict
        package var attestations: Int
        /// The first one: its number, device and time.
        package var index: Int
        package var example: DeviceID
        package var time: Instant
    }

    /// A verdict of an account, and its reasons.
    package enum Verdict: Hashable, Sendable {
        /// It rejects for these causes.
        case fails([Rejection])
        /// It accepts what has these flags, besides those that follow from others.
        case passes([ExactText])

        /// The names of the causes, or of the flags.
        package var names: [String] {
            switch self {
            case .fails(let rejections): rejections.map(\.name)
            case .passes(let flags): flags.map(\.text)
            }
        }
    }

    /// The token fetches to expect for every 1000 before the change, if clients always want a token: a token that lives
    /// shorter is fetched more often.
    package var expectedFetchesPerMille: Int {
        if let attested { return attested.before == 0 ? 1000 : Self.ratio(attested.after, attested.before) }
        let total = lifetimes.reduce(0) { $0 + $1.events }
        guard total > 0 else { return 1000 }
        let after = lifetimes.reduce(0) { $0 + Self.ratio($1.events * $1.before, max(1, $1.after)) }
        return Self.ratio(after, total * 1000)
    }

    /// The attestations of a day before the change; `nil` where they span less than an hour.
    package var attestationsPerDay: Int? {
        guard let span, span.upperBound - span.lowerBound >= 3600 else { return nil }
        let count = attested?.before ?? events
        return count * Instant.secondsPerDay / (span.upperBound - span.lowerBound)
    }

    // In thousandths, rounded half up.
    private static func ratio(_ part: Int, _ whole: Int) -> Int { (part * 2000 + whole) / (2 * whole) }
}

/// The effects of a change on the annotations of tokens.
package struct AnnotationFigures: Hashable, Sendable {
    /// Attestations, or fetches of a scenario, whose annotations differ.
    package var events = 0
    /// The attestations among them.
    package var attestations = 0
    /// The number of their devices.
    package var devices = 0
    /// Tokens that had no annotation claim and have one.
    package var appearing = 0
    /// Tokens that had an annotation claim and have none.
    package var disappearing = 0
    /// By flag: tokens that gain it.
    package var gained = NamedCounts()
    /// By flag: tokens that lose it.
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
        devices += other.devices
        appearing += other.appearing
        disappearing += other.disappearing
        gained.merge(other.gained)
        lost.merge(other.lost)
    }
}

extension ComparisonFigures {
    /// Adds the figures of other devices.
    mutating func add(_ other: ComparisonFigures) {
        events += other.events
        evaluatedEvents += other.evaluatedEvents
        unevaluated.add(other.unevaluated)
        attestations += other.attestations
        devices += other.devices
        lockedOut += other.lockedOut
        letIn += other.letIn
        rejected.add(other.rejected)
        accepted.add(other.accepted)
        for change in other.lifetimes { add(change) }
        annotations.add(other.annotations)
        for presence in other.presences { add(presence) }
        for disagreement in other.disagreements { add(disagreement) }
        if let otherSpan = other.span {
            span =
                span.map {
                    min($0.lowerBound, otherSpan.lowerBound)...max($0.upperBound, otherSpan.upperBound)
                } ?? otherSpan
        }
    }

    private mutating func add(_ other: Presence) {
        let same = presences.firstIndex { ExactText($0.attribute) == ExactText(other.attribute) }
        guard let same else { return presences.append(other) }
        presences[same].records += other.records
    }

    /// Counts lifetimes.
    mutating func add(_ change: LifetimeChange) {
        guard let index = lifetimes.firstIndex(where: { $0.before == change.before && $0.after == change.after }) else {
            return lifetimes.append(change)
        }
        lifetimes[index].events += change.events
        lifetimes[index].attestations += change.attestations
    }

    private mutating func add(_ other: Disagreement) {
        let same = disagreements.firstIndex { $0.verdict == other.verdict }
        guard let same else { return disagreements.append(other) }
        let count = disagreements[same].attestations + other.attestations
        if other.index < disagreements[same].index { disagreements[same] = other }
        disagreements[same].attestations = count
    }

    /// The same in the order of reports: what is reported first comes first, and what is not reported is left out.
    package var finished: ComparisonFigures {
        var figures = self
        figures.rejected.finish()
        figures.accepted.finish()
        figures.lifetimes.sort { ($1.before, $1.after) < ($0.before, $0.after) }
        // Those of equal count are in the order of first sight.
        figures.disagreements.sort { ($1.attestations, $0.index) < ($0.attestations, $1.index) }
        figures.disagreements = Array(figures.disagreements.prefix(DisagreementCollector.limit))
        return figures
    }
}
