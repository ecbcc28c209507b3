internal import PolicyEngine

extension ComparisonFigures {
    /// Adds the figures of other devices.
    mutating func add(_ other: ComparisonFigures) {
        events += other.events
        unjudged.add(other.unjudged)
        attestations += other.attestations
        devices += other.devices
        lockedOut += other.lockedOut
        letIn += other.letIn
        rejected.add(other.rejected)
        accepted.add(other.accepted)
        for change in other.lifetimes { add(change) }
        annotations.add(other.annotations)
        for place in presences.indices { presences[place].records += other.presences[place].records }
        for disagreement in other.disagreements { add(disagreement) }
        if let otherSpan = other.span {
            span =
                span.map {
                    min($0.lowerBound, otherSpan.lowerBound)...max($0.upperBound, otherSpan.upperBound)
                } ?? otherSpan
        }
    }

    private mutating func add(_ change: LifetimeChange) {
        guard let place = lifetimes.firstIndex(where: { $0.before == change.before && $0.after == change.after }) else {
            return lifetimes.append(change)
        }
        lifetimes[place].events += change.events
        lifetimes[place].attestations += change.attestations
    }

    private mutating func add(_ other: Disagreement) {
        let same = disagreements.firstIndex { $0.captured == other.captured && $0.reasons == other.reasons }
        guard let same else { return disagreements.append(other) }
        let count = disagreements[same].attestations + other.attestations
        if other.index < disagreements[same].index { disagreements[same] = other }
        disagreements[same].attestations = count
    }

    /// The same in the order of reports: what is told first comes first, and what is told no more is left out.
    package var settled: ComparisonFigures {
        var figures = self
        figures.rejected.settle()
        figures.accepted.settle()
        figures.lifetimes.sort { ($1.before, $1.after) < ($0.before, $0.after) }
        // Those of equal count stand as they were first seen.
        figures.disagreements.sort { ($1.attestations, $0.index) < ($0.attestations, $1.index) }
        figures.disagreements = Array(figures.disagreements.prefix(DisagreementCollector.limit))
        return figures
    }
}

extension ChangeFigures {
    /// Adds the figures of other devices.
    mutating func add(_ other: ChangeFigures) {
        events += other.events
        attestations += other.attestations
        devices += other.devices
        if let otherFetches = other.fetches { fetches = (fetches ?? 0) + otherFetches }
        for split in other.splits { add(split) }
        for example in other.examples { add(example) }
    }

    private mutating func add(_ other: Split) {
        guard let place = splits.firstIndex(where: { $0.kind == other.kind }) else { return splits.append(other) }
        var known: [ExactText: Int] = [:]
        for (number, part) in splits[place].parts.enumerated() { known[ExactText(part.name)] = number }
        for part in other.parts {
            if let same = known[ExactText(part.name)] {
                splits[place].parts[same].add(part)
            } else {
                splits[place].parts.append(part)
            }
        }
    }

    private mutating func add(_ other: Example) {
        let same = examples.firstIndex { $0.before == other.before && $0.after == other.after }
        guard let same else { return examples.append(other) }
        let (mine, counted) = (examples[same], examples[same].index > other.index ? other : examples[same])
        examples[same] = counted
        examples[same].events = mine.events + other.events
        examples[same].attestations = mine.attestations + other.attestations
    }

    mutating func settle() {
        let kinds = ChangeCause.Kind.allCases.map(\.rawValue)
        splits.sort { (kinds.firstIndex(of: $0.kind) ?? 0) < (kinds.firstIndex(of: $1.kind) ?? 0) }
        for place in splits.indices { splits[place].parts.sort(by: Self.isLarger) }
        // Those of equal count stand as they were first seen.
        examples.sort { ($1.events, $0.index) < ($0.events, $1.index) }
        examples = Array(examples.prefix(Self.exampleLimit))
    }

    private static func isLarger(_ left: Part, _ right: Part) -> Bool {
        if left.devices != right.devices { return left.devices > right.devices }
        if left.events != right.events { return left.events > right.events }
        return left.name.utf8.lexicographicallyPrecedes(right.name.utf8)
    }
}

extension ChangeFigures.Part {
    fileprivate mutating func add(_ other: ChangeFigures.Part) {
        events += other.events
        attestations += other.attestations
        devices += other.devices
        if other.index < index { (example, index) = (other.example, other.index) }
    }
}
