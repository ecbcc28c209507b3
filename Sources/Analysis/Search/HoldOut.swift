internal import Accounts
internal import PolicyEngine
internal import Replay

/// The later part of captures, on which the answers of a search are reported, but not looked for.
///
/// Devices are remembered from the part before, as they will be when the answer is used.
struct HoldOut {
    /// The index of its first record.
    let first: Int
    /// The number of its devices.
    let devices: Int
    let summary: SearchAnswers.HeldOut
    // Under the account as it is.
    private let records: [KeptRecord]

    /// - Parameters:
    ///   - records: All records under the account as it is, in the order of time.
    ///   - start: The start of the part.
    /// - Throws: ``SearchFailure/nothingHeldOut`` if all records are on one side of it.
    init(_ records: [KeptRecord], from start: Instant) throws(SearchFailure) {
        let first = records.firstIndex { $0.time >= start } ?? records.count
        guard first > 0, first < records.count else { throw .nothingHeldOut }
        let (before, after) = (Set(records[..<first].map(\.device)), Set(records[first...].map(\.device)))
        (self.first, self.records, devices) = (first, records, after.count)
        summary = SearchAnswers.HeldOut(start: start, seenBefore: before.intersection(after).count)
    }

    /// An answer with its effects on the held-out part.
    ///
    /// - Parameters:
    ///   - commands: The edits.
    ///   - edited: The records under the edited account.
    ///   - selection: The question's answer on each record.
    ///   - labelled: The labels of the devices; `nil` for none.
    func answer(
        _ commands: [ManagementCommand], _ edited: [KeptRecord], _ selection: RecordSelection,
        _ labelled: LabelledDevices?
    ) -> SearchAnswers.Answer {
        var (rejected, besides, accepted): (Set<DeviceID>, Set<DeviceID>, Set<DeviceID>) = ([], [], [])
        var (passing, failing): (Set<DeviceID>, Set<DeviceID>) = ([], [])
        for index in first..<min(records.count, edited.count) {
            let (device, before, after) = (records[index].device, records[index].passed, edited[index].passed)
            let (mustFail, mustPass) = (selection.rejecting[index], selection.keeping[index])
            if before, !after {
                rejected.insert(device)
                if !mustFail, !mustPass { besides.insert(device) }
            }
            if !before, after { accepted.insert(device) }
            if after, mustFail { passing.insert(device) }
            if !after, mustPass { failing.insert(device) }
        }
        return SearchAnswers.Answer(
            commands: commands, rejected: rejected.count, besides: besides.count, accepted: accepted.count,
            labels: labelled.map { LabelOutcome(Array(edited.dropFirst(first)), $0) },
            unmet: (passing.count, failing.count))
    }
}
