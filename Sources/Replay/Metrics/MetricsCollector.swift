package import Figures
package import PolicyEngine

/// Counts decisions as they are made (R10, step 14; R13).
package struct MetricsCollector {
    private var passedFlags = BitTally<UInt128>()
    private var failedFlags = BitTally<UInt128>()
    private var blacklisted = 0
    private var revisionTally = RevisionTally()
    /// The flags that some token had among its annotations.
    package private(set) var annotatedFlags = FlagSet.empty
    private var lifetimes = LifetimeTally()
    private var versionVerdicts: [VerdictCounts] = []
    private var windows: WindowCollector
    private var filterDevices = FilterDeviceCounter()
    private var unsearched = UnsearchedCounter()
    private var ledger = DeviceLedger()
    private var devices = Figures.Devices()
    private var reproduced: (compared: Int, agreed: Int) = (0, 0)
    // `nil` unless it was asked for.
    private var series: SeriesCollector?
    private var groups: DeviceGroups?
    // The attestations that a lane decided about by its tables, by row, which ``settle(by:)`` adds to the other counts.
    private var rows = RowCounts()

    /// Makes a collector that has counted nothing.
    ///
    /// - Parameters:
    ///   - billingDay: The day on which a billing month starts (R13.2).
    ///   - keepsSeries: True if live metrics are kept by minute, too (R13.2a).
    ///   - keepsGroups: True if the devices of groups are counted.
    package init(billingDay: Int, keepsSeries: Bool = false, keepsGroups: Bool = false) {
        windows = WindowCollector(billingDay: billingDay)
        series = keepsSeries ? SeriesCollector() : nil
        groups = keepsGroups ? DeviceGroups() : nil
    }

    /// Counts a decision; decisions come in time order.
    ///
    /// - Parameters:
    ///   - decision: The decision.
    ///   - numbers: The app that it came with.
    ///   - capturedVerdict: The service's verdict, where a capture has it.
    /// - Complexity: O(flags + filters of the decision); allocates only for what is new.
    package mutating func count(_ decision: Decision, app numbers: AppNumbers, capturedVerdict: Bool? = nil) {
        countDecision(decision, app: numbers)
        series?.count(decision, app: numbers)
        groups?.count(decision.flags, of: decision.device, app: numbers)
        countReproduced(capturedVerdict, passed: decision.passed)
    }

    private mutating func countDecision(_ decision: Decision, app numbers: AppNumbers) {
        let passed = decision.passed
        if passed { passedFlags.add(decision.flags.bits) } else { failedFlags.add(decision.flags.bits) }
        if decision.isBlacklisted { blacklisted += 1 }
        if let annotations = decision.annotations { annotatedFlags = annotatedFlags.union(annotations) }
        revisionTally.count(decision)
        countDevice(of: decision, app: numbers.app)
        lifetimes.count(decision.lifetime)
        if let version = numbers.version { countVersion(version, passed: passed) }
    }

    /// Counts only whether a decision agrees with the service.
    ///
    /// - Parameters:
    ///   - capturedVerdict: The service's verdict, where a capture has it.
    ///   - passed: The verdict of the decision.
    @inline(__always)
    mutating func countReproduced(_ capturedVerdict: Bool?, passed: Bool) {
        guard let capturedVerdict else { return }
        reproduced.compared += 1
        if capturedVerdict == passed { reproduced.agreed += 1 }
    }

    /// The number of devices that failed at least once.
    ///
    /// - Parameter unevaluated: The devices that could not be evaluated, which do not count.
    func failingDevices(besides unevaluated: DeviceSet) -> Int {
        ledger.entries.indices.count { ledger.entries[$0].hasFailed && !unevaluated.contains($0) }
    }

    /// The counts by policies and filters, by revision of the account, as far as decisions were made.
    package var revisions: [RevisionCounts] { revisionTally.all }

    /// The number of rejections that each flag caused, by its index.
    package var rejectingCounts: [Int] {
        let counted = windows.result
        return (0..<Flag.limit).map { counted.rejectingCount(ofFlagAt: $0) }
    }

    /// True if a device attested.
    package func hasSeen(_ device: DeviceIndex) -> Bool {
        device.offset < ledger.entries.count && ledger.entries[device.offset].isSeen
    }

    @inline(__always)
    private mutating func countDevice(of decision: Decision, app: Int?) {
        ledger.reserve(decision.device)
        if !decision.limitHits.isEmpty { unsearched.count(decision) }
        let attestation = CountedAttestation(
            passed: decision.passed, time: decision.time, filters: decision.filters, revision: decision.revision,
            isNew: decision.isNewDevice, app: app)
        count(attestation, of: decision.device, rejectingFlags: decision.rejectingFlags)
    }

    /// Counts an attestation of a device for which there is room.
    @inline(__always)
    private mutating func count(
        _ attestation: CountedAttestation, of device: DeviceIndex, rejectingFlags: FlagSet
    ) {
        Self.count(
            attestation, of: device.offset, entry: &ledger[device], &filterDevices, &windows, &devices,
            rejectingFlags: rejectingFlags)
    }

    // The entry of the device is looked up once.
    @inline(__always)
    private static func count(
        _ attestation: CountedAttestation, of device: Int, entry: inout DeviceLedger.Entry,
        _ filterDevices: inout FilterDeviceCounter, _ windows: inout WindowCollector,
        _ devices: inout Figures.Devices, rejectingFlags: FlagSet
    ) {
        filterDevices.count(attestation.filters, revision: attestation.revision, of: device, entry: &entry)
        windows.count(
            passed: attestation.passed, at: attestation.time, device: device, app: attestation.app, entry: &entry,
            rejectingFlags: rejectingFlags)
        if !entry.isSeen {
            entry.noteSeen()
            devices.unique += 1
        }
        if attestation.isNew, !entry.isNew {
            entry.noteNew()
            devices.new += 1
        }
    }

    @inline(__always)
    private mutating func countVersion(_ number: Int, passed: Bool) {
        if number >= versionVerdicts.count { addVersions(upTo: number) }
        if passed { versionVerdicts[number].passed += 1 } else { versionVerdicts[number].failed += 1 }
    }

    @inline(never)
    private mutating func addVersions(upTo number: Int) {
        versionVerdicts.append(contentsOf: repeatElement(VerdictCounts(), count: number + 1 - versionVerdicts.count))
    }
}

extension MetricsCollector {
    /// Counts what a lane decided about a batch.
    ///
    /// - Parameters:
    ///   - batch: The records.
    ///   - lane: The lane, which decided about them last.
    ///   - symbols: The numbering of devices and flags.
    mutating func count(_ batch: borrowing Batch, by lane: inout Lane, symbols: borrowing SymbolTable) {
        rows.reserve(lane)
        rows.add(lane, count: batch.count)
        if let last = batch.devices.max() { ledger.reserve(last) }
        let (own, filtered) = (lane.own, lane.filtered ?? lane.own)
        let (verdicts, flagRows, matchRows) = (lane.verdicts, lane.flagRows, lane.matchRows)
        let (devices, times, origins) = (batch.devices, batch.times, batch.origins)
        // All at once, so that waiting for memory overlaps.
        for device in devices { ledger.prefetch(device) }
        groups?.prefetch(devices)
        for row in devices.indices {
            let (verdict, origin) = (verdicts[row], origins[row])
            let passed = !verdict.contains(.fails)
            countReproduced(origin.capturedVerdict, passed: passed)
            if verdict.contains(.isByEngine) {
                let decision = lane.decision(row, batch, symbols: symbols)
                countDecision(decision, app: origin.app)
                if groups != nil { groups?.count(decision.flags, of: devices[row], app: origin.app) }
                continue
            }
            let (flagRow, matchRow) = (Int(flagRows[row]), Int(matchRows[row]))
            let isFiltered = verdict.contains(.isFiltered)
            let attestation = CountedAttestation(
                passed: passed, time: times[row],
                filters: isFiltered ? filtered.filters[matchRow] : own.filters[matchRow], revision: 0,
                isNew: own.flagEffects[flagRow].contains(.isNew), app: origin.app.app)
            var rejectingFlags = FlagSet.empty
            if !passed {
                rejectingFlags =
                    isFiltered ? filtered.rejectingFlags(flagRow, verdict) : own.rejectingFlags(flagRow, verdict)
            }
            count(attestation, of: devices[row], rejectingFlags: rejectingFlags)
            if let version = origin.app.version { countVersion(version, passed: passed) }
            if groups != nil {
                groups?.count(own.effectiveFlags(flagRow, verdict), of: devices[row], app: origin.app)
            }
        }
        if series != nil { countSeries(batch, by: &lane, symbols: symbols) }
    }

    @inline(never)
    private mutating func countSeries(_ batch: borrowing Batch, by lane: inout Lane, symbols: borrowing SymbolTable) {
        for row in 0..<batch.count {
            series?.count(lane.decision(row, batch, symbols: symbols), app: batch.origins[row].app)
        }
    }

    /// Counts only whether decisions about a batch agree with the service, and what searches were given up for.
    mutating func countReproduced(_ batch: borrowing Batch, by lane: inout Lane, symbols: borrowing SymbolTable) {
        for row in 0..<batch.count {
            let (verdict, origin) = (lane.verdicts[row], batch.origins[row])
            if verdict.contains(.isByEngine),
                case let decision = lane.decision(row, batch, symbols: symbols), !decision.limitHits.isEmpty
            {
                count(decision, app: origin.app, capturedVerdict: origin.capturedVerdict)
            } else {
                countReproduced(origin.capturedVerdict, passed: !verdict.contains(.fails))
            }
        }
    }

    /// Adds the attestations that a lane decided about by its tables to the other counts, before the tables change.
    mutating func settle(by lane: borrowing Lane) {
        for (policy, tables) in [lane.own, lane.filtered ?? lane.own].enumerated() {
            rows.forEachFlagRow(ofPolicy: policy) { row, verdict, count in
                settle(count, verdict, tables.effectiveFlags(row, verdict), by: tables, policy)
            }
            rows.forEachMatchRow(ofPolicy: policy) { row, count in
                revisionTally.add(count, matched: tables.filters[row], rejecting: tables.rejectingFilters[row])
            }
        }
        rows = RowCounts()
    }

    private mutating func settle(
        _ count: Int, _ verdict: Effect, _ flags: FlagSet, by tables: EffectTables, _ policy: Int
    ) {
        if verdict.contains(.fails) {
            failedFlags.add(flags.bits, times: count)
        } else {
            passedFlags.add(flags.bits, times: count)
        }
        if tables.rejectsEverything { blacklisted += count }
        if let annotated = tables.annotated {
            annotatedFlags = annotatedFlags.union(flags.intersection(annotated))
        }
        revisionTally.add(count, byPolicy: policy)
        lifetimes.count(tables.lifetime(isRisky: verdict.contains(.isRisky)), times: count)
    }

    /// The figures counted so far, with names for numbers.
    ///
    /// - Parameters:
    ///   - engine: The engine that made the decisions.
    ///   - symbols: The numbering that it used.
    ///   - apps: The names of the apps.
    package func figures(engine: Engine, symbols: SymbolTable, apps: AppLabels) -> Figures {
        var figures = Figures()
        let counted = windows.result
        figures.attestations = counted.attestations.total
        figures.metrics[.pass] = counted.attestations.passed
        figures.metrics[.fail] = counted.attestations.failed
        figures.add(.rejection(.blacklist), blacklisted)
        addFlags(counted, to: &figures, catalogue: symbols.catalogue)
        addApps(counted.apps, to: &figures, names: apps)
        addPoliciesAndFilters(to: &figures, engine: engine)
        figures.lifetimes = lifetimes.all
        figures.devices = devices
        figures.devices.banned = engine.bannedDeviceCount
        let unsearched = unsearchedDevices(engine: engine)
        unsearched.count(in: &figures.unevaluated)
        figures.failingDevices = failingDevices(besides: unsearched.all)
        figures.windows = counted.windows(apps: apps, catalogue: symbols.catalogue)
        figures.hours = counted.hours
        figures.billing = figures.highestMonth
        figures.groups = groups?.figures(labels: apps, catalogue: symbols.catalogue)
        figures.series = series?.series(engine: engine, catalogue: symbols.catalogue, apps: apps)
        if reproduced.compared > 0 {
            figures.reproduced = .init { ($0.compared, $0.agreed) = reproduced }
        }
        return figures
    }

    /// The devices for which searches were given up that decisions depend on.
    func unsearchedDevices(engine: Engine) -> UnsearchedDevices { unsearched.devices(engine: engine) }

    private func addFlags(
        _ counted: WindowCollector.Result, to figures: inout Figures, catalogue: FlagCatalogue
    ) {
        let (passed, failed) = (passedFlags.all, failedFlags.all)
        for (index, flag) in catalogue.flags.enumerated() {
            let name = ExactText(flag.name)
            figures.add(.flag(name, passed: true), passed[index])
            figures.add(.flag(name, passed: false), failed[index])
            figures.add(.rejection(.flag(name)), counted.rejectingCount(ofFlagAt: index))
            let count = passed[index] + failed[index]
            if index >= catalogue.namedCount, count > 0 { figures.unknownFlags[flag.name, default: 0] += count }
        }
    }

    private func addApps(_ apps: [VerdictCounts], to figures: inout Figures, names: AppLabels) {
        for (number, counts) in apps.enumerated() {
            let name = ExactText(names.apps[number])
            figures.add(.app(name, passed: true), counts.passed)
            figures.add(.app(name, passed: false), counts.failed)
        }
        for (number, counts) in versionVerdicts.enumerated() {
            let name = ExactText(names.versions[number])
            figures.add(.version(name, passed: true), counts.passed)
            figures.add(.version(name, passed: false), counts.failed)
        }
    }

    private func addPoliciesAndFilters(to figures: inout Figures, engine: Engine) {
        let revisions = revisions
        let devices = filterDevices.figures(history: engine.history, ledger: ledger)
        var filters: [Figures.FilterFigures] = []
        for (number, revision) in engine.history.revisions.enumerated() {
            let counts = number < revisions.count ? revisions[number] : RevisionCounts()
            for (index, policy) in engine.policies(ofRevision: number).enumerated() where index < counts.policies.count
            {
                figures.add(.policy(ExactText(policy.rejection.name)), counts.policies[index])
                figures.policies[policy.description, default: 0] += counts.policies[index]
            }
            for (index, filter) in revision.account.filters.enumerated() {
                let matched = index < counts.matches.count ? counts.matches[index] : 0
                let hits = index < counts.limitHits.count ? counts.limitHits[index] : 0
                let name = ExactText(filter.name)
                figures.add(.filter(name), matched)
                if index < counts.rejections.count {
                    figures.add(.rejection(.filter(name)), counts.rejections[index])
                }
                let known = filters.firstIndex { $0.name == filter.name } ?? filters.count
                if known == filters.count {
                    filters.append(.init { ($0.name, $0.devices) = (filter.name, devices[filter.name] ?? 0) })
                }
                filters[known].matched += matched
                filters[known].limitHits += hits
            }
        }
        figures.policies = figures.policies.filter { $0.value > 0 }
        figures.filters = filters
    }
}

/// Counts tokens by their lifetime, of which there are three (R11.1).
struct LifetimeTally: Sendable {
    private static var seconds: (usual: Int, risky: Int, short: Int) {
        (TokenLifetime.usual.seconds, TokenLifetime.risky.seconds, TokenLifetime.short.seconds)
    }

    private var usual = 0
    private var risky = 0
    private var short = 0

    /// Counts tokens.
    ///
    /// - Parameters:
    ///   - seconds: Their lifetime.
    ///   - times: How many there are.
    @inline(__always)
    mutating func count(_ seconds: Int, times: Int = 1) {
        // Which one it is cannot be foreseen, so nothing is jumped over.
        usual &+= seconds == Self.seconds.usual ? times : 0
        risky &+= seconds == Self.seconds.risky ? times : 0
        short &+= seconds == Self.seconds.short ? times : 0
    }

    /// The tokens by their lifetime in seconds, without those that no token has.
    var all: [Int: Int] {
        let counts: [(TokenLifetime, Int)] = [(.usual, usual), (.risky, risky), (.short, short)]
        return Dictionary(uniqueKeysWithValues: counts.filter { $0.1 > 0 }.map { ($0.0.seconds, $0.1) })
    }
}

/// The parts of an attestation that are counted by device.
private struct CountedAttestation {
    let passed: Bool
    let time: Instant
    let filters: FilterSet
    let revision: Int
    /// True if it has `new-did`.
    let isNew: Bool
    let app: Int?
}
