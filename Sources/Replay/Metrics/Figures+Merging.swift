internal import PolicyEngine

extension Figures {
    /// Adds the figures of another stream, whose devices are other devices.
    package mutating func merge(_ other: Figures) {
        attestations += other.attestations
        malformed += other.malformed
        // Accounts are billed apart, whatever their months.
        billing += other.billing
        metrics.merge(other.metrics, uniquingKeysWith: +)
        lifetimes.merge(other.lifetimes, uniquingKeysWith: +)
        policies.merge(other.policies)
        unknownFlags.merge(other.unknownFlags)
        unevaluated.add(other.unevaluated)
        devices.unique += other.devices.unique
        devices.new += other.devices.new
        devices.banned += other.devices.banned
        for filter in other.filters {
            addFilter(filter.name, matched: filter.matched, limitHits: filter.limitHits)
            if let index = filters.firstIndex(where: { $0.name == filter.name }) {
                filters[index].devices += filter.devices
            }
        }
        for kind in WindowKind.allCases { merge(other.windows[kind] ?? [], into: kind) }
        hours.merge(other.hours) { $0.adding($1) }
        if let otherSeries = other.series {
            if series == nil { series = otherSeries } else { series?.merge(otherSeries) }
        }
        if let otherReproduced = other.reproduced {
            let own = reproduced ?? Reproduction(compared: 0, agreed: 0)
            reproduced = Reproduction(
                compared: own.compared + otherReproduced.compared, agreed: own.agreed + otherReproduced.agreed)
        }
    }

    /// Adds the figures of other devices of the same stream.
    package mutating func add(_ other: Figures) {
        merge(other)
        billing = highestMonth
    }

    /// Takes the figures that leave out what depends on new devices. Decisions of the service are compared with the decisions
    /// as they are written, record by record.
    mutating func adopt(_ others: Figures) {
        let reproduced = reproduced
        self = others
        self.reproduced = reproduced
    }

    /// Counts requests that were malformed: `fail-bad-request`.
    mutating func addMalformed(_ count: Int) {
        malformed += count
        add(.badRequest, count)
    }

    /// The devices that passed in the month in which most did.
    var highestMonth: Int { (windows[.monthly] ?? []).map(\.passed).max() ?? 0 }

    private mutating func merge(_ others: [Window], into kind: WindowKind) {
        var byStart: [Instant: Window] = [:]
        // Records that are not in the order of time come back to a window that was closed.
        for other in (windows[kind] ?? []) + others {
            var window = byStart[other.start] ?? Window(start: other.start, passed: 0, failed: 0, counts: [:])
            window.passed += other.passed
            window.failed += other.failed
            window.counts.merge(other.counts, uniquingKeysWith: +)
            byStart[other.start] = window
        }
        windows[kind] = byStart.values.sorted { $0.start < $1.start }
    }
}
