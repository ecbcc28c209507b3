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
        var replay = CaptureReplay(
            request, work: KeepingWork(request.account, devices: devices, keys: keys), progress: progress)
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
            by: { _, symbols in ChoosingEvaluator(devices, request.account, symbols: &symbols) },
            evaluate: { $0.evaluate($1, symbols: $2) },
            result: { $0.base.result(symbols: $1, fetches: nil) })
        guard var result, result.records.allSatisfy(\.isEvaluated) else { return nil }
        result.finish()
        return KeptRecords(
            records: result.records, catalogue: result.catalogue, diagnostics: evaluation.diagnostics)
    }
}

/// Evaluates every record by one account, and keeps those of some devices, without attributes.
private struct ChoosingEvaluator {
    private(set) var base: KeepingEvaluator
    // By device number.
    private var areChosen: [Bool]

    init(_ devices: Set<DeviceID>, _ account: Account, symbols: inout SymbolTable) {
        base = KeepingEvaluator(account, keys: [], symbols: &symbols)
        areChosen = Array(repeating: false, count: symbols.devices.count)
        for device in devices {
            if let number = symbols.devices.index(of: device) { areChosen[number.offset] = true }
        }
    }

    mutating func evaluate(_ batch: borrowing Batch, symbols: borrowing SymbolTable) {
        let batch = copy batch
        base.evaluate(batch, records: { [areChosen] in Self.record($0, of: batch, areChosen) }, symbols: symbols)
    }

    private static func record(
        _ row: Int, of batch: Batch, _ areChosen: [Bool]
    ) -> ParsedRecord<KeepingMatcher.Matches> {
        let (device, origin) = (batch.devices[row], batch.origins[row])
        let head = RecordHead(
            id: DeviceID(first: 0, second: 0), time: batch.times[row], system: origin.system,
            capturedVerdict: origin.capturedVerdict, line: 0, range: 0..<0)
        let matches = KeepingMatcher.Matches(
            attributes: .none, system: origin.system, kept: areChosen[device.offset] ? [] : nil)
        return ParsedRecord(head: head, flags: batch.flagSets[Int(batch.flags[row])], matches: matches)
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
