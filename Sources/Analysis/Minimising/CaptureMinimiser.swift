package import Documents
internal import Figures
internal import PolicyEngine
package import Replay

/// Finds the smallest capture on which a change of an account still turns a verdict.
///
/// Devices do not affect each other in a capture, so its records are of one device. A change that turns a verdict only
/// because a record of another device has `new-did`, which says that the others are not new, is not found.
package struct CaptureMinimiser {
    private let request: ComparisonRequest
    private let progress: Progress

    /// - Parameters:
    ///   - request: The comparison's captures and accounts.
    ///   - progress: Shows from time to time how far the replays are.
    package init(_ request: ComparisonRequest, progress: Progress = Progress()) {
        (self.request, self.progress) = (request, progress)
    }

    /// The smallest capture that was found, and the diagnostics.
    package struct Result: Sendable {
        /// The records, in the order of time; none where the change turns no verdict.
        package var records: [KeptRecord] = []
        /// The number of records that the captures have.
        package var attestations = 0
        /// The errors and warnings about the input.
        package var diagnostics = Diagnostics()

        /// Why there are no records, in words: lower case, no final period; `nil` where there are some.
        package var emptiness: String? {
            records.isEmpty ? "the change turns no verdict of a device by its own records" : nil
        }
    }

    /// Compares, takes the devices that the comparison names, and takes records away from each as long as a verdict turns.
    ///
    /// - Returns: The fewest records that were found; none of them can be left out.
    package func run() -> Result {
        let summary = CaptureComparison(request, progress: progress).run()
        var result = Result(diagnostics: summary.diagnostics)
        guard let changes = summary.comparison?.changes else { return result }
        result.attestations = changes.attestations
        let devices = Set((changes.rejected.examples + changes.accepted.examples).map(\.device))
        guard !devices.isEmpty else { return result }
        let (before, after) = (request.replay.account, request.after)
        let keys = CaptureRecords.keys(for: before, after)
        let records = CaptureRecords(request.replay, keys: keys, devices: .devices(devices), progress: progress)
            .read().records
        let trial = FlipTrial(before, after, patterns: PatternMatcher(keepsAll: true))
        let found = devices.compactMap { device in trial.minimised(records.filter { $0.device == device }) }
        result.records = found.min { ($0.count, $0.first?.index ?? 0) < ($1.count, $1.first?.index ?? 0) } ?? []
        return result
    }
}

/// Tries whether a change of an account turns a verdict on some records.
struct FlipTrial {
    private let before: Account
    private let after: Account
    private let doubtful: (before: Account, after: Account)?
    private let patterns: PatternMatcher

    /// - Parameters:
    ///   - before: The account before the change.
    ///   - after: The account behind it.
    ///   - patterns: Runs the patterns of both.
    init(_ before: Account, _ after: Account, patterns: PatternMatcher) {
        (self.before, self.after, self.patterns) = (before, after, patterns)
        let others = (before.withoutNewDevices, after.withoutNewDevices)
        doubtful = others.0 == nil && others.1 == nil ? nil : (others.0 ?? before, others.1 ?? after)
    }

    /// Takes away records as long as a verdict turns.
    ///
    /// - Returns: Records none of which can be left out; `nil` where no verdict turns on all of them.
    /// - Complexity: O(n²) attestations where little can go, else O(n log n).
    func minimised(_ records: [KeptRecord]) -> [KeptRecord]? {
        if let single = records.first(where: { turns([$0]) }) { return [single] }
        guard turns(records) else { return nil }
        var kept = records
        var size = max(1, kept.count / 2)
        while true {
            var hasShrunk = false
            var start = 0
            while start < kept.count {
                var candidate = kept
                candidate.removeSubrange(start..<min(start + size, kept.count))
                if !candidate.isEmpty, turns(candidate) {
                    (kept, hasShrunk) = (candidate, true)
                } else {
                    start += size
                }
            }
            if size == 1, !hasShrunk { return kept }
            size = max(1, size / 2)
        }
    }

    /// True if the verdict of any record turns, as far as a comparison can tell.
    func turns(_ records: [KeptRecord]) -> Bool {
        let verdicts = (verdicts(before, records), verdicts(after, records))
        let flips = zip(verdicts.0, verdicts.1).map { $0 != $1 }
        guard let doubtful, !records.areNewDevicesKnown else {
            return flips.contains(true)
        }
        let others = (self.verdicts(doubtful.before, records), self.verdicts(doubtful.after, records))
        return records.indices.contains { index in
            flips[index] && others.0[index] != others.1[index] && verdicts.0[index] == others.0[index]
        }
    }

    private func verdicts(_ account: Account, _ records: [KeptRecord]) -> [Bool] {
        var symbols = SymbolTable(catalogue: account.catalogue)
        var engine = Engine(account: account, symbols: &symbols, matcher: patterns)
        return records.map { engine.attest($0.attestation(&symbols), symbols: symbols).passed }
    }
}
