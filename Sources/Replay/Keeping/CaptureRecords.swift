package import Documents
package import PolicyEngine

/// Reads the records of captures with names in place of numbers, and what an account decides on each.
package struct CaptureRecords {
    private let request: ReplayRequest
    private let keys: [String]
    private let devices: DeviceSelection
    private let progress: Progress

    /// - Parameters:
    ///   - request: The captures, how they are read, and the account.
    ///   - keys: The attributes that are read.
    ///   - devices: The devices whose records are read.
    ///   - progress: Shows from time to time how far the replay is.
    package init(
        _ request: ReplayRequest, keys: [String], devices: DeviceSelection = .all, progress: Progress = Progress()
    ) {
        (self.request, self.keys, self.devices, self.progress) = (request, keys, devices, progress)
    }

    /// The attributes that some account looks at.
    package static func keys(for accounts: Account...) -> [String] {
        var keys: [String] = []
        let registrations = ["app-sig", "app-id-sig", "appid", "app-version", "sdkid"]
        for key in accounts.flatMap(\.filters).compactMap(\.key) + registrations + ["device"]
        where !keys.contains(where: { ExactText($0) == ExactText(key) })
            && !["flags-all", "public-flags", "device-id"].contains(key)
        {
            keys.append(key)
        }
        return keys
    }

    /// Reads everything.
    ///
    /// - Returns: The records in the order of time; none where the input was refused.
    package func read() -> KeptRecords {
        if let kept = readInMemory() { return kept }
        var replay = CaptureReplay<KeepingResult>(
            request, .keeping(request.account, devices: devices, keys: keys, assumed: request.assumed),
            progress: progress)
        let summary = replay.run()
        guard !summary.diagnostics.hasErrors, let result = replay.result else {
            return KeptRecords(records: [], catalogue: request.account.catalogue, diagnostics: summary.diagnostics)
        }
        return KeptRecords(
            records: result.records, catalogue: result.catalogue, diagnostics: summary.diagnostics)
    }

    // If the captures were read before, and nobody asks for attributes, which are not kept in memory.
    private func readInMemory() -> KeptRecords? {
        guard keys.isEmpty, case .devices(let devices) = devices,
            let evaluation = BaselineEvaluation(request, progress: progress)
        else { return nil }
        let result: KeepingResult? = evaluation.result(
            by: { KeepingEvaluator(request.account, devices: .devices(devices), keys: [], symbols: &$1) },
            evaluate: { $0.evaluate($1, symbols: $2) },
            result: { $0.result(symbols: $1, fetches: nil) })
        guard var result, result.records.allSatisfy(\.isEvaluated) else { return nil }
        result.finish()
        return KeptRecords(
            records: result.records, catalogue: result.catalogue, diagnostics: evaluation.diagnostics)
    }
}

/// The records of captures, and what was noticed while they were read.
package struct KeptRecords: Sendable {
    /// In the order of time; none where the input was refused.
    package var records: [KeptRecord]
    /// The flags of the account and of all records, in their order.
    package let catalogue: FlagCatalogue
    /// The errors and warnings about the input.
    package let diagnostics: Diagnostics
}
