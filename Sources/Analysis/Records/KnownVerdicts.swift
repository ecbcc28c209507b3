package import Documents
internal import PolicyEngine
package import Replay

extension KeptRecords {
    /// Reads captures under an account, and notes on which records its verdict is known: not on those where it depends on which
    /// devices were new, if no record says it.
    ///
    /// - Parameters:
    ///   - request: The captures, how they are read, and the account.
    ///   - keys: The attributes that are read.
    ///   - progress: Shows from time to time how far the first reading is.
    package static func evaluated(_ request: ReplayRequest, keys: [String], progress: Progress = Progress())
        -> KeptRecords
    {
        var kept = CaptureRecords(request, keys: keys, progress: progress).read()
        guard !kept.records.areNewDevicesKnown, let other = request.account.withoutNewDevices else { return kept }
        var request = request
        request.account = other
        for (index, record) in CaptureRecords(request, keys: []).read().records.enumerated()
        where index < kept.records.count {
            let agrees = record.passed == kept.records[index].passed
            kept.records[index].isEvaluated = kept.records[index].isEvaluated && record.isEvaluated && agrees
        }
        return kept
    }
}

extension [KeptRecord] {
    /// True if a record says of a device that it was new, so that all others were not.
    var areNewDevicesKnown: Bool { contains { $0.hasFlag(named: "new-did") } }

    /// The devices of which the verdict on some record is not known.
    var unevaluatedDevices: Set<DeviceID> { Set(lazy.filter { !$0.isEvaluated }.map(\.device)) }
}
