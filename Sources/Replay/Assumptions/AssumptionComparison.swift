package import Documents
internal import Figures
internal import PolicyEngine

/// Compares two accounts under assumptions about signals: the account before and the records as they are, with the account after and
/// the records as they are assumed to be.
package struct AssumptionComparison {
    private let request: ComparisonRequest
    private let concerned: ConcernedDevices
    private let progress: Progress

    /// - Parameters:
    ///   - request: The comparison; both accounts may be the same.
    ///   - concerned: The assumptions with their devices.
    ///   - progress: Shows from time to time how far each reading of the captures is.
    package init(_ request: ComparisonRequest, _ concerned: ConcernedDevices, progress: Progress = Progress()) {
        (self.request, self.concerned, self.progress) = (request, concerned, progress)
    }

    /// Reads the captures once for each effect: of both, and where the accounts differ of the change alone and of the assumptions alone;
    /// once more for a share of devices.
    ///
    /// - Returns: The comparison of both, with the figures of the assumptions. No comparison where any reading fails, as of a file that
    ///   changes meanwhile; what is wrong is reported once.
    package func run() -> ComparisonSummary {
        let (before, after) = (request.replay.account, request.after)
        var both = run(to: after, concerned.drawn, as: request)
        guard let comparison = both.comparison else { return both }
        do throws(FailedReading) {
            var (effects, change) = ([AssumptionFigures.Effect(.assumption, comparison.changes)], Reading?.none)
            if before != after {
                let alone = try read(to: after, nil)
                effects = [
                    .init(.change, alone.changes),
                    .init(.assumption, try read(to: before, concerned.drawn).changes),
                    .init(.both, comparison.changes),
                ]
                change = alone
            }
            both.comparison?.assumed = AssumptionFigures(
                parts: concerned.parts, effects: effects, draws: try draws(change: change))
            return both
        } catch {
            return error.summary
        }
    }

    // The captures as they were read once more.
    private struct Reading {
        let changes: ComparisonFigures
        let outcomes: [DeviceID: DeviceOutcome]
    }

    private struct FailedReading: Error {
        let summary: ComparisonSummary
    }

    private func read(to after: Account, _ signals: AssumedSignals?) throws(FailedReading) -> Reading {
        let summary = run(to: after, signals, as: request.asking(onlyForFigures: after))
        guard let comparison = summary.comparison else { throw FailedReading(summary: summary) }
        return Reading(changes: comparison.changes, outcomes: summary.outcomes)
    }

    private func run(
        to after: Account, _ signals: AssumedSignals?, as asked: ComparisonRequest
    ) -> ComparisonSummary {
        var compared = asked
        compared.replay.assumed = signals
        compared.outcomeDevices = concerned.sampled?.devices ?? []
        return CaptureComparison(compared, progress: progress).run()
    }

    // The figures over all draws, from what happens to each device if it is drawn and if it is not.
    private func draws(change: Reading?) throws(FailedReading) -> AssumptionFigures.Draws? {
        guard let (devices, share) = concerned.sampled else { return nil }
        var undrawn = change
        if let others = concerned.withoutShares { undrawn = try read(to: request.after, others) }
        let drawn = try read(to: request.after, concerned.whole)
        let taken = share.rounded(of: devices.count)
        func counted(
            _ outcome: DeviceOutcome, _ all: (ComparisonFigures) -> Int
        ) -> (count: DrawnCount, group: DrawnCount.Group) {
            var (group, inside) = (DrawnCount.Group(), 0)
            for device in devices {
                let without = undrawn.map { $0.outcomes[device] ?? .unknown } ?? .unaffected
                if without.contains(outcome) { inside += 1 }
                group.add(without: without, with: drawn.outcomes[device] ?? .unknown, outcome)
            }
            let everywhere = undrawn.map { all($0.changes) } ?? 0
            return (DrawnCount(others: everywhere - inside, group, share: share, taken: taken), group)
        }
        let (rejected, group) = counted(.rejected) { $0.rejected.devices }
        return AssumptionFigures.Draws(
            rejected: rejected, accepted: counted(.accepted) { $0.accepted.devices }.count, devices: devices.count,
            taken: taken, unevaluated: group.unknown)
    }
}

extension DrawnCount.Group {
    // Adds a device by what happens to it if it is not drawn, and if it is.
    fileprivate mutating func add(without: DeviceOutcome, with: DeviceOutcome, _ outcome: DeviceOutcome) {
        guard !without.isEmpty, !with.isEmpty else {
            unknown += 1
            return
        }
        switch (without.contains(outcome), with.contains(outcome)) {
        case (false, true): gaining += 1
        case (true, false): losing += 1
        case (true, true): always += 1
        case (false, false): never += 1
        }
    }
}

extension Percentage {
    // The number of devices that the share is of all, rounded; half a device counts as one.
    fileprivate func rounded(of all: Int) -> Int {
        let (whole, part) = (UInt128(Percentage.hundred.billionths), UInt128(billionths) * UInt128(all))
        return Int((part * 2 + whole) / (whole * 2))
    }
}
